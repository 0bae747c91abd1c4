/**
 * Bounds the time of patterns. A pattern can backtrack for ever on a hostile text, and no cheap look at a pattern proves
 * that it cannot (even `\s+$` takes the square of the text's length), so all matching of a decision runs below one
 * watchdog, which V8 asks while a regular expression backtracks. Starting it takes about 60 µs.
 *
 * After an interruption the work is repeated without the pattern that held it up.
 */
import { Script } from 'node:vm';
import { errorCode } from '../../kernel/fs/port.ts';
import type { Pattern } from '../model/pattern.ts';

/** A pattern that is interrupted after so long is slow (ms, of processor time too: the machine may be busy). */
export const PATTERN_MS = 50;
const SLOW_MS = PATTERN_MS / 2;
/** Of a decision in all, of the clock's time and of processor time; what is not matched by then counts as slow. */
const MOST_MS = 1_000;
/** As many patterns may be slow before the rest counts as slow too. */
const MOST_SLOW = 2;

const ENTRY = Symbol.for('trai.rules.guarded');
const script = new Script(`globalThis[Symbol.for('trai.rules.guarded')]()`);

/** One decision's matching. */
export class Guard {
  private readonly slow = new Map<object, Set<string>>();
  private count = 0;
  private running: { what: object; text: string; since: number } | null = null;
  private isSpent = false;

  /** `work` may be repeated, and must change nothing outside of itself. */
  run<T>(work: () => T): T {
    const started = performance.now();
    const usage = process.cpuUsage();
    for (let limit = PATTERN_MS; ; ) {
      const spent = Math.min(performance.now() - started, processorMs(usage));
      this.isSpent = this.count >= MOST_SLOW || spent > MOST_MS;
      // Nothing is matched any more.
      if (this.isSpent) return work();
      const before = process.cpuUsage();
      try {
        return interruptible(work, limit);
      } catch (error) {
        if (errorCode(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        if (processorMs(before) >= SLOW_MS && this.noteSlow()) continue;
        // Many patterns on a long text, or another process had the processor.
        limit *= 2;
      }
    }
  }

  /** Null = it took too long. */
  test(pattern: Pattern, text: string): boolean | null {
    const { literals, atStart, regexp } = pattern;
    const isThere = (one: string) => (atStart ? text.startsWith(one) : text.includes(one));
    if (literals.length > 0 && !literals.some(isThere)) return false;
    return this.watch(pattern, text, () => regexp.test(text));
  }

  /** Null = it took too long. @param what is slow then, on this text */
  watch<T>(what: object, text: string, match: () => T): T | null {
    if (this.isSpent || this.slow.get(what)?.has(text) === true) return null;
    this.running = { what, text, since: performance.now() };
    const found = match();
    this.running = null;
    return found;
  }

  private noteSlow(): boolean {
    if (this.running === null || performance.now() - this.running.since < SLOW_MS) return false;
    const { what, text } = this.running;
    this.slow.set(what, (this.slow.get(what) ?? new Set()).add(text));
    this.count += 1;
    return true;
  }
}

function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** @throws what `work` throws, or an error with the code ERR_SCRIPT_EXECUTION_TIMEOUT */
function interruptible<T>(work: () => T, timeout: number): T {
  const results: T[] = [];
  Reflect.set(globalThis, ENTRY, () => {
    results.push(work());
  });
  try {
    script.runInThisContext({ timeout });
  } finally {
    Reflect.deleteProperty(globalThis, ENTRY);
  }
  const [result] = results;
  return result === undefined ? work() : result;
}
