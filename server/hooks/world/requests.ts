import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainJson } from '../../../core/kernel/fs/state-file.ts';
import { isObject, text } from './input.ts';

/** A tool call that PreToolUse let through and that no Post event has closed yet. */
export interface OpenCall {
  /** tool_use_id. */
  request: string;
  claude: string;
  tool: string;
  command: string;
  cwd: string;
  /** ISO time of the request. */
  at: string;
  /** The call that a launcher claimed for it, or empty. */
  call: string;
  /** Where that call was to run, or empty. */
  mode: string;
  /** The user was asked before the client went on with it. */
  asked: boolean;
}

/** A launcher that asked and matched no request: `!`, a slash command, or a command that somebody rewrote. */
export interface LooseClaim {
  call: string;
  command: string;
  at: string;
}

/** A call on the host that may change files which are pending. */
export interface HostCall {
  call: string;
  /** `git pull`. */
  what: string;
  /** Where it works, absolute. */
  dirs: string[];
  /** Pending paths that were in conflict before it, as byte strings. */
  conflicts: string[];
}

const LOOSE = 'loose.';
/** What such a call did to pending files is still to be told. */
const HOST = 'host.';
const OPEN = 'open.';
/** Made by the one call that a request belongs to. */
const TAKEN = 'taken.';
/** Nobody comes for a loose claim of a `!` command: it is dropped when it is this old (ms). */
const LOOSE_MS = 10 * 60 * 1000;

/**
 * The open requests of one session, one file each below `requests/`. On disk, not in memory: server and Node path must
 * see the same ones, and a server that was killed between request and claim must not lose the attribution.
 */
export class RequestFiles {
  readonly #dir: string;

  constructor(sessionDir: string) {
    this.#dir = path.join(sessionDir, 'requests');
  }

  /** Open requests, oldest first. */
  list(): OpenCall[] {
    return this.#read(OPEN, parseOpen).sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  find(request: string): OpenCall | null {
    return this.#readOne(fileName(OPEN, request), parseOpen);
  }

  /** Writes or replaces a request. Throws an io error: a call that can't be recorded is not run. */
  save(open: OpenCall): void {
    this.#write(fileName(OPEN, open.request), open);
  }

  /**
   * Gives an open request to `open.call`. False when another call has it already: of two launchers that ask for equal
   * commands at the same moment, in two processes, one must look for another request.
   */
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

  /** Takes the first loose claim that `fits`, so that it can't stand for two requests. */
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

  /** Host calls that nobody has looked at since, and that `ended`; each is given once. */
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
      // Closed meanwhile.
      return null;
    }
  }

  #write(name: string, value: object): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    // Renamed into place, since a reader must never see half of it.
    const temporary = path.join(this.#dir, `new.${process.pid}.${name}`);
    try {
      writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
      renameSync(temporary, path.join(this.#dir, name));
    } catch (error) {
      // Half of it, where the disk is full.
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}

/** A file name for an id of the client's, whatever it holds. */
function fileName(prefix: string, id: string): string {
  if (/^[A-Za-z0-9_-]{1,80}$/.test(id)) return prefix + id;
  return `${prefix}x${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** The fields of `empty` as the file has them; one that is missing or of another type stays empty. Null = it is no such file. */
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
