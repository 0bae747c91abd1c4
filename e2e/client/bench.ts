import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { orNull } from '../../core/kernel/fs/port.ts';
import { MockApi, type Scenario } from './mock-api.ts';
import { Network } from './network.ts';
import { ordinaryPerson, type Person } from './person.ts';
import { clientFor, pluginTree } from './plugin-tree.ts';
import { type ClaudeRun, parseRun } from './stream.ts';

export interface BenchOptions {
  scenarios?: Readonly<Record<string, Scenario>>;
  person?: Person;
  /** Folder for `--plugin-dir`; null = no plugin, left out = the built one. */
  plugin?: string | null;
  /** Name of the directory that holds home and project, for paths with blanks and quotes. */
  dir?: string;
  /** Content of ~/.claude/settings.json. */
  settings?: Record<string, unknown>;
  /** Variables on top of the client's few. */
  env?: Readonly<Record<string, string>>;
  /** Mounts of its own, for `mount()`. Only root can. */
  mounts?: boolean;
}

export interface RunOptions {
  args?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  input?: string;
}

export interface ShellRun {
  code: number;
  out: string;
  err: string;
}

/** A user's machine in small: fresh home, a project, a network of its own, the mock API, the real client. */
export class Bench {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly person: Person;
  readonly api: MockApi;
  readonly program: string;
  readonly plugin: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly #network: Network;
  readonly #ownMounts: boolean;

