/** Commands about what runs in a session, and on the host. */
import { sessionProcesses } from '../../core/attribution/processes.ts';
import { endAndLog, log } from '../../core/jobs/door/outcome.ts';
import { isClientRunning, runningClient } from '../../core/sandbox/client-door.ts';
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
    const others = pids.length === 0 ? await withoutClients(ctx.sessionDir, processes) : processes;
    const chosen = pids.length === 0 ? others : processesNamed(processes, pids, meta.id);
    const ended = await endAndLog(ctx, chosen);
    const count = countText(ended.length, 'process', 'processes');
    const said = ended.length === 0 ? 'Nothing to end.' : `Ended ${count}: ${ended.join(', ')}`;
    const own = processes.filter((one) => !others.includes(one));
    cli.print(own.length === 0 ? said : `${said}\n${clientStays(own.map(({ pid }) => pid))}`, { ended });
    return 0;
  },
});

/** Where Claude Code runs in the session: without it, its MCP servers and its hooks. */
async function withoutClients(
  sessionDir: string,
  processes: readonly SessionProcess[],
): Promise<readonly SessionProcess[]> {
  if (!isClientRunning(sessionDir)) return processes;
  const views = (await readFold(sessionDir)).views();
  const own = new Set(
    views.flatMap(({ id, origin, state }) => (origin === 'client' && state === 'running' ? [id] : [])),
  );
  return processes.filter(({ call }) => call === null || !own.has(call));
}

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
