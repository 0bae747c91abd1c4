import { knownCalls, sessionProcesses } from '../../core/attribution/processes.ts';
import { endAndLog } from '../../core/jobs/end-processes.ts';
import { readLog } from '../../core/session/log/read.ts';
import { TraiError } from '../../shared/errors.ts';
import { foldCalls } from '../../shared/log/calls.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { psText } from '../../shared/terminal/ps.ts';
import { countText } from '../../shared/terminal/style.ts';
import { withPermit } from '../context/permit.ts';
import { badUsage, type Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';
import type { Cli } from '../context/world.ts';

export const ps: Command = {
  name: 'ps',
  usage: 'ps [--end [PID…]]',
  summary: 'list the processes of the session and the calls that started them; --end ends them',
  flags: ['end'],
  options: [],
  words: Number.POSITIVE_INFINITY,
  async run(cli, given) {
    const { meta, ctx } = await chosenSession(cli);
    const asks = given.flags.has('end') || given.fromPrompt;
    const args = asks ? await withPermit(cli, ps, given, ctx) : given;
    if (!args.flags.has('end') && args.words.length > 0)
      throw badUsage(ps, `unexpected ${JSON.stringify(args.words[0])}: to end a process say --end PID`);
    const pids = args.words.map(pidOf);
    const log = async () => (await readLog(ctx.sessionDir)).events;
    const processes = await sessionProcesses(ctx.source, async () => knownCalls(await log()));
    if (!args.flags.has('end')) {
      const input = { session: meta.id, processes, calls: foldCalls(await log()) };
      cli.print(psText(input, cli.style), { session: meta.id, processes });
      return 0;
    }
    const chosen = pids.length === 0 ? processes : named(processes, pids, meta.id);
    const ended = await endAndLog(ctx, chosen);
    printEnded(cli, ended);
    return 0;
  },
};

function pidOf(word: string): number {
  if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
  throw badUsage(ps, `expected a process number (PID), found ${JSON.stringify(word)}`);
}

/** If one of them is no process of the session, none is ended: the request was meant for something else. */
function named(
  processes: readonly SessionProcess[],
  pids: readonly number[],
  session: string,
): SessionProcess[] {
  const found = processes.filter(({ pid }) => pids.includes(pid));
  const missing = pids.filter((pid) => !found.some((one) => one.pid === pid));
  if (missing.length === 0) return found;
  const what = missing.length === 1 ? 'is no process' : 'are no processes';
  throw new TraiError('not-found', `${missing.join(', ')} ${what} of session ${session}; nothing was ended`, {
    hint: 'See: trai ps',
  });
}

function printEnded(cli: Cli, pids: readonly number[]): void {
  const text =
    pids.length === 0
      ? 'Nothing to end.'
      : `Ended ${countText(pids.length, 'process', 'processes')}: ${pids.join(', ')}`;
  cli.print(text, { ended: pids });
}
