/**
 * The FIFO of a box with `--net list`, at which bwrap waits (argv.ts), so that nothing runs in the box before the server listens
 * in its network namespace. bwrap notes the number of the first process, which the server needs for that, in its status.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { messageOf, TraiError } from '../../shared/errors.ts';
import { orNull } from '../kernel/fs/port.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { programPath } from '../kernel/programs.ts';
import { run } from '../kernel/run.ts';
import { noGate, noNetwork } from './messages/errors.ts';
import { gateOf } from './start-files.ts';

/** Errors: `not-entered`. @param status bwrap's, as below */
export async function makeGate(status: string): Promise<void> {
  const path = gateOf(status);
  rmSync(path, { force: true });
  const made = await run(programPath('mkfifo'), ['-m', '600', path]);
  if (made.status !== 0) throw noGate(made.stderr.trim());
}

export interface Gate {
  /** Lets the box begin. */
  open(): void;
  /** Once. */
  close(): void;
}

/** For writing, as bwrap waits for somebody who opens it so. Null: there is none, or it was opened before. */
export function holdGate(status: string): Gate | null {
  const path = gateOf(status);
  const fd = orNull(() => openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  if (fd === null) return null;
  if (!fstatSync(fd).isFIFO()) {
    closeSync(fd);
    return null;
  }
  return {
    open: () => {
      writeSync(fd, 'x');
      rmSync(path, { force: true });
    },
    close: () => closeSync(fd),
  };
}

const LOOK_MS = 10;

/** The first process in the box, once bwrap has noted it. Null: `ended` came before. */
export async function firstProcess(status: string, ended: () => boolean): Promise<number | null> {
  while (!ended()) {
    // What follows shows that the number is whole.
    const text = orNull(() => readFileSync(status, 'latin1')) ?? '';
    const found = /"child-pid": (\d+)[\s,}]/.exec(text)?.[1];
    if (found !== undefined) return Number(found);
    await setTimeout(LOOK_MS);
  }
  return null;
}

/** Ends a box whose network could not be opened, by its first process. Returns the error to throw: `not-entered`. */
export function endUnopened(pid: number, start: string | undefined, why: unknown): TraiError {
  // It may have ended while a server was started, and another process have its number.
  if (processStat(pid)?.start === start) orNull(() => process.kill(pid, 'SIGKILL'));
  return noNetwork(messageOf(why), why instanceof TraiError ? why.hint : undefined);
}
