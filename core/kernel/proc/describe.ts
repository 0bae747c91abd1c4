/** What a person reads about a process. */
import { readFileSync } from 'node:fs';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';

/** Unit of times in /proc/PID/stat: USER_HZ, which is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
const MOST_CHARACTERS = 200;
/** How the line in the client's env file ends (hooks/lib/env-line.sh), as it is and as `launch` hands it on. */
const ENV_LINE_END = /; fi(?:; :)? '?# trai:/;

/**
 * The command line in one line, at most 200 characters. A program may call itself what it likes: nothing in it is left
 * that a terminal would obey or that turns the text around.
 *
 * @param argv byte strings
 * @param name the kernel's name for it, a byte string: shown when it has no arguments
 */
export function commandLine(argv: readonly string[], name: string): string {
  // The shell of a call of the client's: its text begins with the client's own set-up and our env line.
  const isCall = argv[1] === '-c' && ENV_LINE_END.test(argv[2] ?? '');
  const words = (isCall ? `${argv[0]} -c (the call itself)` : argv.join(' ')).trim();
  // toDisplay doubles backslashes, so that two names never read the same; here they would only be in the way.
  const text = toDisplay((words === '' ? `[${name}]` : words) as BytePath).replaceAll('\\\\', '\\');
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

/** Seconds since the process began. (The times of /proc/PID itself say when somebody first looked at it.) */
export function ageSeconds(start: string): number {
  return Math.max(0, Math.round(uptime() - Number(start) / TICKS_PER_SECOND));
}

/** When it began by the wall clock as it is set now, milliseconds since 1970; as exact as the kernel's ticks, 10 ms. */
export function startedMs(start: string): number {
  return Math.round(Date.now() - 1000 * (uptime() - Number(start) / TICKS_PER_SECOND));
}

/** Seconds since boot, the time of sleep included, as start times count. */
function uptime(): number {
  return Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
}
