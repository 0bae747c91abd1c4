import { countWritten, scanWritten } from '../../core/jobs/written.ts';
import { readLog } from '../../core/session/log/read.ts';
import { foldCalls } from '../../shared/log/calls.ts';
import { logText } from '../../shared/terminal/log.ts';
import { typedArgs } from '../context/permit.ts';
import { type Args, badUsage, type Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

export const log: Command = {
  name: 'log',
  usage: 'log [--last N]',
  summary: 'list the calls of the session: where each ran, how it ended',
  flags: [],
  options: ['last'],
  words: 0,
  async run(cli, given) {
    lastOf(given);
    const { ctx } = await chosenSession(cli);
    const last = lastOf(await typedArgs(cli, log, given, ctx));
    const { events, raw } = await readLog(ctx.sessionDir);
    const calls = foldCalls(events);
    const torn =
      raw.length === 0
        ? ''
        : `\n${raw.length} line(s) of the log are damaged. See them with: trai log --json`;
    const wrote = countWritten((await scanWritten(ctx)).changes);
    cli.print(logText(calls, cli.style, last, wrote) + torn, {
      calls: calls.slice(-last).map((call) => ({ ...call, wrote: wrote.get(call.id) ?? 0 })),
      raw,
    });
    return 0;
  },
};

/** How many calls are meant. Errors: `bad-usage`. */
function lastOf({ options }: Args): number {
  const last = options.get('last') ?? '50';
  if (!/^[1-9]\d{0,6}$/.test(last))
    throw badUsage(log, `expected a number for --last, found ${JSON.stringify(last)}`);
  return Number(last);
}
