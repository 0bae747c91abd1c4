/**
 * bin/trai: one program for every slash command and any terminal.
 *
 *     argv -> commands/all.ts, or programs.ts, finds the command -> context/command.ts reads its arguments by its table
 *          -> context/session.ts finds the session
 *          -> commands that act: context/permit.ts checks that the user typed them
 *          -> commands/ runs a job of core/jobs/jobs.ts in this process
 *          -> shared/terminal/ makes the text, context/output.ts prints it (or answers the hook)
 *          -> errors become code, message, hint and exit status (shared/errors.ts)
 */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { alreadyInside, INSIDE } from '../core/box/messages/errors.ts';
import { VERSION } from '../core/session/version.ts';
import { ERROR_TABLE, TraiError, toErrorBody } from '../shared/errors.ts';
import { firstLines } from '../shared/terminal/text.ts';
import { visible, visibleJson } from '../shared/terminal/visible.ts';
import { closest } from './closest.ts';
import { programNamed } from './commands/programs.ts';
import { type Args, type Command, commandHelp, readArgs } from './context/command.ts';
import { ignoreClosedOutput, PromptAnswer, type Sink, TERMINAL, typedHint } from './context/output.ts';
import { type Cli, makeCli } from './context/world.ts';
import { unknownCommand } from './messages/errors.ts';

async function main(argv: readonly string[], sink: Sink): Promise<number> {
  const [first = 'help', ...others] = argv;
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  // `trai help commit` is `trai commit --help`.
  const [name = '', ...rest] = isHelp ? [...others.slice(0, 1), '--help'] : argv;
  if (isHelp && others.length === 0) {
    const { helpText } = await import('./commands/all.ts');
    sink.out(`${helpText()}\n`);
    return 0;
  }
  if (name === '--version' || name === 'version') {
    sink.out(`${VERSION}\n`);
    return 0;
  }
  const command = await commandNamed(name);
  const args = readArgs(command, rest);
  if (args.help) {
    sink.out(`${commandHelp(command)}\n`);
    return 0;
  }
  return await command.run(cliFor(command, args, sink), args);
}

/** Errors: `bad-usage`. */
async function commandNamed(name: string): Promise<Command> {
  const program = await programNamed(name);
  if (program !== null) return program;
  const { COMMANDS } = await import('./commands/all.ts');
  const found = COMMANDS.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = COMMANDS.map((one) => one.name);
  throw unknownCommand(name, closest(name, names), names);
}

/** They are nothing that runs inside a session, and say so with their own status. */
function cliFor({ name }: Command, args: Args, sink: Sink): Cli {
  try {
    return makeCli({ ...args, startFd }, sink);
  } catch (error) {
    const isClient = name === 'box' || name === 'claude';
    if (isClient && error instanceof TraiError && error.code === 'inside-sandbox')
      throw alreadyInside(name, INSIDE.session);
    throw error;
  }
}

function report(
  thrown: unknown,
  { json, typed }: { json: boolean; typed: string | null },
  sink: Sink,
): number {
  const body = toErrorBody(thrown);
  const { code, message, path, paths } = body.error;
  const hint = typed === null ? body.error.hint : typedHint(typed, body.error.hint);
  if (json) sink.out(`${visibleJson(JSON.stringify(body))}\n`);
  else {
    const isSaid =
      path === undefined || [message, hint, ...(paths ?? [])].some((text) => text?.includes(path));
    const named = (paths ?? []).filter((one) => !message.includes(one));
    const shown = [...(isSaid ? [] : [`  ${path}`]), ...firstLines(named, 20, (one) => `  ${one}`)];
    const lines = [`trai: ${message}`, ...shown, ...(hint === undefined ? [] : [hint])];
    sink.err(`${visible(lines.join('\n'), false)}\n`);
  }
  return ERROR_TABLE[code].exit;
}

const terminals = [0, 1, 2].filter(isatty);
ignoreClosedOutput();
// Before all others, of bin/trai.
const waits = process.argv[2] === '--start-fd';
const startFd = waits ? Number(process.argv[3]) : null;
const argv = process.argv.slice(waits ? 4 : 2);
// Words after `--` belong to the command of exec.
const ours = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
// For a slash command the output is the answer of the hook that started trai.
const answer = ours.includes('--answer') ? new PromptAnswer() : null;
const typed = ours.includes('--from-prompt') ? (ours[0] ?? '') : null;
const sink = answer ?? TERMINAL;
main(argv, sink)
  .catch((thrown: unknown) => report(thrown, { json: ours.includes('--json'), typed }, sink))
  .then((status) => {
    if (answer !== null) process.stdout.write(answer.line());
    process.exitCode = status;
    // Node aborts at its end where it cannot give a terminal that is gone its settings back, but skips what is closed.
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
