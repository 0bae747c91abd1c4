import { spawn } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VERSION } from '../../core/session/version.ts';
import { pause, type Running, start } from '../../scripts/lib/exec.ts';
import { endLeftovers, findLeftovers, processKeys } from '../../scripts/lib/leftovers.ts';
import { ordinaryPerson, type Person } from '../client/person.ts';
import { pluginTree } from '../client/plugin-tree.ts';
import type { Tree } from './compare.ts';
import { packageDir } from './install.ts';
import type { Program } from './program.ts';
import { Registry } from './registry.ts';

/** No step of a row takes a quarter of it on a quiet machine. */
const LIMIT_MS = 120_000;

/** How long what a program left may take to end by itself. */
const ENDING_MS = 20_000;

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
  ms: number;
}

/** An ordinary user's home with one project, a trai with its own server beside it, and a package registry. */
export class Machine {
  readonly base: string;
  /** Short: a socket's path in it may have 107 bytes. */
  readonly home: string;
  readonly project: string;
  readonly #person: Person;
  readonly #plugin: string;
  readonly #registry: Registry;
  readonly #scratch: string;
  readonly #before: ReadonlySet<string>;
  #sessions = 0;
  #server: Running | null = null;

  private constructor(
    person: Person,
    plugin: string,
    base: string,
    scratch: string,
    registry: Registry,
    before: Set<string>,
  ) {
    this.#person = person;
    this.#plugin = plugin;
    this.#registry = registry;
    this.#scratch = scratch;
    this.#before = before;
    this.base = base;
    this.home = path.join(base, 'h');
    this.project = path.join(this.home, 'p');
  }

  /** @throws when the server does not come up; what it said is shown. */
  static async open(): Promise<Machine> {
    const before = processKeys();
    const person = ordinaryPerson();
    const plugin = await pluginTree();
    // Below the real home: /tmp is the host's in the sandbox.
    const base = mkdtempSync(path.join(realpathSync(person.home), 'trai-p-'));
    const scratch = mkdtempSync(path.join(tmpdir(), 'trai-p-'));
    const registry = await Registry.open(path.join(base, 'registry'));
    const machine = new Machine(person, plugin, base, scratch, registry, before);
    for (const dir of [machine.state, machine.home]) mkdirSync(dir, { mode: 0o700 });
    machine.#give(base);
    machine.#give(scratch);
    try {
      await machine.#startServer();
    } catch (error) {
      await machine.close();
      throw error;
    }
    return machine;
  }

  get state(): string {
    return path.join(this.base, 'state');
  }