  private constructor(
    base: string,
    person: Person,
    api: MockApi,
    network: Network,
    plugin: string | null,
    options: BenchOptions,
  ) {
    this.base = base;
    this.home = path.join(base, 'home');
    this.project = path.join(this.home, 'project');
    this.person = person;
    this.api = api;
    this.program = clientFor(person);
    this.plugin = plugin;
    this.#network = network;
    this.#ownMounts = options.mounts === true;
    this.env = {
      HOME: this.home,
      USER: person.name,
      LOGNAME: person.name,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${network.port}`,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_UPDATES: '1',
      ...options.env,
    };
  }

  static async open(options: BenchOptions = {}): Promise<Bench> {
    const person = options.person ?? ordinaryPerson();
    // First what can fail: nothing is left behind then.
    const plugin = options.plugin === undefined ? await pluginTree() : options.plugin;
    // Below the real home: /tmp is the host's in the sandbox, and a project there is a case of its own.
    const outer = mkdtempSync(path.join(person.home, 'trai-client-'));
    const base = options.dir === undefined ? outer : path.join(outer, options.dir);
    mkdirSync(path.join(base, 'home/project'), { recursive: true });
    const api = new MockApi(options.scenarios ?? {}, path.join(base, 'home/project'));
    const socket = path.join(outer, 'api.sock');
    await api.listen(socket);
    const network = await Network.open(socket, options.mounts);
    const bench = new Bench(base, person, api, network, plugin, options);
    bench.write('.claude.json', JSON.stringify(clientState(bench.project)));
    bench.write('.claude/settings.json', JSON.stringify(options.settings ?? {}));
    for (const dir of [outer, base, bench.home, bench.project, path.join(bench.home, '.claude')])
      bench.#own(dir);
    return bench;
  }

  /** Writes a file below home (relative) or anywhere (absolute), owned by the user. */
  write(name: string, content: string): string {
    const file = path.resolve(this.home, name);
    const made = mkdirSync(path.dirname(file), { recursive: true });
    if (made !== undefined) this.#own(made);
    this.#own(path.dirname(file));
    writeFileSync(file, content);
    this.#own(file);
    return file;
  }

  get state(): string {
    return this.env['TRAI_STATE_HOME'] ?? path.join(this.home, '.local/state/trai');
  }

  /** Text of a file of the project, or null. */
  read(name: string): string | null {
    const file = this.seen(path.resolve(this.project, name));
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** Runs `claude -p SCENARIO:name` and reads its stream. */
  async claude(prompt: string, options: RunOptions = {}): Promise<ClaudeRun> {
    const plugin = this.plugin === null ? [] : ['--plugin-dir', this.plugin];
    const args = [
      '-p',
      prompt,
      ...plugin,
      '--output-format',
      'stream-json',
      '--verbose',
      ...(options.args ?? []),
    ];
    return parseRun(await this.exec([this.program, ...args], options));
  }

  /** Runs a shell text as the user, in the same network. */
  sh(text: string, options: RunOptions & { words?: readonly string[] } = {}): Promise<ShellRun> {
    return this.exec(['bash', '-c', text, ...(options.words ?? [])], options);
  }

  /** The words that start `argv` as the user, with the client's environment. */
  argv(argv: readonly string[], env: Readonly<Record<string, string>> = {}): string[] {
    const variables = Object.entries({ ...this.env, ...env }).map(([name, value]) => `${name}=${value}`);
    return [...this.#network.enter(this.person), ...variables, ...argv];
  }

  async exec(argv: readonly string[], options: RunOptions = {}): Promise<ShellRun> {
    const cwd = options.cwd ?? this.project;
    // Entering other mounts puts a process at their root.
    const [program = '', ...args] = this.argv(
      this.#ownMounts ? ['env', '-C', cwd, ...argv] : argv,
      options.env,
    );
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? -1)));
    return { code, out, err };
  }

  /** Ids of the sessions in the state directory. */
  sessions(): string[] {
    const dir = this.seen(path.join(this.state, 'sessions'));
    return existsSync(dir) ? readdirSync(dir).sort() : [];
  }

  /** The events of a session's log, in order. */
  log(session = this.sessions()[0] ?? ''): Record<string, unknown>[] {
    const file = this.seen(path.join(this.state, 'sessions', session, 'calls.jsonl'));
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Text of a pending file with this name, wherever it lies in any session's overlay; null when there is none. */
  async pending(name: string): Promise<string | null> {
    const found = await this.sh(`find "$0"/sessions/*/overlay/ -path '*/u/*' -name "$1" -type f`, {
      words: [this.state, name],
    });
    const [file] = found.out.split('\n');
    // It may have gone since it was found.
    return file === undefined || file === '' ? null : orNull(() => readFileSync(this.seen(file), 'utf8'));
  }

  /** Where this process finds what the user's processes call `file`. */
  seen(file: string): string {
    return this.#network.seen(file);
  }

  /** Mounts something where only this bench sees it (see `mounts`); `words` are those of mount(8). */
  mount(...words: string[]): void {
    this.#asRoot('mount', ...words);
  }

  unmount(dir: string): void {
    this.#asRoot('umount', dir);
  }

  #asRoot(...words: string[]): void {
    const [program = '', ...args] = [...this.#network.enterAsRoot(), ...words];
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** Waits until `holds`; fails with what `shown` gives when that takes longer than a minute. */
  async until(holds: () => boolean | Promise<boolean>, shown: () => string = () => ''): Promise<void> {
    const until = Date.now() + 60_000;
    while (!(await holds())) {
      if (Date.now() > until) throw new Error(`waited in vain.\n${shown()}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  processes(): number[] {
    return this.#network.processes();
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.api.close();
    const outer =
      path.dirname(path.join(this.base, '.')) === this.person.home ? this.base : path.dirname(this.base);
    // Work directories of an overlay have mode 000.
    await new Promise((resolve) =>
      spawn('chmod', ['-R', 'u+rwX', outer], { stdio: 'ignore' }).on('close', resolve),
    );
    rmSync(outer, { recursive: true, force: true });
  }

  /** Gives a directory and all below it to the user. */
  own(dir: string): void {
    if (process.getuid?.() !== 0) return;
    this.#own(dir);
    for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
      this.#own(path.join(dir, entry));
  }

  #own(file: string): void {
    if (process.getuid?.() === 0) lchownSync(file, this.person.uid, this.person.gid);
  }
}

/** What the client would have asked at its first start. */
function clientState(project: string): Record<string, unknown> {
  return {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['dummy'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, allowedTools: [] } },
  };
}
