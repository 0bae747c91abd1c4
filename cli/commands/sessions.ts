import { diskSizes } from '../../core/commit/retention/disk-use.ts';
import { contextsOf } from '../../core/jobs/all-sessions.ts';
import { diskUse } from '../../core/jobs/disk.ts';
import { timedScan } from '../../core/jobs/written.ts';
import { liveSources } from '../../core/sandbox/live.ts';
import { type Counts, readCounts } from '../../core/scan/cache/counts-file.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { lastUse } from '../../core/session/store.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import type { TraiError } from '../../shared/errors.ts';
import { sizeText } from '../../shared/format.ts';
import { diskText } from '../../shared/terminal/disk.ts';
import { countsText } from '../../shared/terminal/status.ts';
import { minuteText, type Style } from '../../shared/terminal/style.ts';
import type { Command } from '../context/read-args.ts';

interface Row extends Pick<Counts, 'counts' | 'bytes' | 'conflicts'> {
  id: string;
  projectRoot: string;
  lastUse: string;
  off: string | null;
  /** Bytes on disk. */
  disk: number;
}

/** From the last scan where nothing ran since, else from a new one: a million pending entries take some 15 s. */
async function countsOf(
  ctx: SessionContext,
  live: boolean,
): Promise<Pick<Counts, 'counts' | 'bytes' | 'conflicts'>> {
  return (live ? null : readCounts(ctx)) ?? (await timedScan(ctx, live)).list;
}

function rowText({ id, projectRoot, lastUse: at, off, counts, disk }: Row, style: Style): string {
  const state = `${countsText(counts)}${off === null ? '' : `  (off: ${off})`}`;
  return `${style.bold(id)}  ${toDisplay(projectRoot as BytePath)}\n    ${minuteText(at)}  ${sizeText(disk)}  pending: ${state}`;
}

function brokenText({ id, error }: { id: string; error: TraiError }): string {
  const { message, path, hint } = error;
  const where = path === undefined || message.includes(path) ? '' : ` (${path})`;
  return `${id}  could not be read: ${message}${where}${hint === undefined ? '' : `\n    ${hint}`}`;
}

export const sessions: Command = {
  name: 'sessions',
  usage: 'sessions',
  summary: 'list all sessions, most recently used first, with what is pending in each',
  flags: [],
  options: [],
  words: 0,
  async run(cli) {
    const { sessions: found, broken } = await contextsOf(cli.state, cli.env);
    const contexts = found.map(({ ctx }) => ctx);
    const { warnFreeBytes } = loadConfig(cli.env).config.disk;
    const disk = await diskUse({ stateDir: cli.state, contexts, warnFreeBytes, sizes: diskSizes });
    const live = liveSources();
    const rows: Row[] = [];
    for (const { meta, ctx } of found) {
      const { counts, bytes, conflicts } = await countsOf(ctx, live.has(ctx.source));
      const size = disk.sessions.find(({ session }) => session === meta.id)?.total ?? 0;
      const about = { id: meta.id, projectRoot: meta.projectRoot, lastUse: lastUse(meta), off: meta.off };
      rows.push({ ...about, counts, bytes, conflicts, disk: size });
    }
    const lines = rows.map((row) => rowText(row, cli.style));
    if (rows.length > 0) lines.push(diskText(disk, cli.style));
    for (const one of broken) lines.push(cli.style.red(brokenText(one)));
    cli.print(lines.length === 0 ? 'No sessions yet.' : lines.join('\n'), {
      sessions: rows,
      disk,
      broken: broken.map(({ id, error }) => ({ id, message: error.message })),
    });
    return 0;
  },
};
