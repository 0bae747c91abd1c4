import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Person } from './person.ts';

/**
 * A network namespace with nothing but `lo`, held by a small process that forwards one port to the mock API's socket.
 * Nothing that a test starts can leave the machine, and everything it started is found again by its namespace. With
 * `mounts` (root only) it has mounts of its own too, which nobody else on the machine sees.
 */
export class Network {
  readonly port: number;
  readonly #holder: ChildProcess;
  readonly #pid: number;
  readonly #id: string;
  readonly #mounts: boolean;

  private constructor(holder: ChildProcess, pid: number, port: number, mounts: boolean) {
    this.#holder = holder;
    this.#mounts = mounts;
    this.#pid = pid;
    this.port = port;
    this.#id = readlinkSync(`/proc/${pid}/ns/net`);
  }

  static async open(socket: string, mounts = false): Promise<Network> {
    const forward = path.join(import.meta.dirname, 'forward.mjs');
    const script = 'ip link set lo up && exec "$0" "$@"';
    // Only root makes a network namespace without a user namespace around it.
    const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps'];
    const holder = spawn(
      'unshare',
      [
        ...user,
        '--net',
        ...(mounts ? ['--mount'] : []),
        'sh',
        '-c',
        script,
        process.execPath,
        forward,
        socket,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    if (holder.pid === undefined || holder.stdout === null) throw new Error('unshare could not be started.');
    const lines = createInterface({ input: holder.stdout });
    const line = await Promise.race([once(lines, 'line'), once(holder, 'exit').then(() => null)]);
    if (line === null) throw new Error('no network namespace: unshare --net or ip link failed.');
    return new Network(holder, holder.pid, Number(line[0]), mounts);
  }

  /** The words before a command that make it run in this namespace as that user, with no environment. */
  enter(person: Person): string[] {
    const ns = `/proc/${this.#pid}/ns`;
    if (process.getuid?.() !== 0) {
      return ['nsenter', `--user=${ns}/user`, '--preserve-credentials', `--net=${ns}/net`, 'env', '-i'];
    }
    const ids = ['--reuid', String(person.uid), '--regid', String(person.gid), '--clear-groups'];
    return [...this.enterAsRoot(), 'setpriv', ...ids, 'env', '-i'];
  }

  /** The same as the root that runs the tests, with its environment; the working directory is `/` where mounts are its own. */
  enterAsRoot(): string[] {
    const ns = `/proc/${this.#pid}/ns`;
    return ['nsenter', `--net=${ns}/net`, ...(this.#mounts ? [`--mount=${ns}/mnt`] : [])];
  }

  /** Where this process finds a file that the processes of the namespace call `file`. */
  seen(file: string): string {
    return this.#mounts ? `/proc/${this.#pid}/root${file}` : file;
  }

  /** Pids of everything that lives in the namespace, the holder left out. */
  processes(): number[] {
    const pids = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== this.#pid);
    return pids.filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/ns/net`) === this.#id;
      } catch {
        return false;
      }
    });
  }

  /** Ends everything in the namespace, then the namespace. */
  async close(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      for (const pid of this.processes()) {
        try {
          process.kill(pid, signal);
        } catch {
          // Gone already.
        }
      }
      for (let tries = 0; tries < 20 && this.processes().length > 0; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    const gone = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await gone;
  }
}
