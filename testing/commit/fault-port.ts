/** Test only: an `FsPort` that fails or dies at the n-th call, and counts the calls. */
import { type FsPort, nodePort } from '../../core/kernel/fs/port.ts';

/** Thrown by every call after "death": nothing more reaches the disk, as after kill -9. */
export class Died extends Error {
  override readonly name = 'Died';
}

export type Fault = 'die' | 'ENOSPC' | 'EIO' | 'EACCES' | 'EROFS' | 'EBUSY' | 'EXDEV';

/** Calls that change nothing: death at one leaves the disk as death at the next change does. */
const READS: ReadonlySet<keyof FsPort> = new Set([
  ...(['lstat', 'fstat', 'openDir', 'openEntry', 'openRead', 'close', 'readdir', 'readlink'] as const),
  ...(['readText', 'fsync', 'xattrsOf', 'askXattrs', 'xattrs', 'writable', 'space'] as const),
]);

const METHODS = Object.keys(nodePort).filter((name): name is keyof FsPort => name in nodePort);

export class FaultPort {
  readonly port: FsPort;
  /** How often each method was called: the coverage of an enumeration. */
  readonly calls = new Map<string, number>();
  #count = 0;
  #dead = false;
  /** The method that the fault hit, null when the run had fewer calls. */
  hit: string | null = null;
  readonly #open = new Set<number>();
  readonly #failAt: number;
  readonly #fault: Fault;

  readonly #onHit: () => void;
  readonly #only: keyof FsPort | 'changes' | null;

  /**
   * `failAt` counts from 1; 0 = never, which counts the calls.
   * @param onHit called at that moment, before the fault: a test may kill the whole process there
   * @param only the one method whose calls count, or all that may change something
   */
  constructor(
    failAt = 0,
    fault: Fault = 'die',
    onHit: () => void = () => {},
    only: keyof FsPort | 'changes' | null = null,
  ) {
    this.#only = only;
    this.#onHit = onHit;
    this.#failAt = failAt;
    this.#fault = fault;
    const port: Partial<Record<keyof FsPort, unknown>> = {};
    for (const method of METHODS) port[method] = (...args: unknown[]) => this.#call(method, args);
    this.port = port as unknown as FsPort;
  }

  /** `die` counts only changing calls, which covers death at the calls before them; `error` counts all. */
  static at(n: number, fault: Fault): FaultPort {
    return new FaultPort(n, fault, () => {}, fault === 'die' ? 'changes' : null);
  }

  get count(): number {
    return this.#count;
  }

  /** Closes descriptors left open by a "dead" run. */
  dispose(): void {
    for (const fd of this.#open) nodePort.close(fd);
    this.#open.clear();
  }

  #call(method: keyof FsPort, args: unknown[]): unknown {
    // close(2) frees the descriptor even on an error: failing it would only leak.
    if (method !== 'close') this.#step(method);
    const work = nodePort[method] as (...given: unknown[]) => unknown;
    if (method === 'close') {
      if (!this.#open.delete(Number(args[0]))) return undefined;
      return work(...args);
    }
    const result = work(...args);
    if (method.startsWith('open') && typeof result === 'number') this.#open.add(result);
    return result;
  }

  #step(method: keyof FsPort): void {
    if (this.#dead) throw new Died(method);
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    if (this.#only === 'changes' ? READS.has(method) : this.#only !== null && method !== this.#only) return;
    this.#count++;
    if (this.#count !== this.#failAt) return;
    this.hit = method;
    this.#onHit();
    if (this.#fault === 'die') {
      this.#dead = true;
      throw new Died(method);
    }
    throw Object.assign(new Error(`${this.#fault}: injected into ${method}`), { code: this.#fault });
  }
}
