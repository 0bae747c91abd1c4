/** The program as a user has it, with a home, a state directory and a project. For tests. */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { mountSource } from '../core/sandbox/context.ts';
import { endProcesses } from '../core/sandbox/live.ts';
import { copyPlugin } from './built.ts';
import { removeTree } from './remove-tree.ts';

export interface Result {
  rc: number | null;
  out: string;
  err: string;
}

/**
 * For the top of a test file: builds the program, and gives each test a `Place`.
 * @param parent where its directories are made; default: among temporary ones, which are not covered
 */
export function eachInAPlace(use: (place: Place) => void, parent?: string): void {
  let built: Built | undefined;
  let place: Place;
  beforeAll(async () => {
    built = await builtProgram();
  }, 120_000);
  afterAll(() => built?.remove());
  beforeEach(() => {
    if (built === undefined) throw new Error('the program was not built');
    place = new Place(built.tree, parent);
    use(place);
  });
  afterEach(async () => await place.close());
}

/** A shell line that leaves a `sleep` running, and goes on when the process has that name. */
export const leaving = (seconds: number): string =>
  `setsid sleep ${seconds} </dev/null >/dev/null 2>&1 & until grep -q ^sleep /proc/$!/cmdline; do sleep 0.01; done`;

interface Built {
  tree: string;
  /** Removes the scratch directory. */
  remove: () => void;
}

/** A built plugin. When the build fails, only its scratch directory is removed. */
export async function builtProgram(build: (tree: string) => Promise<unknown> = copyPlugin): Promise<Built> {
  const dir = mkdtempSync(join(tmpdir(), 'trai-cli-'));
  const remove = () => void spawnSync('rm', ['-rf', dir]);
  try {
    chmodSync(dir, 0o755);
    await build(join(dir, 'plugin'));
  } catch (error) {
    remove();
    throw error;
  }
  return { tree: join(dir, 'plugin'), remove };
}

/** A user's directories, and `trai` run in them. */
export class Place {
  readonly base: string;
  readonly state: string;
  readonly project: string;
  readonly #tree: string;
  readonly #sessions = new Set<string>();

  constructor(tree: string, parent = tmpdir()) {
    this.#tree = tree;
    this.base = realpathSync(mkdtempSync(join(parent, 'trai-cli-')));
    this.state = join(this.base, 'state');
    this.project = join(this.base, 'project');
    mkdirSync(join(this.base, 'home'));
    mkdirSync(this.project);
  }

  trai(args: readonly string[], env: NodeJS.ProcessEnv = {}): Result {
    const { status, stdout, stderr } = spawnSync('bash', [this.program, ...args], {
      cwd: this.project,
      env: this.#env(env),
      encoding: 'utf8',
      timeout: 120_000,
    });
    return { rc: status, out: stdout, err: stderr };
  }

  /** With an output whose reader has left, or that is full. */
  traiTo(output: 'closed' | 'full', args: readonly string[]): Result {
    // The reader leaves before the program starts.
    const open = output === 'full' ? 'exec 3> /dev/full' : 'exec 3> >(:); wait $!';
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `${open}; exec bash "$0" "$@" >&3 3>&-`, join(this.#tree, 'bin/trai'), ...args],
      { cwd: this.project, env: this.#env({}), encoding: 'utf8', timeout: 120_000 },
    );
    return { rc: status, out: stdout, err: stderr };
  }

  /** Starts it in a process group of its own, as a terminal does. */
  start(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    return spawn('bash', [this.program, ...args], {
      cwd: this.project,
      env: this.#env({}),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }

  /** `bin/trai`, and the environment that `trai` gives it. */
  get program(): string {
    return join(this.#tree, 'bin/trai');
  }
  get env(): NodeJS.ProcessEnv {
    return this.#env({});
  }

  #env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return {
      // The runner's PATH may have directories that this user cannot search: a shell exits with 126.
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: join(this.base, 'home'),
      TRAI_STATE_HOME: this.state,
      TERM: 'dumb',
      ...more,
    };
  }

  /** Runs a shell line on the host, in the project. Throws when it fails. */
  onHost(line: string): string {
    return execFileSync('sh', ['-c', line], { cwd: this.project, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Runs a shell script in a session through `trai exec`. */
  sh(script: string, session = 's', env: NodeJS.ProcessEnv = {}): Result {
    this.#sessions.add(session);
    return this.trai(['exec', '--session', session, '--', 'sh', '-c', script], env);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) await endProcesses(mountSource(this.state, session));
    removeTree(this.base);
  }
}
