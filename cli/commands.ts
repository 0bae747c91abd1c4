/** The table of commands: parsing, help and dispatch come from it. */
import { adopt } from './commands/adopt.ts';
import { commit } from './commands/commit.ts';
import { diff } from './commands/diff.ts';
import { discard } from './commands/discard.ts';
import { doctor } from './commands/doctor.ts';
import { exec, explore } from './commands/exec.ts';
import { exportCommand } from './commands/export.ts';
import { gc } from './commands/gc.ts';
import { log } from './commands/log.ts';
import { passthrough } from './commands/passthrough.ts';
import { ps } from './commands/ps.ts';
import { sessions } from './commands/sessions.ts';
import { status } from './commands/status.ts';
import { ui } from './commands/ui.ts';
import { undo } from './commands/undo.ts';
import { why, whyHost } from './commands/why.ts';
import type { Command } from './context/read-args.ts';

export const COMMANDS: readonly Command[] = [
  status,
  diff,
  log,
  commit,
  discard,
  undo,
  exportCommand,
  adopt,
  exec,
  explore,
  ps,
  why,
  whyHost,
  sessions,
  gc,
  passthrough,
  ui,
  doctor,
];

export function helpText(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  return [
    'trai: what Claude’s Bash calls write stays pending until you commit it.',
    '',
    ...COMMANDS.map((command) => `  trai ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    '`trai COMMAND --help` shows its options. Commands about a session take --session ID',
    '(default: this project’s newest); all but exec and explore take --json.',
    'Exit status: 0 done, 1 refused or failed, 2 bad usage; exec: the command’s own,',
    '125 = nothing ran.',
  ].join('\n');
}
