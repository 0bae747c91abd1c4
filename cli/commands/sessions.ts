import { diskSizes } from '../../core/commit/retention/disk-use.ts';
import { adoptOverlay } from '../../core/jobs/adopt.ts';
import { type Contexts, collect, contextsOf, diskUse, previewGc } from '../../core/jobs/disk.ts';
import { timedScan } from '../../core/jobs/lists.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { liveSources } from '../../core/sandbox/live.ts';
import { type Counts, readCounts } from '../../core/scan/cache/counts-file.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { isSessionId } from '../../core/session/dirs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { lastUse, listSessions } from '../../core/session/store.ts';
import { unreadSession } from '../../core/session/unread.ts';
import type { DiskUse, GarbageItem, UnreadSession } from '../../shared/api/types.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { messageWithPath } from '../../shared/errors.ts';
import { localText, sizeText } from '../../shared/format.ts';
import { boxGarbageLines } from '../../shared/terminal/box.ts';
import { countsText } from '../../shared/terminal/status.ts';
import { countText, diskText, minuteText, type Style } from '../../shared/terminal/text.ts';
import { badUsage, type Command } from '../context/command.ts';
import { aboutSession, always } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { noSessionNamed, onlyUserRemoves, SESSION_STARTS, USAGE } from '../messages/errors.ts';
import { boxGarbage, collectBoxes } from './boxes.ts';

type Pending = Pick<Counts, 'counts' | 'bytes' | 'conflicts'>;

interface Row extends Pending {
  id: string;
  projectRoot: string;
  lastUse: string;
  off: string | null;
  disk: number;
}

export const sessions: Command = {
  name: 'sessions',
  summary: 'list all sessions, most recently used first, with what is pending in each',
  arguments: [],
  session: null,
  async run(cli) {
    const found = await contextsOf(cli.state, cli.env);
    const disk = await diskOf(cli, found);
    const live = liveSources();
    const rows: Row[] = [];
    const unread = [...disk.problems];
    for (const { meta, ctx } of found.sessions) {
      const { id, projectRoot, off } = meta;
      const size = disk.sessions.find(({ session }) => session === id)?.total;
      if (size === undefined) continue;
      try {
        const { counts, bytes, conflicts } = await pendingIn(ctx, live.has(ctx.source));
        rows.push({ id, projectRoot, lastUse: lastUse(meta), off, counts, bytes, conflicts, disk: size });
      } catch (error) {
        unread.push(unreadSession(id, error));
      }
    }
    const lines = rows.map((row) => rowText(row, cli.style));
    if (found.sessions.length > 0) lines.push(diskText(disk, cli.style));
    lines.push(...unread.map((one) => unreadText(one, `${one.session}  could not be read`, cli.style)));
    cli.print(lines.length === 0 ? `No sessions yet.\n${SESSION_STARTS}` : lines.join('\n'), {
      sessions: rows,
      disk,
      broken: unread.map(({ session, ...about }) => ({ id: session, ...about })),
    });
    return 0;
  },
};

/** A new scan only if something ran since: a million pending entries take some 15 s. */
async function pendingIn(ctx: SessionContext, live: boolean): Promise<Pending> {
  return (live ? null : readCounts(ctx)) ?? (await timedScan(ctx, live)).list;
}

async function diskOf(cli: Cli, found: Contexts): Promise<DiskUse> {
  const { warnFreeBytes } = loadConfig(cli.env).config.disk;
  return await diskUse({ stateDir: cli.state, found, warnFreeBytes, sizes: diskSizes });
}

function rowText({ id, projectRoot, lastUse: at, off, counts, disk }: Row, style: Style): string {
  const state = `${countsText(counts)}${off === null ? '' : `  (off: ${off})`}`;
  return `${style.bold(id)}  ${toDisplay(projectRoot as BytePath)}\n    ${minuteText(at)}  ${sizeText(disk)}  pending: ${state}`;
}

function unreadText(unread: UnreadSession, said: string, style: Style): string {
  return style.red(`${said}: ${messageWithPath(unread)}\n    ${unread.hint}`);
}

