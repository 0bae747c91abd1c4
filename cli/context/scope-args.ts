/** The scope of a commit, discard or export, from its arguments. */
import { resolve } from 'node:path';
import type { CommitPreview } from '../../shared/api/types.ts';
import { fromText, toDisplay } from '../../shared/bytes.ts';
import type { Scope, Told } from '../../shared/model/commit.ts';
import { type Args, badUsage, type Command } from './read-args.ts';
import type { Cli } from './world.ts';

/** Most entries of a kind that are named one by one. */
const NAMED = 10;

/** Options of a command that takes a scope. */
export const SCOPE_OPTIONS = ['call', 'up-to'] as const;
export const SCOPE_USAGE = '[PATH… | --call ID | --up-to ID]';

/** No argument means everything. Errors: `bad-usage` where two kinds of selection are mixed. */
export function scopeOf(cli: Cli, command: Command, args: Args): Scope {
  const call = args.options.get('call');
  const upTo = args.options.get('up-to');
  const given = [args.words.length > 0, call !== undefined, upTo !== undefined].filter(Boolean).length;
  if (given > 1) throw badUsage(command, 'expected paths, --call or --up-to, found more than one of them');
  if (args.words.includes('') || call === '' || upTo === '')
    throw badUsage(command, 'expected a path or the id of a call, found an empty word');
  if (call !== undefined) return { kind: 'call', call };
  if (upTo !== undefined) return { kind: 'up-to', call: upTo };
  if (args.words.length === 0) return { kind: 'all' };
  return { kind: 'paths', paths: args.words.map((word) => fromText(resolve(cli.cwd, word))) };
}

/** The selection closure, and what of a selection stays pending, as text. */
export function selectionText({
  along,
  cannot,
  totals,
}: Pick<CommitPreview, 'along' | 'cannot' | 'totals'>): string {
  const lines = [
    ...named('Also included', along, totals.along),
    ...named('Stays pending', cannot, totals.cannot),
  ];
  return lines.join('\n');
}

function named(title: string, entries: readonly Told[], total: number): string[] {
  if (total === 0) return [];
  const shown = entries.slice(0, NAMED).map(({ path, why }) => `  ${toDisplay(path)}: ${why}`);
  const more = total > shown.length ? [`  … and ${total - shown.length} more`] : [];
  return [`${title}:`, ...shown, ...more];
}
