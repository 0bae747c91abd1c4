import { findGarbage, type Garbage, removeGarbage, sweepTrash } from '../../../shared/commit/node/collect.ts';
import { TraiError } from '../../../shared/errors.ts';
import { LOCK_WAIT_S } from '../../../shared/limits.ts';
import { withLock } from '../../../shared/sandbox/node/lock.ts';
import { claudeAncestor } from '../../../shared/session/node/ancestry.ts';
import { collectContexts } from '../../sessions/collect.ts';
import { countText, sizeText } from '../../text/style.ts';
import type { Command } from '../read-args.ts';
import type { Cli } from '../world.ts';

export const gc: Command = {
  name: 'gc',
  usage: 'gc [--yes]',
  summary: 'shows what can be removed to make room; removes it with --yes',
  flags: ['yes'],
  options: [],
  words: 0,
  async run(cli, args) {
    if (args.flags.has('yes')) onlyThePerson(cli);
    const contexts = await collectContexts(cli.state, cli.env);
    const now = Date.now();
    const found = await findGarbage(contexts, now);
    const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
    if (!args.flags.has('yes')) {
      const lines = found.map(lineOf);
      lines.push(
        found.length === 0
          ? 'Nothing to remove. Pending changes, and the newest commit and discard of each session, are always kept.'
          : `${sizeText(bytes)} in all. Remove it with: trai gc --yes`,
      );
      cli.print(lines.join('\n'), { found, bytes, removed: [] });
      return 0;
    }
    const removed: Garbage[] = [];
    for (const one of found) {
      const ctx = contexts.find(({ session }) => session === one.session);
      if (ctx === undefined) continue;
      const went = await withLock(
        ctx.sessionDir,
        LOCK_WAIT_S,
        async () => await removeGarbage(ctx, one, now),
      );
      if (went) removed.push(one);
    }
    if (contexts[0] !== undefined) sweepTrash(contexts[0]);
    const freed = removed.reduce((sum, one) => sum + one.bytes, 0);
    cli.print(`Removed ${countText(removed.length, 'item')}, ${sizeText(freed)}.`, { found, bytes, removed });
    return 0;
  },
};

/** It is about all sessions: there is no permit for that. */
function onlyThePerson(cli: Cli): void {
  if (claudeAncestor(process.pid, cli.env) === null) return;
  throw new TraiError('needs-permit', 'only the user may remove what is kept: this was started by Claude', {
    hint: 'Ask the user to run `trai gc --yes` in a terminal of their own.',
  });
}

const KINDS = { images: 'commit', discard: 'discard', session: 'session' } as const;

function lineOf({ kind, session, name, at, bytes, why }: Garbage): string {
  const what =
    kind === 'session'
      ? `session ${session}`
      : `${KINDS[kind]}${kind === 'images' ? ` ${name}` : ''} of session ${session}`;
  const when = at === '' ? '' : `, ${at.slice(0, 10)}`;
  return `  ${what}${when}, ${sizeText(bytes)}: ${why}`;
}
