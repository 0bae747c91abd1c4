import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainJson } from '../../../core/kernel/fs/state-file.ts';
import { isObject, text } from './input.ts';

/** A tool call that PreToolUse let through and that no Post event has closed yet. */
export interface OpenCall {
  request: string;
  claude: string;
  tool: string;
  command: string;
  cwd: string;
  at: string;
  /** Of the claim, or empty; as is `mode`. */
  call: string;
  mode: string;
  /** The user was asked about it. */
  asked: boolean;
}

/** A claim without a request: `!`, a slash command, or a command that a plugin rewrote. */
export interface LooseClaim {
  call: string;
  command: string;
  at: string;
}

/** A host call that may change files which are pending. */
export interface HostCall {
  call: string;
  what: string;
  dirs: string[];
  /** Pending paths (byte strings) in conflict before it. */
  conflicts: string[];
}

const LOOSE = 'loose.';
/** Its effects on pending files are still to be reported. */
const HOST = 'host.';
const OPEN = 'open.';
/** Created by the one call that takes a request. */
const TAKEN = 'taken.';
/** A `!` command's claim has no request: it is dropped at this age (ms). */
const LOOSE_MS = 10 * 60 * 1000;

/** Open requests, a file each, since server and Node path must see the same ones, also after a kill. */
export class RequestFiles {
  readonly #dir: string;

  constructor(sessionDir: string) {
    this.#dir = path.join(sessionDir, 'requests');
  }

  list(): OpenCall[] {
    return this.#read(OPEN, parseOpen).sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  find(request: string): OpenCall | null {
    return this.#readOne(fileName(OPEN, request), parseOpen);
  }

  /** Throws an io error: a call that cannot be recorded is not run. */
  save(open: OpenCall): void {
    this.#write(fileName(OPEN, open.request), open);
  }

  /** False when another call has it: launchers in two processes may claim equal commands at the same time. */
  take(open: OpenCall): boolean {
    try {
      writeFileSync(path.join(this.#dir, fileName(TAKEN, open.request)), open.call, {
        flag: 'wx',
        mode: 0o600,
      });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
    this.save(open);
    return true;
  }

  close(request: string): void {
    for (const prefix of [OPEN, TAKEN])
      rmSync(path.join(this.#dir, fileName(prefix, request)), { force: true });
  }

  saveLoose(claim: LooseClaim): void {
    this.#write(fileName(LOOSE, claim.call), claim);
  }

  /** Removes the first loose claim that `fits`, so that it cannot stand for two requests. */
  takeLoose(fits: (claim: LooseClaim) => boolean, now: number): LooseClaim | null {
    for (const claim of this.#read(LOOSE, parseLoose)) {
      const file = path.join(this.#dir, fileName(LOOSE, claim.call));
      const taken = fits(claim);
      if (taken || now - Date.parse(claim.at) > LOOSE_MS) rmSync(file, { force: true });
      if (taken) return claim;
    }
    return null;
  }

  saveHost(host: HostCall): void {
    this.#write(fileName(HOST, host.call), host);
  }

  /** Host calls that `ended`; each is returned once. */
  takeHost(ended: (call: string) => boolean): HostCall[] {
    const done = this.#read(HOST, parseHost).filter(({ call }) => ended(call));
    for (const { call } of done) rmSync(path.join(this.#dir, fileName(HOST, call)), { force: true });
    return done;
  }

  #read<T>(prefix: string, parse: (value: unknown) => T | null): T[] {
    let names: string[];
    try {
      names = readdirSync(this.#dir);
    } catch {
      return [];
    }
    const found: T[] = [];
    for (const name of names) {
      if (!name.startsWith(prefix)) continue;
      const value = this.#readOne(name, parse);
      if (value !== null) found.push(value);
    }
    return found;
  }

  #readOne<T>(name: string, parse: (value: unknown) => T | null): T | null {
    try {
      return parse(readPlainJson(path.join(this.#dir, name)));
    } catch {
      return null;
    }
  }

  #write(name: string, value: object): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    // A reader must never see half of it.
    const temporary = path.join(this.#dir, `new.${process.pid}.${name}`);
    try {
      writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
      renameSync(temporary, path.join(this.#dir, name));
    } catch (error) {
      // The disk is full: half of it was written.
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

function fileName(prefix: string, id: string): string {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(id)) return prefix + id;
  return `${prefix}x${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** The fields of `empty`, each from the file where it has the right type. Null = no such file. */
function parsed<T extends object>(value: unknown, key: string, empty: T): T | null {
  if (!isObject(value) || text(value, key) === '') return null;
  const fields = Object.entries(empty).map(([name, none]) => {
    const given = value[name];
    if (Array.isArray(none))
      return [name, Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []];
    return [name, typeof given === typeof none ? given : none];
  });
  return Object.fromEntries(fields);
}

const parseOpen = (value: unknown): OpenCall | null => parsed(value, 'request', NO_OPEN);
const parseHost = (value: unknown): HostCall | null =>
  parsed(value, 'call', { call: '', what: '', dirs: [], conflicts: [] });
const parseLoose = (value: unknown): LooseClaim | null =>
  parsed(value, 'call', { call: '', command: '', at: '' });

const NO_OPEN: OpenCall = {
  ...{ request: '', claude: '', tool: '', command: '', cwd: '', at: '', call: '', mode: '' },
  asked: false,
};
