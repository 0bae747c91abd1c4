/**
 * sessions/ID/network.json: the hosts that boxes of the session asked for with `--net list`, whether they were let through,
 * and how much went each way. The server writes it whole, a second after something changed at the latest.
 */
import { join } from 'node:path';
import { isObject } from '../../../shared/json-lines.ts';
import type { BoxHost } from '../../../shared/model/box.ts';
import type { Target } from '../../../shared/network/pattern.ts';
import { readPlainJson, tryWriteWhole } from '../../kernel/fs/state-file.ts';

const WRITE_MS = 1_000;
/** A program can ask for ever new hosts: the oldest that was refused makes room. */
const MOST_HOSTS = 1_000;

const fileIn = (sessionDir: string): string => join(sessionDir, 'network.json');

/** In the order in which they were first asked for. Empty for a session without such a box. */
export function readBoxHosts(sessionDir: string): BoxHost[] {
  const value = readPlainJson(fileIn(sessionDir));
  // Trusted: written into a directory of mode 0700.
  return isObject(value) && value['v'] === 1 && Array.isArray(value['hosts'])
    ? (value['hosts'] as BoxHost[])
    : [];
}

export class NetworkLog {
  readonly #dir: string;
  readonly #hosts = new Map<string, BoxHost>();
  #timer: NodeJS.Timeout | null = null;

  constructor(sessionDir: string) {
    this.#dir = sessionDir;
    // What waited for an answer when the server ended got none.
    for (const one of readBoxHosts(sessionDir))
      this.#hosts.set(keyOf(one), one.state === 'asked' ? { ...one, state: 'refused' } : one);
  }

  /** A connection to it; returns the host, to which `count` adds. @param call the one that runs */
  connected(target: Target, call: () => Promise<string | null>): BoxHost {
    const { host, port } = target;
    const known = this.#hosts.get(keyOf(target));
    const made: BoxHost = known ?? {
      host,
      port,
      state: 'refused',
      connections: 0,
      received: 0,
      sent: 0,
      first: new Date().toISOString(),
      call: null,
    };
    if (known === undefined) {
      this.#add(made);
      void call().then(
        (id) => {
          made.call = id;
          this.#changed();
        },
        // The session has gone.
        () => undefined,
      );
    }
    made.connections++;
    this.#changed();
    return made;
  }

  #add(host: BoxHost): void {
    if (this.#hosts.size >= MOST_HOSTS) {
      const all = [...this.#hosts];
      const [key = ''] = all.find(([, { state }]) => state === 'refused') ?? all[0] ?? [];
      this.#hosts.delete(key);
    }
    this.#hosts.set(keyOf(host), host);
  }

  set(host: BoxHost, state: BoxHost['state']): void {
    host.state = state;
    this.#changed();
  }

  count(host: BoxHost, bytes: { received?: number; sent?: number }): void {
    host.received += bytes.received ?? 0;
    host.sent += bytes.sent ?? 0;
    this.#changed();
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.write(), WRITE_MS).unref();
  }

  /** At once. A full disk loses the record, and nothing else. */
  write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    tryWriteWhole(fileIn(this.#dir), Buffer.from(JSON.stringify({ v: 1, hosts: [...this.#hosts.values()] })));
  }
}

const keyOf = ({ host, port }: Pick<BoxHost, 'host' | 'port'>): string => `${host} ${port}`;
