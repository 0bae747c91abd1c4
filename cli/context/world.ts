/**
 * What every command gets: directory, environment, state directory, style and output (`Cli`). Around it: arguments
 * (command.ts), the session (session.ts), the permit (permit.ts), the server (server-process.ts), the
 * launcher for exec and explore (launcher.ts), output and Ctrl-C (output.ts).
 */
import { isInsideSandbox, stateDir } from '../../core/session/dirs.ts';
import { TraiError } from '../../shared/errors.ts';
import { COLOURED, PLAIN, type Style } from '../../shared/terminal/text.ts';
import { visible, visibleJson } from '../../shared/terminal/visible.ts';
import type { Sink } from './output.ts';

export interface Cli {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly state: string;
  /** The plugin's folder (bin/trai sets TRAI_ROOT). */
  readonly root: string;
  readonly json: boolean;
  readonly style: Style;
  /** --session, or null. */
  readonly session: string | null;
  /** How the user gives a command of ours where this text is read: `/trai:undo`, or `trai undo`. */
  own(name: string): string;
  /** Prints a result: `value` with --json, `text` for people. */
  print(text: string, value: unknown): void;
  /** A remark for people, on stderr; not with --json. */
  remark(text: string): void;
}

export function makeCli(
  options: { json: boolean; session: string | null; fromPrompt: boolean },
  sink: Sink,
): Cli {
  const env = process.env;
  const state = stateDir(env);
  if (isInsideSandbox(state)) {
    throw new TraiError(
      'inside-sandbox',
      'this runs inside a sandboxed call, where trai’s own state is hidden',
      {
        hint: 'Ask the user: they can type the /trai: command, or run trai in a terminal of their own.',
      },
    );
  }
  const coloured = process.stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return {
    env,
    cwd: process.cwd(),
    state,
    root: env['TRAI_ROOT'] ?? '',
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
