/**
 * News for the agent beside the answer to an event, each once: conflicts since a host command, paths that
 * another session changes too, what the user has committed or discarded, and errors that only sandboxed calls
 * meet.
 */
import { takeAgentNews } from '../../../core/jobs/door/outcome.ts';
import { forgetOverlap, overlapWith, takeNews } from '../../../core/jobs/overlaps.ts';
import { bytePath, fromText } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { type Change, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import { countText, overlapText } from '../../../shared/terminal/text.ts';
import { message } from '../../messages/hooks.ts';
import { type HookInput, list, text } from '../world/input.ts';
import { shown } from '../world/list-questions.ts';
import { eventsNaming } from '../world/session-files.ts';
import type { HookSession } from '../world/world.ts';

const NAMED = 10;

type Conflicts = readonly Pick<Change, 'path' | 'conflict'>[];

/** trai's slash commands never reach the model. */
const isOurs = (input: HookInput): boolean => text(input.all, 'prompt').startsWith('/trai:');

/** Replays the changes into a live session, and names new conflicts; for background calls after their end. */
export async function hostNews(session: HookSession, input: HookInput): Promise<string[]> {
  if (isOurs(input)) return [];
  const done = session.requests.takeHost((call) =>
    eventsNaming(session.dir, call).some((type) => type === 'call.ended' || type === 'call.closed'),
  );
  if (done.length === 0) return [];
  await session.hostChanged([...new Set(done.flatMap(({ dirs }) => dirs.map(fromText)))]);
  if (!(await session.pending())) return [];
  const before = new Set(done.flatMap(({ conflicts }) => conflicts));
  const fresh = (await session.ask('conflicts', null)).filter(({ path }) => !before.has(path));
  if (fresh.length === 0) return [];
  const what = done.map((call) => call.what);
  const said = conflictsText(session, what, fresh);
  await session.log({ t: 'notice', code: 'host-conflicts', text: said });
  return [`trai: ${said}`];
}

function conflictsText(session: HookSession, what: readonly string[], fresh: Conflicts): string {
  const root = bytePath(session.meta.projectRoot);
  const named = fresh.slice(0, NAMED).map(({ path, conflict }) => {
    const why = conflict === null ? '' : ` (${CONFLICT_REASONS[conflict]})`;
    return `${shown(path, root)}${why}`;
  });
  const more = fresh.length > NAMED ? `, and ${fresh.length - NAMED} more` : '';
  return message('host-conflicts', {
    count: countText(fresh.length, 'pending change is', 'pending changes are'),
    commands: [...new Set(what)].map((one) => `\`${one}\``).join(' and '),
    named: `${named.join(', ')}${more}`,
  });
}

export async function overlapNews(session: HookSession): Promise<string[]> {
  const { stateDir, env } = session.world;
  const lines: string[] = [];
  for (const other of takeNews(session.dir)) {
    const overlap = await overlapWith(stateDir, env, session.id, other);
    if (overlap.paths.length === 0) forgetOverlap(session.dir, other);
    else {
      const said = overlapText(other, overlap, bytePath(session.meta.projectRoot));
      lines.push(`trai: ${message('overlap', { overlap: said })}`);
    }
  }
  return lines;
}

/** A subagent does not get them: it ends with its task. */
export function userNews(session: HookSession, input: HookInput): string[] {
  if (input.agent !== '' || isOurs(input)) return [];
  return takeAgentNews(session.dir).map((line) => `trai: ${line}`);
}

const SEARCHED_CHARS = 20_000;

const HINTS: readonly { when: RegExp; said: string }[] = [
  {
    when: /failed to create link .*Invalid cross-device link/,
    said:
      'in the sandbox, hard links from another file system (such as /tmp) into the overlay are not possible. ' +
      'Clone without `--local`, or with `--no-hardlinks`.',
  },
  {
    when: /Invalid cross-device link|EXDEV: cross-device link/,
    said:
      'in the sandbox, an existing directory of the user cannot be renamed, and nothing can be linked or renamed between ' +
      'covered directories and /tmp. `mv` and `cp -a` copy instead.',
  },
];

export function resultHints(input: HookInput): string[] {
  const hints = list(input.all, 'tool_calls').flatMap((item) => {
    if (!isObject(item) || text(item, 'tool_name') !== 'Bash') return [];
    const result = text(item, 'tool_response');
    const seen = `${result.slice(0, SEARCHED_CHARS)}\n${result.slice(-SEARCHED_CHARS)}`;
    const found = HINTS.find(({ when }) => when.test(seen));
    return found === undefined ? [] : [`trai: ${found.said}`];
  });
  return [...new Set(hints)];
}
