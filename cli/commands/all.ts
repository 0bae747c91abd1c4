import type { Command } from '../context/command.ts';
import { answer } from './answer.ts';
import { box } from './box.ts';
import { claude } from './claude.ts';
import { doctor } from './doctor.ts';
import { exec, explore } from './exec.ts';
import { commit, discard, exportCommand } from './pending.ts';
import { rules } from './rules/rules.ts';
import { passthrough, ps } from './run.ts';
import { adopt, gc, sessions } from './sessions.ts';
import { diff, log, status, why, whyHost } from './show.ts';
import { ui } from './ui.ts';
import { undo } from './undo.ts';

export const COMMANDS: readonly Command[] = [
  ...[status, diff, log],
  ...[commit, discard, undo, exportCommand, adopt],
  ...[claude, box, exec, explore, ps, why, whyHost],
  ...[rules, answer, sessions, gc, passthrough, ui, doctor],
];

export function helpText(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  return [
    'trai: what Claude’s Bash calls write stays pending until you commit it.',
    '',
    ...COMMANDS.map((command) => `  trai ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    '`trai COMMAND --help` shows its options. Commands about a session take --session ID',
    '(default: this project’s newest); all but claude, exec and explore take --json.',
    'Exit status: 0 done, 1 refused or failed, 2 bad usage; exec, claude and box: the command’s own,',
    '125 = nothing ran, 127 = no claude.',
  ].join('\n');
}
