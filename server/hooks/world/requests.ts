import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode, orNull } from '../../../core/kernel/fs/port.ts';
import { readPlainJson, writeWhole } from '../../../core/kernel/fs/state-file.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { text } from './input.ts';

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
  /** Nobody was asked because it would run in the sandbox (`"rules": {"sandboxed": "allow"}`). */
  sandboxed: boolean;
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

/** A `!` command's claim has no request: it is dropped at this age (ms). */
const LOOSE_MS = 10 * 60 * 1000;

/** Open requests, a file each, since server and Node path must see the same ones, also after a kill. */
export class RequestFiles {
  /** Of a request that a call has taken a second file counts: to replace the first would write to the disk at once (ext4). */
  readonly open: Records<OpenCall>;
  readonly loose: Records<LooseClaim>;
  /** Their effects on pending files are still to be reported. */
  readonly host: Records<HostCall>;

  constructor(sessionDir: string) {
    const dir = path.join(sessionDir, 'requests');
    const texts = { request: '', claude: '', tool: '', command: '', cwd: '', at: '', call: '', mode: '' };
    const empty = { ...texts, asked: false, sandboxed: false };
    this.open = new Records<OpenCall>(dir, 'open.', 'request', empty, TAKEN);
    this.loose = new Records<LooseClaim>(dir, 'loose.', 'call', { call: '', command: '', at: '' });
    this.host = new Records<HostCall>(dir, 'host.', 'call', { call: '', what: '', dirs: [], conflicts: [] });
  }

  list(): OpenCall[] {
    return this.open.all().sort((a, b) => (a.at < b.at ? -1 : 1));
  }

  /** False when another call has it: launchers in two processes may claim equal commands at the same time. */
  take(open: OpenCall): boolean {
    try {
      const file = this.open.fileOf(open.request, TAKEN);
      writeFileSync(file, JSON.stringify(open), { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  close(request: string): void {
    this.open.remove(request);
    rmSync(this.open.fileOf(request, TAKEN), { force: true });
  }

  /** Removes the first loose claim that `fits`, so that it cannot stand for two requests. */
  takeLoose(fits: (claim: LooseClaim) => boolean, now: number): LooseClaim | null {
    for (const claim of this.loose.all()) {
      const taken = fits(claim);
      if (taken || now - Date.parse(claim.at) > LOOSE_MS) this.loose.remove(claim.call);
      if (taken) return claim;
    }
    return null;
  }

  /** Host calls that `ended`; each is returned once. */
  takeHost(ended: (call: string) => boolean): HostCall[] {
    const done = this.host.all().filter(({ call }) => ended(call));
    for (const { call } of done) this.host.remove(call);
    return done;
  }
}

const TAKEN = 'taken.';

/** Files `PREFIX…ID` of one kind; one of the prefix `over` counts instead. A field that is missing, or of another type than in `empty`, reads as there. */
class Records<T extends object> {
  readonly #dir: string;
  readonly #prefix: string;
  readonly #key: keyof T & string;
  readonly #empty: T;
  readonly #over: string | null;

  constructor(dir: string, prefix: string, key: keyof T & string, empty: T, over: string | null = null) {
    this.#dir = dir;
    this.#prefix = prefix;
    this.#key = key;
    this.#empty = empty;
    this.#over = over;
  }

  all(): T[] {
    const names = orNull(() => readdirSync(this.#dir)) ?? [];
    return names.flatMap((name) => {
      const found = name.startsWith(this.#prefix) ? this.#newest(name.slice(this.#prefix.length)) : null;
      return found === null ? [] : [found];
    });
  }

  find(id: string): T | null {
    return this.#newest(nameOf(id));
  }

  /** Throws an io error: a call that cannot be recorded is not run. */
  save(record: T): void {
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    writeWhole(this.fileOf(String(record[this.#key])), Buffer.from(JSON.stringify(record)));
  }

  remove(id: string): void {
    rmSync(this.fileOf(id), { force: true });
  }

  fileOf(id: string, prefix = this.#prefix): string {
    return path.join(this.#dir, prefix + nameOf(id));
  }

  #newest(name: string): T | null {
    const first = this.#read(this.#prefix + name);
    // A kill while it was closed may have left the other file alone.
    if (first === null || this.#over === null) return first;
    return this.#read(this.#over + name) ?? first;
  }

  #read(name: string): T | null {
    const value = orNull(() => readPlainJson(path.join(this.#dir, name)));
    if (!isObject(value) || text(value, this.#key) === '') return null;
    const fields = Object.entries(this.#empty).map(([name, none]) => {
      const given = value[name];
      if (Array.isArray(none))
        return [name, Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []];
      return [name, typeof given === typeof none ? given : none];
    });
    return Object.fromEntries(fields);
  }
}

function nameOf(id: string): string {
  const isPlain = /^[A-Za-z0-9_-]{1,80}$/.test(id);
  return isPlain ? id : `x${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
