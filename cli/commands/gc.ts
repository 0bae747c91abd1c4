import { diskSizes } from '../../core/commit/retention/disk-use.ts';
import { collectContexts } from '../../core/jobs/all-sessions.ts';
import { diskUse } from '../../core/jobs/disk.ts';
import { collect, previewGc } from '../../core/jobs/gc.ts';
import { callerOf } from '../../core/kernel/proc/ancestry.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import type { GarbageItem } from '../../shared/api/types.ts';
import { TraiError } from '../../shared/errors.ts';
import { sizeText } from '../../shared/format.ts';
import { diskText } from '../../shared/terminal/disk.ts';
import { countText, localText } from '../../shared/terminal/style.ts';
import type { Command } from '../context/read-args.ts';
import type { Cli } from '../context/world.ts';

const NOTHING =
  'Nothing to remove. Pending changes, and the newest commit and discard of each session, are always kept.';

export const gc: Command = {
  name: 'gc',
  usage: 'gc [--yes]',
  summary: 'list what can be removed to free space; remove it with --yes',
  flags: ['yes'],
  options: [],
  words: 0,
  async run(cli, args) {
    if (args.flags.has('yes')) onlyTheUser(cli);
    const contexts = await collectContexts(cli.state, cli.env);
    const { found, bytes } = await previewGc(contexts);
    if (!args.flags.has('yes')) {
      const lines = found.map(lineOf);
      lines.push(found.length === 0 ? NOTHING : `${sizeText(bytes)} in all. Remove it with: trai gc --yes`);
      const { warnFreeBytes } = loadConfig(cli.env).config.disk;
      const disk = await diskUse({ stateDir: cli.state, contexts, warnFreeBytes, sizes: diskSizes });
      lines.push(diskText(disk, cli.style));
      cli.print(lines.join('\n'), { found, bytes, removed: [], disk });
      return 0;
    }
    const { removed, kept, freed } = await collect(contexts, { items: found });
    const removedText = `Removed ${countText(removed.length, 'item')}, ${sizeText(freed)}.`;
    const lines = [found.length === 0 ? NOTHING : removedText];
    for (const one of kept) lines.push(`Kept ${one.kind} ${one.name} of session ${one.session}: ${one.why}`);
    cli.print(lines.join('\n'), { found, bytes, removed, kept });
    return 0;
  },
};

/** It concerns all sessions, and a permit concerns one. */
function onlyTheUser(cli: Cli): void {
  const { kind, found } = callerOf(process.pid, cli.state);
  if (kind === 'user') return;
  throw new TraiError('needs-permit', `only the user may remove what is kept: this was asked by ${found}`, {
    hint: 'Ask the user to run `trai gc --yes` in a terminal of their own.',
  });
}

const KINDS = { images: 'commit', discard: 'discard', session: 'session' } as const;

function lineOf({ kind, session, name, at, bytes, why }: GarbageItem): string {
  const what =
    kind === 'session'
      ? `session ${session}`
      : `${KINDS[kind]}${kind === 'images' ? ` ${name}` : ''} of session ${session}`;
  const when = at === '' ? '' : `, ${localText(at).slice(0, 10)}`;
  return `  ${what}${when}, ${sizeText(bytes)}: ${why}`;
}