export const adopt = aboutSession({
  name: 'adopt',
  usage: 'ID [--session NEW]',
  summary: 'continue with the pending changes of an earlier session',
  arguments: [['ID', 'the earlier session, or the beginning of its id (trai sessions)']],
  words: 1,
  session: 'the session that continues with them',
  acts: always,
  async run({ cli, meta, args }) {
    const [named] = args.words;
    if (named === undefined) throw badUsage(adopt, USAGE.noAdopted);
    const from = await sessionNamed(cli, named);
    // A slash command may name another session than the client's own.
    const to = args.session ?? meta.id;
    const report = await adoptOverlay({ stateDir: cli.state, from, to, env: cli.env });
    const what = countText(report.entries, 'pending change');
    cli.print(`Session ${to} continues with ${what} of session ${from}.`, report);
    return 0;
  },
});

/** `named` may be the unique start of an id. Errors: `no-session`, `bad-usage`. */
async function sessionNamed(cli: Cli, named: string): Promise<string> {
  if (!isSessionId(named)) throw badUsage(adopt, USAGE.noSessionId(named));
  const { sessions: readable, broken } = await listSessions(cli.state);
  const ids = [...readable, ...broken].map(({ id }) => id);
  if (ids.includes(named)) return named;
  const fits = ids.filter((id) => id.startsWith(named));
  const [only] = fits;
  if (only === undefined) throw noSessionNamed(named);
  if (fits.length === 1) return only;
  throw badUsage(adopt, USAGE.manySessions(named, fits));
}

const NOTHING_TO_REMOVE =
  'Nothing to remove. Pending changes, and the newest commit and discard of each session, are always kept.';

export const gc: Command = {
  name: 'gc',
  summary: 'list what can be removed to free space; remove it with --yes',
  arguments: [['--yes', 'removes it; without it, the command only lists it']],
  session: null,
  async run(cli, { flags }) {
    const removes = flags.has('yes');
    if (removes) expectUser(cli);
    const all = await contextsOf(cli.state, cli.env);
    const contexts = all.sessions.map(({ ctx }) => ctx);
    const { found, bytes, problems } = await previewGc(all);
    const boxes = await boxGarbage(cli);
    const none = found.length + boxes.gone.length + boxes.old.length === 0;
    const lines: string[] = none ? [NOTHING_TO_REMOVE] : [];
    const unread = problems.map((one) =>
      unreadText(one, `Session ${one.session} could not be read, and nothing of it is removed`, cli.style),
    );
    if (removes) {
      const { removed, kept, freed } = await collect(cli.state, contexts, { items: found });
      await collectBoxes(cli, boxes);
      if (found.length > 0) lines.push(`Removed ${countText(removed.length, 'item')}, ${sizeText(freed)}.`);
      for (const { kind, name, session, why } of kept)
        lines.push(`Kept ${kind} ${name} of session ${session}: ${why}`);
      lines.push(...unread, ...boxGarbageLines(boxes, 'done'));
      cli.print(lines.join('\n'), { found, bytes, removed, kept, problems, boxes });
      return 0;
    }
    const disk = await diskOf(cli, all);
    const named = new Set(problems.map(({ session }) => session));
    const uncounted = disk.problems.filter(({ session }) => !named.has(session));
    for (const one of uncounted)
      unread.push(unreadText(one, `Session ${one.session} could not be counted`, cli.style));
    lines.push(...found.map(garbageLine), ...boxGarbageLines(boxes, 'found'));
    const total = [bytes, ...[...boxes.gone, ...boxes.old].map((one) => one.bytes)].reduce(
      (sum, one) => sum + one,
    );
    if (!none) lines.push(`${sizeText(total)} in all. Remove it with: trai gc --yes`);
    lines.push(...unread, diskText(disk, cli.style));
    cli.print(lines.join('\n'), { found, bytes, removed: [], disk, problems, boxes });
    return 0;
  },
};

/** A permit is about one session, and this is about all. */
function expectUser(cli: Cli): void {
  const { kind, found } = callerOf(process.pid, cli.state);
  if (kind !== 'user') throw onlyUserRemoves(found);
}

function garbageLine({ kind, session, name, at, bytes, why }: GarbageItem): string {
  const whats = {
    images: `commit ${name} of session`,
    discard: 'discard of session',
    session: 'session',
  };
  const when = at === '' ? '' : `, ${localText(at).slice(0, 10)}`;
  return `  ${whats[kind]} ${session}${when}, ${sizeText(bytes)}: ${why}`;
}
