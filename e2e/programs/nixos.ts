import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lchownSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ordinaryPerson, type Person } from '../client/person.ts';
import { copyTree, pluginTree } from '../client/plugin-tree.ts';
import type { Ran } from './machine.ts';

const NEEDED = ['patchelf', 'bwrap', 'newuidmap', 'newgidmap', 'pivot_root'];
/** Of alice; with all other numbers of root's range around. */
const [UID, GID] = [1000, 100];
const NUMBERS = 65_000;
/** No step takes a tenth of it on a quiet machine. */
const LIMIT_MS = 120_000;
const SYSTEM = '/run/current-system/sw/bin';

/** A root like NixOS's (nixos-root.sh), and in it a user who has the plugin in her home. Its processes end with this one. */
export class NixosRoot {
  readonly #person: Person;
  readonly #base: string;
  readonly #holder: ChildProcess;
  /** The first of its processes. */
  readonly #pid: string;

  private constructor(person: Person, base: string, holder: ChildProcess, pid: string) {
    this.#person = person;
    this.#base = base;
    this.#holder = holder;
    this.#pid = pid;
  }

  /** Why there can be none on this machine; null: there can. */
  static missing(): string | null {
    const person = ordinaryPerson();
    const dirs = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
    const program = NEEDED.find((name) => !dirs.some((dir) => existsSync(path.join(dir, name))));
    if (program !== undefined) return `${program} is not installed`;
    const lacks = ['/etc/subuid', '/etc/subgid'].find((file) => firstNumber(file, person) === null);
    return lacks === undefined ? null : `${lacks} gives ${person.name} no ${NUMBERS} numbers`;
  }

  /** @throws when it cannot be made; the text says how far it came. */
  static async open(): Promise<NixosRoot> {
    const person = ordinaryPerson();
    const base = mkdtempSync(path.join(realpathSync(person.home), 'trai-n-'));
    for (const name of ['at', 'home']) mkdirSync(path.join(base, name));
    copyTree(await pluginTree(), path.join(base, 'home/plugin'));
    mkdirSync(path.join(base, 'home/p'));
    give(person, base);
    // Its own number is that of the outer process table, which is not yet another.
    const script = 'read -r pid _ </proc/self/stat && echo "$pid" && read -r _';
    const words = ['unshare', '--user', '--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', script];
    const [program = '', ...args] = [...identity(person), ...words];
    const holder = spawn(program, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(holder.stdout, 'data');
    const root = new NixosRoot(person, base, holder, String(line).trim());
    try {
      root.#map('newuidmap', '/etc/subuid', UID, person.uid);
      root.#map('newgidmap', '/etc/subgid', GID, person.gid);
      const script = path.join(import.meta.dirname, 'nixos-root.sh');
      const env = { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
      root.#must(root.#enter(['bash', '-c', readFileSync(script, 'utf8'), script, ...root.#places()]), env);
    } catch (error) {
      await root.close();
      throw error;
    }
    return root;
  }

  /** Runs a bash text as alice, in her project. */
  run(text: string): Ran {
    const ids = [`--reuid=${UID}`, `--regid=${GID}`, `--groups=${GID},2000`, '--inh-caps=-all'];
    const variables = {
      HOME: '/home/alice',
      USER: 'alice',
      LOGNAME: 'alice',
      SHELL: `${SYSTEM}/bash`,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      GIT_TEMPLATE_DIR: '',
      PATH: `/home/alice/.nix-profile/bin:/run/wrappers/bin:${SYSTEM}:/home/alice/plugin/bin`,
    };
    const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const within = `cd ~/p && ${text}`;
    return ran(
      this.#enter([`${SYSTEM}/setpriv`, ...ids, `${SYSTEM}/env`, '-i', ...words, 'bash', '-c', within]),
    );
  }

  /** As root of it. */
  change(text: string): void {
    this.#must(this.#enter([`${SYSTEM}/bash`, '-c', `PATH=${SYSTEM}; ${text}`]));
  }

  async close(): Promise<void> {
    const ended = once(this.#holder, 'close');
    this.#holder.stdin?.end();
    this.#holder.stdout?.resume();
    await ended;
    // Work directories of an overlay have mode 000.
    spawnSync('chmod', ['-R', 'u+rwX', this.#base]);
    rmSync(this.#base, { recursive: true, force: true });
  }

  #places(): string[] {
    return [path.join(this.#base, 'at'), path.join(this.#base, 'home'), process.execPath];
  }

  #enter(words: readonly string[]): string[] {
    const namespaces = ['--user', '--mount', '--pid'];
    return [...identity(this.#person), 'nsenter', '--target', this.#pid, ...namespaces, ...words];
  }

  /** The person's own number becomes `own`; root and all others are of the range. */
  #map(program: string, file: string, own: number, outer: number): void {
    const first = firstNumber(file, this.#person) ?? 0;
    const map = [0, first, own, own, outer, 1, own + 1, first + own, NUMBERS - own];
    this.#must([...identity(this.#person), program, this.#pid, ...map.map(String)]);
  }

  #must(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
    const { status, stdout, stderr } = ran(argv, env);
    if (status !== 0)
      throw new Error(`${argv.join(' ').slice(0, 500)}: exit status ${status}\n${stderr}${stdout}`);
  }
}

function ran([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = process.env): Ran {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return { status: status ?? -1, stdout, stderr, ms: performance.now() - started };
}

/** The words that start something as the person. */
function identity({ uid, gid }: Person): string[] {
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** Of a range in subuid(5) that is large enough. */
function firstNumber(file: string, { name, uid }: Person): number | null {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const ranges = lines.map((line) => line.split(':'));
  const range = ranges.find(
    ([who, , count]) => [name, String(uid)].includes(who ?? '') && Number(count) >= NUMBERS,
  );
  return range === undefined ? null : Number(range[1]);
}

function give({ uid, gid }: Person, dir: string): void {
  if (process.getuid?.() !== 0) return;
  lchownSync(dir, uid, gid);
  spawnSync('chown', ['-R', `${uid}:${gid}`, dir]);
}
