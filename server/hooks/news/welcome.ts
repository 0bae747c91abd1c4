import type { SessionMeta } from '../../../core/session/types.ts';
import { bytePath } from '../../../shared/bytes.ts';
import { type ChangeList, hostMoved } from '../../../shared/model/change.ts';
import { namedPaths } from '../../../shared/terminal/paths.ts';
import { countText } from '../../../shared/terminal/style.ts';
import { type HookAnswer, json } from '../world/answer.ts';
import { within } from '../world/within.ts';
import type { Earlier, HookWorld } from '../world/world.ts';

/** The client waits 5 s for the whole of SessionStart; a list that takes longer than this is not counted (ms). */
const LIST_MS = 2_000;
/** Earlier sessions that are named. */
const MOST_EARLIER = 3;

/** At the start of a client session: one line for the user, the facts for the agent. */
export async function welcome(world: HookWorld, session: SessionMeta, problem: string): Promise<HookAnswer> {
  const pending = await world.pending(session);
  const list = pending ? await within(LIST_MS, listOf(world, session)) : null;
  const moved = list === null ? '' : movedText(list, session);
  const said = [
    ownText(session, pending, list),
    ...(moved === '' ? [] : [moved]),
    ...earlierText(await world.earlierPending(session), pending),
    ...(problem === '' ? [] : [problem]),
    ...(world.config().config.enabled
      ? []
      : ['the config has "enabled": false, so everything runs on the host']),
  ];
  return json({
    systemMessage: `trai: ${said.join('; ')}. /trai:ui shows it.`,
    hookSpecificOutput: {
      hookEventName: 'SessionStart',
      additionalContext: orientation(pendingText(session, pending, list), moved),
    },
  });
}

/** A list that can't be made is the business of those who ask for it. */
async function listOf(world: HookWorld, session: SessionMeta): Promise<ChangeList | null> {
  try {
    return await world.changeList(session);
  } catch {
    return null;
  }
}

function ownText(session: SessionMeta, pending: boolean, list: ChangeList | null): string {
  const count = list === null ? 0 : counted(list);
  if (pending)
    return `this session has ${count === 0 ? 'pending changes' : countText(count, 'pending change')}`;
  if (session.wentOnIn !== undefined) return `what was pending here continues in session ${session.wentOnIn}`;
  return 'what Bash writes stays pending until you commit it';
}

/** What the agent is told of its own earlier changes; empty = there are none. */
function pendingText(session: SessionMeta, pending: boolean, list: ChangeList | null): string {
  if (!pending) return '';
  const paths = (list?.changes ?? []).filter(({ ignored }) => ignored === null).map(({ path }) => path);
  if (list === null || paths.length === 0) return 'This session has pending changes from earlier.';
  const named = namedPaths(paths, bytePath(session.projectRoot));
  return `This session has ${countText(paths.length, 'pending change')} from earlier: ${named}.`;
}

/** What the host did meanwhile; empty = nothing that matters. */
function movedText(list: ChangeList, session: SessionMeta): string {
  const moved = hostMoved(list);
  if (moved.length === 0) return '';
  const names = namedPaths(
    moved.map(({ path }) => path),
    bytePath(session.projectRoot),
  );
  return `the host changed ${moved.length} of ${countText(counted(list), 'pending path')} since: ${names}`;
}

function counted(list: ChangeList): number {
  return list.changes.filter(({ ignored }) => ignored === null).length;
}

/** Only a session without pending changes can adopt another's. */
function earlierText(earlier: readonly Earlier[], pending: boolean): string[] {
  const named = earlier.slice(0, MOST_EARLIER).map(({ id, changes }) => {
    const has = `session ${id} has ${changes === null ? 'pending changes' : countText(changes, 'pending change')}`;
    return pending ? has : `${has}: /trai:adopt ${id} continues with ${changes === 1 ? 'it' : 'them'}`;
  });
  return earlier.length > MOST_EARLIER
    ? [...named, `${earlier.length - MOST_EARLIER} more sessions have pending changes`]
    : named;
}

/** What the agent must know to work well in two views; kept short, since it costs tokens in every session. */
function orientation(pending: string, moved: string): string {
  return [
    'trai: Bash commands run in an overlay of the file system. They see all files; what they write is pending until the user commits it, and later Bash commands see it.',
    'The file tools (Read, Edit, Write, Grep, Glob) work on the host and do not see pending changes. Read and edit what Bash created or changed (a new directory with everything in it) through Bash: cat, sed, here-documents. Edit and Write refuse it.',
    'git, gh, docker, podman and sudo run on the host as calls of their own and do not see pending files. Only the user types trai commands (commit, discard ...).',
    ...(pending === '' ? [] : [pending]),
    ...(moved === ''
      ? []
      : [`Meanwhile ${moved}. Bash sees the pending versions, the file tools the host's; both may matter.`]),
  ].join('\n');
}
