import { resolve } from 'node:path';
import { planCommit } from '../../core/commit/plan/plan.ts';
import { type ExportReport, type ExportTarget, exportChanges } from '../../core/export/export-git.ts';
import { chosenOf, scanFor } from '../../core/jobs/reviewed-list.ts';
import { toDisplay } from '../../shared/bytes.ts';
import { countText } from '../../shared/terminal/style.ts';
import { withPermit } from '../context/permit.ts';
import { type Args, badUsage, type Command } from '../context/read-args.ts';
import { SCOPE_OPTIONS, SCOPE_USAGE, scopeOf } from '../context/scope-args.ts';
import { chosenSession } from '../context/which-session.ts';
import type { Cli } from '../context/world.ts';

/** Most entries that are named as left out. */
const NAMED = 10;

export const exportCommand: Command = {
  name: 'export',
  usage: `export --patch FILE | --branch NAME [--message TEXT] ${SCOPE_USAGE}`,
  summary: 'write the pending changes of a repository as a patch, or as a commit on a new branch',
  flags: ['include-ignored'],
  options: ['patch', 'branch', 'message', ...SCOPE_OPTIONS],
  words: Number.POSITIVE_INFINITY,
  async run(cli, given) {
    const { ctx, meta } = await chosenSession(cli);
    const args = await withPermit(cli, exportCommand, given, ctx);
    const target = targetOf(cli, args, meta.id);
    const scope = scopeOf(cli, exportCommand, args);
    // A patch knows no times.
    const list = { ...(await scanFor(ctx, scope)), timed: undefined };
    const { paths } = await chosenOf(ctx, list, scope);
    const plan = planCommit(list, {
      ...{ revision: list.revision, includeIgnored: args.flags.has('include-ignored') },
      ...{ conflicts: 'take-sandbox', choices: {}, yes: true, typedCount: null, exactly: paths ?? undefined },
    });
    const going = [...plan.steps.flatMap(({ members, below }) => [...members, ...below]), ...plan.closed];
    const report = await exportChanges(ctx, list, going, cli.cwd, target);
    cli.print(reportText(report, target), report);
    return 0;
  },
};

function targetOf(cli: Cli, args: Args, session: string): ExportTarget {
  const patch = args.options.get('patch');
  const branch = args.options.get('branch');
  if ((patch ?? '') === '' && (branch ?? '') === '')
    throw badUsage(exportCommand, 'expected --patch FILE or --branch NAME');
  if (patch !== undefined && branch !== undefined)
    throw badUsage(exportCommand, 'expected --patch or --branch, found both');
  if (patch !== undefined) return { kind: 'patch', file: resolve(cli.cwd, patch) };
  const message = args.options.get('message') ?? `Pending changes of the trai session ${session}`;
  return { kind: 'branch', name: branch ?? '', message };
}

function reportText({ entries, left, commit, repository }: ExportReport, target: ExportTarget): string {
  const what = countText(entries, 'entry', 'entries');
  const lines = [
    target.kind === 'patch'
      ? `Wrote ${what} of ${toDisplay(repository)} to ${JSON.stringify(target.file)}. Apply it to HEAD with: git apply FILE`
      : `Put ${what} of ${toDisplay(repository)} on the new branch ${target.name} (${commit?.slice(0, 12)}).`,
    'They are still pending; your files, HEAD and index are unchanged.',
  ];
  if (left.length > 0) lines.push(`Left out: ${countText(left.length, 'entry', 'entries')}`);
  for (const { path, why } of left.slice(0, NAMED)) lines.push(`  ${toDisplay(path)}: ${why}`);
  if (left.length > NAMED) lines.push(`  … and ${left.length - NAMED} more`);
  return lines.join('\n');
}
