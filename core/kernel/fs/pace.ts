/** Long synchronous work in slices: system calls are four times faster when they are made synchronously. */
import { setImmediate } from 'node:timers/promises';

/** The event loop is let go this often (ms). */
const SLICE_MS = 20;

/** Gives way to the event loop now and then, so that a commit of 50,000 entries does not freeze the server. */
export class Pace {
  #last = performance.now();

  async breathe(): Promise<void> {
    if (this.isDue) await this.rest();
  }

  get isDue(): boolean {
    return performance.now() - this.#last >= SLICE_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#last = performance.now();
  }
}

/** Runs steps to their end, or until `take` returns true (then true). A null step is a moment to let others run. */
export async function inSlices<T>(steps: Iterable<T | null>, take: (step: T) => boolean): Promise<boolean> {
  const pace = new Pace();
  for (const step of steps) {
    if (step !== null) {
      if (take(step)) return true;
    } else if (pace.isDue) await pace.rest();
  }
  return false;
}

/** Runs steps to their end and returns them. */
export async function collect<T>(steps: Iterable<T | null>): Promise<T[]> {
  const all: T[] = [];
  await inSlices(steps, (step) => {
    all.push(step);
    return false;
  });
  return all;
}

/** Runs a generator to its end, with moments for others, and gives its result. */
export async function resultOf<R>(steps: Generator<null, R>): Promise<R> {
  const pace = new Pace();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isDue) await pace.rest();
  }
}
