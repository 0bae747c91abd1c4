/**
 * Credentials of the clients that run in a session (`trai claude`). Each is good for the events and claims of
 * its session, and for nothing else: whatever runs beside that client can read it. Closed when the client has ended.
 */
import { isClientRunning, writeInsideServer } from '../../core/sandbox/client-door.ts';
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
    this.#close((one) => one === session || !this.#isInUse(one));
    this.#doors.set(keyOf(hook), { session, proof });
    writeInsideServer(sessionDir(this.#stateDir, session), { v: 1, ...this.#server(), hook, proof });
  }

  find(token: string): InsideDoor | null {
    return this.#doors.get(keyOf(token)) ?? null;
  }

  /** Whether a client runs in a session. */
  get inUse(): boolean {
    this.#close((session) => !this.#isInUse(session));
    return this.#doors.size > 0;
  }

  #isInUse(session: string): boolean {
    return isClientRunning(sessionDir(this.#stateDir, session));
  }

  #close(isOver: (session: string) => boolean): void {
    for (const [key, { session }] of this.#doors) if (isOver(session)) this.#doors.delete(key);
  }
}

const keyOf = (token: string): string => digest(token).toString('hex');
