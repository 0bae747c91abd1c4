import type { SessionMeta } from '../../../core/session/types.ts';
import { bytePath, fromText } from '../../../shared/bytes.ts';
import { type Change, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import { withContext } from '../news/context.ts';
import type { HookAnswer } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import { eventsNaming } from '../world/log-search.ts';
import type { HookWorld } from '../world/world.ts';
import { shown } from './host-pending.ts';

/** So many conflicts are named to the agent; the log and the list have all. */
const NAMED = 10;

/** Before a host command runs that may change files: remembers which pending changes are in conflict by now. */
export async function rememberHostCall(
  world: HookWorld,
  session: SessionMeta,
  call: string,
  { uses }: Pick<Decision, 'uses'>,
  pending: boolean,
): Promise<void> {
  const working = uses.filter((use) => use.scope !== 'git-dir');
  if (working.length === 0) return;
  const conflicts = pending ? (await world.changeList(session)).changes.filter(isConflict) : [];
  world.requests(session.id).saveHost({
    call,
    what: [...new Set(working.map(({ what }) => what))].join(' and '),
    dirs: [...new Set(working.flatMap(({ dirs }) => dirs ?? []))],
    conflicts: conflicts.map(({ path }) => path),
  });
}

function isConflict(change: Change): boolean {
  return change.conflict !== null && change.ignored === null;
}

/**
 * After host commands: a live session is told of what they changed, and the agent and the log of the pending changes
 * that are in conflict since. The answer of others to the event is kept. What runs in the background, or was typed
 * with `!`, is told of at the next event after its end.
 */
export async function withHostNews(
  world: HookWorld,
  input: HookInput,
  event: 'PostToolBatch' | 'UserPromptSubmit',
  answer: HookAnswer,
): Promise<HookAnswer> {
  const session = await world.session(input.claude);
  if (session === null || session.off !== null || answer.exit !== 0) return answer;
  // A slash command of ours never reaches the model.
  if (text(input.all, 'prompt').startsWith('/trai:')) return answer;
  const dir = world.sessionDir(session.id);
  const done = world
    .requests(session.id)
    .takeHost((call) =>
      eventsNaming(dir, call).some((type) => type === 'call.ended' || type === 'call.closed'),
    );
  if (done.length === 0) return answer;
  await world.hostChanged(session, [...new Set(done.flatMap(({ dirs }) => dirs.map(fromText)))]);
  if (!(await world.pending(session))) return answer;
  const before = new Set(done.flatMap(({ conflicts }) => conflicts));
  const { changes } = await world.changeList(session);
  const fresh = changes.filter((change) => isConflict(change) && !before.has(change.path));
  if (fresh.length === 0) return answer;
  const said = newsText(
    session,
    done.map(({ what }) => what),
    fresh,
  );
  await world.log(session.id, { t: 'notice', code: 'host-conflicts', text: said });
  return withContext(answer, event, `trai: ${said}`);
}

function newsText(session: SessionMeta, what: readonly string[], fresh: readonly Change[]): string {
  const root = bytePath(session.projectRoot);
  const named = fresh.slice(0, NAMED).map(({ path, conflict }) => {
    const why = conflict === null ? '' : ` (${CONFLICT_REASONS[conflict]})`;
    return `${shown(path, root)}${why}`;
  });
  const more = fresh.length > NAMED ? `, and ${fresh.length - NAMED} more` : '';
  const commands = [...new Set(what)].map((one) => `\`${one}\``).join(' and ');
  return (
    `${fresh.length} pending ${fresh.length === 1 ? 'change is' : 'changes are'} in conflict since ${commands} ran on the host: ` +
    `${named.join(', ')}${more}. Bash still sees the pending versions; /trai:commit refuses until the user has resolved them.`
  );
}
