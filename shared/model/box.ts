/** What a client in a box (`trai box`) sees: rows of one table, of which argv, dry run, audit screen and the agent's context are made. */
import type { BytePath } from '../bytes.ts';
import type { BoxOptions } from '../config/box.ts';
import type { SessionProcess } from './process.ts';

/**
 * - `ro`: the session's view, read-only. `pending`: the same, and what is written there is pending.
 * - `host`: what is written there is the host's at once.
 * - `instance`: kept for boxes of this project, below trai's state directory. `empty`: nothing is there.
 * - `tmpfs`: begins empty, and ends with the box. `proc`, `dev`: its own.
 */
export type BoxHow = 'ro' | 'host' | 'pending' | 'instance' | 'empty' | 'tmpfs' | 'proc' | 'dev';

export interface BoxRow {
  what: string;
  /** In the session's merged view; null for a file system of its own. */
  from: BytePath | null;
  to: BytePath;
  how: BoxHow;
  why: string;
}

/** sessions/ID/box.json: how the session's newest box was started. Names of variables, never values. */
export interface BoxRecord {
  v: 1;
  /** The directory of the project's instance. */
  instance: string;
  rows: readonly BoxRow[];
  variables: readonly string[];
  net: BoxOptions['net'];
  write: BoxOptions['write'];
  /** Directories, and files, of the host's that the box writes at once. */
  direct: readonly BytePath[];
  directFiles: readonly BytePath[];
  /** Commit and undo may be typed inside. */
  commitInside: boolean;
}

/** A host that a box with `--net list` asked for; sessions/ID/network.json has them. */
export interface BoxHost {
  host: string;
  port: number;
  /** Of its newest connection. `asked`: it waits for the user's answer. */
  state: 'allowed' | 'refused' | 'asked';
  connections: number;
  /** Bytes, as the box sees them. */
  received: number;
  sent: number;
  /** ISO time. */
  first: string;
  /** The call that ran at that time, the newest of several; null = none. */
  call: string | null;
}

/** The instance of a project: what its boxes keep from one to the next (core/box/instance.ts). */
export interface BoxInstance {
  id: string;
  /** Null: unknown. */
  root: BytePath | null;
  /** When a box last began or ended, ISO; empty if unknown. */
  lastUse: string;
  running: boolean;
  /** `used`: its project is there. `gone`: gc takes it. `unsure`: it stays though its project is gone. */
  state: 'used' | 'gone' | 'unsure';
  /** Of `unsure`. */
  why: string;
  /** Those that ran in a box of it, the last used first. */
  sessions: string[];
}

/** With its size on disk (bytes). */
export interface SizedInstance extends BoxInstance {
  bytes: number;
}

export interface InstanceList {
  instances: SizedInstance[];
  /** Where they lie. */
  dir: string;
}

export interface TakenInstance {
  id: string;
  root: BytePath;
  bytes: number;
  /** Where it is in the trash; empty when nothing was moved. */
  at: string;
}

/** What gc of boxes did, or would do. */
export interface InstanceGc {
  taken: TakenInstance[];
  left: { id: string; why: string }[];
  /** Where instances lie. */
  dir: string;
}

/** `box.network` as it is now, with what was answered for the running box alone. */
export interface BoxNetwork {
  /** Entries as they are written; `hosts`: names and patterns that a preset stands for, else 1. */
  allow: { entry: string; hosts: number }[];
  deny: string[];
}

/** The box of a session, as far as its newest client ran in one. */
export interface SessionBox {
  /** Null: that client was not started in a box. */
  record: BoxRecord | null;
  /** A client of the session ran in a box, the newest or an earlier one. */
  everBoxed: boolean;
  running: boolean;
  /** ISO times; empty where the log does not say. */
  startedAt: string;
  endedAt: string;
  /** Its start in the log. */
  call: { id: string; command: string } | null;
  /** Of the client and what it started, not of `trai exec` in other terminals. */
  processes: SessionProcess[];
  /** Null: it is gone. */
  instance: { id: string; bytes: number } | null;
  /** Null: the network is no list of hosts, and nothing is recorded of it. */
  hosts: BoxHost[] | null;
  /** Null: as `hosts`. */
  network: BoxNetwork | null;
}

export const NO_BOX: SessionBox = {
  record: null,
  everBoxed: false,
  running: false,
  startedAt: '',
  endedAt: '',
  call: null,
  processes: [],
  instance: null,
  hosts: null,
  network: null,
};
