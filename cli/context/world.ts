/** What every command gets: directory, environment, state directory, style and output (`Cli`). */
import { realPath } from '../../core/kernel/fs/port.ts';
import { isInsideSandbox, stateDir } from '../../core/session/dirs.ts';
import { stateHidden } from '../../core/session/messages/errors.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { COLOURED, PLAIN, type Style } from '../../shared/terminal/text.ts';
import { visible, visibleJson } from '../../shared/terminal/visible.ts';
import type { Sink } from './output.ts';

export interface Cli {
  readonly env: NodeJS.ProcessEnv;
  /** As text, to be shown: it leads nowhere when a name in it is not UTF-8. */
  readonly cwd: string;
  readonly dir: BytePath;
  readonly state: string;
  /** The plugin's folder (bin/trai sets TRAI_ROOT). */
  readonly root: string;
  /** At which `bin/trai` waits to be told what client to start (waiter.ts); null: it does not. */
  readonly startFd: number | null;
  readonly json: boolean;
  readonly style: Style;
  readonly session: string | null;
  /** A command of trai as the reader types it: `/trai:undo`, or `trai undo`. */
  own(name: string): string;
  /** Prints `value` with --json, else `text`. */
  print(text: string, value: unknown): void;
  /** On stderr; not with --json. */
  remark(text: string): void;
}

export function makeCli(
  options: { json: boolean; session: string | null; fromPrompt: boolean; startFd: number | null },
  sink: Sink,
): Cli {
  const env = process.env;
  const state = stateDir(env);
  if (isInsideSandbox(state)) throw stateHidden();
  const coloured = process.stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return {
    env,
    cwd: process.cwd(),
    dir: realPath('.' as BytePath),
    state,
    root: env['TRAI_ROOT'] ?? '',
    startFd: options.startFd,
    json: options.json,
    style: coloured ? COLOURED : PLAIN,
    session: options.session,
    own: (name) => `${options.fromPrompt ? '/trai:' : 'trai '}${name}`,
    print(text, value) {
      if (options.json) sink.out(`${visibleJson(JSON.stringify(value))}\n`);
      else if (text !== '') sink.out(`${visible(text, coloured)}\n`);
    },
    remark(text) {
      if (!options.json) sink.err(`${visible(text, coloured)}\n`);
    },
  };
}
