/** Commands about what runs in a session, and on the host. */
import { sessionProcesses } from '../../core/attribution/processes.ts';
import { endAndLog, log } from '../../core/jobs/door/outcome.ts';
import { withoutClient } from '../../core/jobs/end-processes.ts';
import { runningClient } from '../../core/sandbox/client-door.ts';
import { openGrant } from '../../core/session/grants.ts';
import { readFold } from '../../core/session/log/read.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { psText } from '../../shared/terminal/calls.ts';
import { countText } from '../../shared/terminal/text.ts';
import { badUsage } from '../context/command.ts';
import { aboutSession, always } from '../context/session.ts';
import { clientStays, noHostCalls, noSuchProcesses, USAGE } from '../messages/errors.ts';

export const ps = aboutSession({
  name: 'ps',
  summary: 'list the processes of the session and the calls that started them; --end ends them',
  arguments: [['--end [PID…]', 'ends these, or all but Claude Code itself where it runs in the session']],
  words: Number.POSITIVE_INFINITY,
  acts: ({ flags }) => flags.has('end'),
  async run({ cli, meta, ctx, args }) {
    const ends = args.flags.has('end');
    if (!ends && args.words.length > 0) throw badUsage(ps, USAGE.wordWithoutEnd(args.words[0] ?? ''));
    const pids = args.words.map(pidOf);
    const fold = () => readFold(ctx.sessionDir);
    const processes = await sessionProcesses(ctx.source, async () => (await fold()).spans());
    if (!ends) {
      const found = { session: meta.id, processes };
      cli.print(psText({ ...found, calls: (await fold()).views() }, cli.style), found);
      return 0;
    }
    const { own, others } = await withoutClient(ctx, processes);
    const chosen = pids.length === 0 ? others : processesNamed(processes, pids, meta.id);
    const ended = await endAndLog(ctx, chosen);
    const count = countText(ended.length, 'process', 'processes');
    const said = ended.length === 0 ? 'Nothing to end.' : `Ended ${count}: ${ended.join(', ')}`;
    const stays = pids.length === 0 ? clientStays(own) : '';
    cli.print([said, stays].filter(Boolean).join('\n'), { ended });
    return 0;
  },
});

function pidOf(word: string): number {
  if (/^[1-9]\d{0,9}$/.test(word)) return Number(word);
  throw badUsage(ps, USAGE.noPid(word));
}

/** Errors: `not-found` if one is no process of the session; the request was meant for another. */
function processesNamed(
  processes: readonly SessionProcess[],
  pids: readonly number[],
  session: string,
): SessionProcess[] {
  const found = processes.filter(({ pid }) => pids.includes(pid));
  const missing = pids.filter((pid) => !found.some((one) => one.pid === pid));
  if (missing.length > 0) throw noSuchProcesses(missing, session);
  return found;
}

export const passthrough = aboutSession({
  name: 'passthrough',
  summary: 'let the session’s next call run on the host (within 5 minutes)',
  arguments: [],
  acts: always,
  async run({ cli, ctx }) {
    const client = runningClient(ctx.sessionDir);
    if (client !== null) throw noHostCalls(ctx.session, client.pid);
    await openGrant(ctx.sessionDir, { kind: 'passthrough' });
    log(ctx, { t: 'grant', kind: 'passthrough', what: 'the next call', state: 'open' });
    cli.print(
      'The next Bash call of this session runs on the host, unsandboxed. Ask for it now: this holds for 5 minutes and one prompt.',
      { open: true },
    );
    return 0;
  },
});
