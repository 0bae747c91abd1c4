/**
 * Credentials of the clients that run in a session (`trai claude`). Each is good for the events and claims of
 * its session, and for nothing else: whatever runs beside that client can read it.
 */
import { writeInsideServer } from '../../core/sandbox/client-door.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import type { ServerFile } from '../../core/session/server-file.ts';
import { digest, newSecret } from './secret.ts';

export interface InsideDoor {
  session: string;
  /** What this server proves itself with to that session's processes. */
  proof: string;
}

export class InsideDoors {
  readonly #stateDir: string;
  readonly #server: () => Pick<ServerFile, 'pid' | 'port' | 'version'>;
  /** By the digest of the credential: a look-up tells nothing of one by its time. */
  readonly #doors = new Map<string, InsideDoor>();

  constructor(stateDir: string, server: () => Pick<ServerFile, 'pid' | 'port' | 'version'>) {
    this.#stateDir = stateDir;
    this.#server = server;
  }

  /** Replaces an earlier credential of the session. */
  open(session: string): void {
    const [hook, proof] = [newSecret(), newSecret()];
    for (const [key, door] of this.#doors) if (door.session === session) this.#doors.delete(key);
    this.#doors.set(keyOf(hook), { session, proof });
    writeInsideServer(sessionDir(this.#stateDir, session), { v: 1, ...this.#server(), hook, proof });
  }

  find(token: string): InsideDoor | null {
    return this.#doors.get(keyOf(token)) ?? null;
  }

  sessions(): string[] {
    return [...this.#doors.values()].map(({ session }) => session);
  }
}

const keyOf = (token: string): string => digest(token).toString('hex');
