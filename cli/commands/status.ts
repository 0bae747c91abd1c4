import { unfinishedCommit } from '../../core/commit/recover/recover.ts';
import { hiddenAmong } from '../../core/content/hidden-texts.ts';
import { lowSpace } from '../../core/jobs/disk.ts';
import { overlapsOf } from '../../core/jobs/overlaps.ts';
import { scanWritten } from '../../core/jobs/written.ts';
import { liveProcesses } from '../../core/sandbox/live.ts';
import { scan } from '../../core/scan/scan.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { readLog } from '../../core/session/log/read.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import { foldCalls } from '../../shared/log/calls.ts';
import { byCallText, groupByCall } from '../../shared/terminal/by-call.ts';
import { statusText } from '../../shared/terminal/status.ts';
import { typedArgs } from '../context/permit.ts';
import type { Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

/** Paths that are named; the rest is counted. */
const MOST = 50;

export const status: Command = {
  name: 'status',
  usage: 'status [--by-call]',
  summary: 'show what is pending, in conflict and running; --by-call: which call wrote what',
  flags: ['by-call'],
  options: [],
  words: 0,
  async run(cli, given) {
    const { meta, ctx } = await chosenSession(cli);
    const args = await typedArgs(cli, status, given, ctx);
    const isByCall = args.flags.has('by-call');
    const list = isByCall ? await scanWritten(ctx) : await scan(ctx);
    const processes = await liveProcesses(ctx.source);
    const unfinished = (await unfinishedCommit(ctx)) !== null;
    const overlaps = await overlapsOf(cli.state, cli.env, meta.id);
    const input = {
      session: meta.id,
      projectRoot: meta.projectRoot as BytePath,
      home: ctx.home,
      texts: await hiddenAmong(ctx, isByCall ? [] : list.changes, HIDDEN_MS.status),
      list,
      processes,
      off: meta.off,
      caught: meta.caught !== null,
      unfinished,
      overlaps,
      low: lowSpace(cli.state, loadConfig(cli.env).config.disk.warnFreeBytes),
    };
    const { changes: _, ...summary } = list;
    const byCall = isByCall
      ? groupByCall(list.changes, foldCalls((await readLog(ctx.sessionDir)).events))
      : null;
    const text =
      byCall === null ? statusText(input, cli.style, MOST) : byCallText(byCall, input.projectRoot, cli.style);
    cli.print(text, {
      ...summary,
      projectRoot: meta.projectRoot,
      processes,
      off: meta.off,
      caught: meta.caught,
      unfinished,
      overlaps,
      low: input.low,
      ...(byCall === null ? {} : { byCall }),
    });
    return 0;
  },
};
