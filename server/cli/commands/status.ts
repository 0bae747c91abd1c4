import type { BytePath } from '../../../shared/bytes.ts';
import { scan } from '../../../shared/changes/node/scan.ts';
import { unfinishedCommit } from '../../../shared/commit/node/recover.ts';
import { liveProcesses } from '../../../shared/sandbox/node/live.ts';
import { overlapsOf } from '../../sessions/overlaps.ts';
import { statusText } from '../../text/status.ts';
import type { Command } from '../read-args.ts';
import { chosenSession } from '../which-session.ts';

/** Paths that are named; the rest is counted. */
const MOST = 50;

export const status: Command = {
  name: 'status',
  usage: 'status',
  summary: 'what is pending, in conflict and running',
  flags: [],
  options: [],
  words: 0,
  async run(cli) {
    const { meta, ctx } = await chosenSession(cli);
    const list = await scan(ctx);
    const processes = await liveProcesses(ctx.source);
    const unfinished = (await unfinishedCommit(ctx)) !== null;
    const overlaps = await overlapsOf(cli.state, cli.env, meta.id);
    const input = {
      session: meta.id,
      projectRoot: meta.projectRoot as BytePath,
      home: ctx.home,
      list,
      processes,
      off: meta.off,
      caught: meta.caught !== null,
      unfinished,
      overlaps,
    };
    const { changes: _, ...summary } = list;
    cli.print(statusText(input, cli.style, MOST), {
      ...summary,
      projectRoot: meta.projectRoot,
      processes,
      off: meta.off,
      caught: meta.caught,
      unfinished,
      overlaps,
    });
    return 0;
  },
};
