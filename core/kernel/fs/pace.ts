/** Long synchronous work in slices: synchronous system calls are four times faster than asynchronous ones. */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 20;

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

/** Runs the steps until `take` returns true (then true). Null steps are points to yield. */
export async function inSlices<T>(steps: Iterable<T | null>, take: (step: T) => boolean): Promise<boolean> {
  const pace = new Pace();
  for (const step of steps) {
    if (step !== null) {
      if (take(step)) return true;
    } else if (pace.isDue) await pace.rest();
  }
  return false;
}

export async function collect<T>(steps: Iterable<T | null>): Promise<T[]> {
  const all: T[] = [];
  await inSlices(steps, (step) => {
    all.push(step);
    return false;
  });
  return all;
}

export async function resultOf<R>(steps: Generator<null, R>): Promise<R> {
  const pace = new Pace();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.isDue) await pace.rest();
  }
}

/** The same without a pause. */
export function resultAtOnce<R>(steps: Iterator<unknown, R>): R {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
