import type { BytePath } from '../../../shared/bytes.ts';
import { toDisplay } from '../../../shared/bytes.ts';
import { scan } from '../../../shared/changes/node/scan.ts';
import { sessionContext } from '../../../shared/sandbox/node/context.ts';
import { lastUse, listSessions } from '../../../shared/session/node/store.ts';
import { countsText } from '../../text/status.ts';
import type { Command } from '../read-args.ts';

export const sessions: Command = {
  name: 'sessions',
  usage: 'sessions',
  summary: 'all sessions, newest use first, with what is pending in each',
  flags: [],
  options: [],
  words: 0,
  async run(cli) {
    const { sessions: found, broken } = await listSessions(cli.state);
    const rows = [];
    for (const meta of found) {
      const list = await scan(await sessionContext(cli.state, meta.id, cli.env));
      rows.push({
        id: meta.id,
        projectRoot: meta.projectRoot,
        lastUse: lastUse(meta),
        counts: list.counts,
        bytes: list.bytes,
        conflicts: list.conflicts,
        off: meta.off,
      });
    }
    const lines = rows.map(
      (row) =>
        `${cli.style.bold(row.id)}  ${toDisplay(row.projectRoot as BytePath)}\n    ${row.lastUse.slice(0, 16).replace('T', ' ')}  pending: ${countsText(row.counts)}${row.off === null ? '' : `  (off: ${row.off})`}`,
    );
    for (const one of broken) lines.push(cli.style.red(`${one.id}  could not be read: ${one.error.message}`));
    cli.print(lines.length === 0 ? 'No sessions yet.' : lines.join('\n'), {
      sessions: rows,
      broken: broken.map(({ id, error }) => ({ id, message: error.message })),
    });
    return 0;
  },
};
