/** The bundled server as a program that can be killed, and ways to talk to it. For tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readServerFile, type ServerFile } from '../../core/session/server-file.ts';
import { VERSION } from '../../core/session/version.ts';
import { copyPlugin } from '../built.ts';
import { removeTree } from '../remove-tree.ts';
import type { ServerSide } from './client.ts';
import type { HookReply } from './server.ts';

/** Time for a server to start or stop (ms): a busy machine is no error. */
const PATIENCE_MS = 60_000;

export class Programs {
  readonly base: string;
  readonly #children: ChildProcess[] = [];
  #count = 0;

  private constructor(base: string) {
    this.base = base;
  }

  static async build(): Promise<Programs> {
    const programs = new Programs(realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-programs-'))));
    await copyPlugin(path.join(programs.base, 'plugin'));
    return programs;
  }

  /** The same programs with another version number. */
  version(version: string): string {
    const lib = path.join(this.base, version, 'lib');
    if (existsSync(lib)) return path.join(lib, 'server.mjs');
    cpSync(path.join(this.base, 'plugin'), path.dirname(lib), { recursive: true });
    const program = path.join(lib, 'server.mjs');
    const text = readFileSync(program, 'utf8');
    const changed = text.replace(`VERSION = "${VERSION}"`, `VERSION = "${version}"`);
    if (changed === text) throw new Error('the bundled server names no version');
    writeFileSync(program, changed);
    return program;
  }

  /** State, home and project of one machine, below one directory. */
  place(): Place {
    const base = path.join(this.base, `place-${++this.#count}`);
    const place = { base, state: `${base}/state`, home: `${base}/home`, project: `${base}/home/project` };
    for (const dir of [place.state, place.project]) mkdirSync(dir, { recursive: true, mode: 0o700 });
    return place;
  }

  start(
    place: Place,
    args: readonly string[] = [],
    program = path.join(this.base, 'plugin/lib/server.mjs'),
  ): ChildProcess {
    const child = spawn(process.execPath, [program, ...args], {
      env: { HOME: place.home, PATH: process.env['PATH'], TRAI_STATE_HOME: place.state },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#children.push(child);
    return child;
  }

  /** Kills the remaining children. */
  async end(): Promise<void> {
    for (const child of this.#children.splice(0)) {
      if (hasEnded(child)) continue;
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }

  remove(): void {
    removeTree(this.base);
  }
}

export interface Place {
  base: string;
  state: string;
  home: string;
  project: string;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Exit status of a program that ends by itself. */
export async function left(child: ChildProcess): Promise<number | null> {
  if (!hasEnded(child)) await once(child, 'close');
  return child.exitCode;
}

export async function until<T>(found: () => T | null | Promise<T | null>, what: string): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await found();
    if (value !== null) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The server that answers in a place, with a pid other than `not`; signed in as a tab. */
export async function listening(place: Place, ...not: (number | undefined)[]): Promise<ProgramServer> {
  const file = await until(() => {
    const found = existsSync(path.join(place.state, 'server.json')) ? readServerFile(place.state) : null;
    return found === null || not.includes(found.pid) ? null : found;
  }, 'server.json');
  const server = new ProgramServer(place, file);
  await server.signIn();
  return server;
}

export class ProgramServer implements ServerSide {
  readonly base: string;
  readonly state: string;
  readonly home: string;
  readonly project: string;
  readonly file: ServerFile;
  #token = '';

  constructor(place: Place, file: ServerFile) {
    this.base = place.base;
    this.state = place.state;
    this.home = place.home;
    this.project = place.project;
    this.file = file;
  }

  async signIn(): Promise<void> {
    const made: unknown = await (await this.#post('/hook/ui-code', this.file.hook, {})).json();
    const { code } = Object.fromEntries(Object.entries(made ?? {}));
    const given: unknown = await (await this.#post('/api/exchange', null, { code })).json();
    const { token } = Object.fromEntries(Object.entries(given ?? {}));
    if (typeof token !== 'string') throw new Error(`expected a token, got ${JSON.stringify(given)}`);
    this.#token = token;
  }

  async api(address: string, body?: unknown): Promise<Response> {
    if (body !== undefined) return await this.#post(address, this.#token, body);
    return await fetch(this.#origin() + address, { headers: { authorization: `Bearer ${this.#token}` } });
  }

  async hook(event: string, body: object, headers: Record<string, string> = {}): Promise<HookReply> {
    const answer = await this.#post(`/hook/${event}`, this.file.hook, body, headers);
    const [proof, exit = '', stream = '', ...text] = (await answer.text()).split('\n');
    if (proof !== this.file.proof) throw new Error(`expected the proof, got status ${answer.status}`);
    return { exit, stream, text: text.join('\n') };
  }

  #origin(): string {
    return `http://127.0.0.1:${this.file.port}`;
  }

  async #post(address: string, token: string | null, body: unknown, headers = {}): Promise<Response> {
    const origin = this.#origin();
    const bearer = token === null ? {} : { authorization: `Bearer ${token}` };
    // Hook scripts send no Origin; a request with one comes from a page.
    const from = address.startsWith('/api/') ? { origin } : {};
    return await fetch(origin + address, {
      method: 'POST',
      headers: { ...bearer, ...from, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}