  /** Makes the project and the copy that both runs begin with. Null, or why this program cannot be run here. */
  async prepare(program: Program): Promise<string | null> {
    await this.#remove(this.home);
    await this.#remove(`${this.home}.begin`);
    mkdirSync(this.project, { recursive: true });
    this.#give(this.home);
    for (const name of program.needs) {
      const found = await this.host(`type -P ${name} >/dev/null`);
      if (found.status !== 0) return `${name} is not installed`;
    }
    for (const [name, text] of Object.entries(program.files)) {
      const file = path.join(this.project, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: /\.sh$/.test(name) ? 0o755 : 0o644 });
    }
    for (const spec of program.packages ?? []) this.#link(spec);
    this.#give(this.home);
    if (program.setup !== undefined) {
      const ran = await this.host(program.setup);
      if (ran.status !== 0 && program.setupFails !== undefined) return program.setupFails;
      if (ran.status !== 0)
        throw new Error(`${program.name}: set-up: exit status ${ran.status}\n${ran.stderr}${ran.stdout}`);
    }
    await this.#must(['cp', '-a', this.home, `${this.home}.begin`], '/');
    return null;
  }

  /** The project as `prepare` made it. */
  async begin(): Promise<void> {
    await this.#remove(this.home);
    await this.#must(['cp', '-a', `${this.home}.begin`, this.home], '/');
  }

  /** Runs a shell text in the project, without trai. */
  host(text: string): Promise<Ran> {
    return this.#run(['bash', '-c', text]);
  }

  /** A new session that has run a first call, as every session soon has. */
  async session(): Promise<string> {
    this.#sessions += 1;
    const id = `programs-${this.#sessions}`;
    await this.#must(this.#trai('exec', '--session', id, '--', 'true'));
    return id;
  }

  /** Runs a shell text in the session's sandbox: the launcher as `trai exec` starts it, without the start of Node. */
  inside(session: string, text: string): Promise<Ran> {
    const launch = path.join(this.state, 'bin', VERSION, 'launch');
    return this.#run(['bash', '-p', launch, '-o', 'exec', session, text, 'bash', '-c', text]);
  }

  async commit(session: string): Promise<Ran> {
    return await this.#run(this.#trai('commit', '--session', session, '--include-ignored', '--yes'));
  }

  /** What home holds, on the host or as the session sees it. */
  async tree(session: string | null): Promise<Tree> {
    const tool = path.join(import.meta.dirname, 'snapshot.mjs');
    const text = `'${process.execPath}' '${tool}' '${this.home}'`;
    const ran = session === null ? await this.host(text) : await this.inside(session, text);
    if (ran.status !== 0)
      throw new Error(`the list of ${this.home}: exit status ${ran.status}\n${ran.stderr}`);
    return JSON.parse(ran.stdout) as Tree;
  }

  /** Ends what was started and removes everything; the processes of programs that were left running, a line each. */
  async close(): Promise<string[]> {
    await this.#server?.stop();
    // Some programs end their helpers only after themselves.
    for (
      let waited = 0;
      waited < ENDING_MS && findLeftovers(this.#before, [this.base]).length > 0;
      waited += 100
    )
      await pause(100);
    const left = await endLeftovers(this.#before, [this.base]);
    await this.#registry.close();
    for (const dir of [this.base, this.#scratch]) await this.#remove(dir);
    return left.map(({ pid, command }) => `${pid}: ${command}`);
  }

  #trai(...words: string[]): string[] {
    return ['bash', path.join(this.#plugin, 'bin/trai'), ...words];
  }

  /** Packages are links into where they are installed; what is beside them (caches) is the project's own. */
  #link(spec: string): void {
    const target = packageDir(spec);
    const name = spec.lastIndexOf('@') > 0 ? spec.slice(0, spec.lastIndexOf('@')) : spec;
    const place = path.join(this.project, 'node_modules', name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(target, place);
  }

  #environment(): Record<string, string> {
    return {
      HOME: this.home,
      USER: this.#person.name,
      LOGNAME: this.#person.name,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      TMPDIR: this.#scratch,
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      TRAI_STATE_HOME: this.state,
      npm_config_registry: this.#registry.url,
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
  }

  /** The words that start something as the user, with a little environment and nothing of ours. */
  #as(argv: readonly string[]): string[] {
    const { uid, gid } = this.#person;
    const ids = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const variables = Object.entries(this.#environment()).map(([name, value]) => `${name}=${value}`);
    return [...(process.getuid?.() === 0 ? ids : []), 'env', '-i', ...variables, ...argv];
  }

  async #run(argv: readonly string[], cwd = this.project): Promise<Ran> {
    const [program = '', ...args] = this.#as(argv);
    const started = performance.now();
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // A program that hangs must not take the others' time; what it said is in the report then.
    const limit = setTimeout(() => child.pid === undefined || process.kill(-child.pid, 'SIGKILL'), LIMIT_MS);
    const status = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? -1));
    });
    clearTimeout(limit);
    return { status, stdout, stderr, ms: performance.now() - started };
  }

  async #must(argv: readonly string[], cwd = this.project): Promise<void> {
    const ran = await this.#run(argv, cwd);
    if (ran.status !== 0)
      throw new Error(`${argv.join(' ')}: exit status ${ran.status}\n${ran.stderr}${ran.stdout}`);
  }

  async #startServer(): Promise<void> {
    const [program = '', ...args] = this.#as([process.execPath, path.join(this.#plugin, 'lib/server.mjs')]);
    const server = start(program, args, { cwd: '/', output: 'collect' });
    this.#server = server;
    let gone = false;
    void server.ended.then(() => {
      gone = true;
    });
    while (!gone) {
      if (serverPid(this.state) === server.pid) return;
      await pause(20);
    }
    const { text } = await server.ended;
    throw new Error(`expected the server to write server.json, it ended before.\n${text}`);
  }

  #give(dir: string): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = this.#person;
    lchownSync(dir, uid, gid);
    for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
      lchownSync(path.join(dir, entry), uid, gid);
  }

  /** Work directories of an overlay have mode 000, and some programs leave read-only directories. */
  async #remove(dir: string): Promise<void> {
    await new Promise((resolve) =>
      spawn('chmod', ['-R', 'u+rwX', dir], { stdio: 'ignore' }).on('close', resolve),
    );
    rmSync(dir, { recursive: true, force: true });
  }
}

function serverPid(state: string): number {
  const file = path.join(state, 'server.json');
  return existsSync(file) ? Number(/"pid":(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) : 0;
}
