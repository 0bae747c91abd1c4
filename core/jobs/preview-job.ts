/** The preview of a commit or discard, for the user's decision. */
import type { Input } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import { HIDDEN_MS, MAX_PREVIEW_NAMED, UNDO_LIMITS } from '../../shared/limits.ts';
import { type Change, type ChangeList, countChanges } from '../../shared/model/change.ts';
import { placesOf } from '../../shared/model/change-places.ts';
import type { LiveProcess, Told } from '../../shared/model/commit.ts';
import { TIMES_RULE } from '../../shared/model/ignore.ts';
import { massGuard } from '../../shared/model/mass-guard.ts';
import { countRisks } from '../../shared/model/risk.ts';
import { lookAtDiscard } from '../commit/discard/discard-part.ts';
import { planTakingSandbox, replacedBytes } from '../commit/plan/plan.ts';
import { alongText, type Chosen, staysText } from '../commit/plan/scope.ts';
import { preflight } from '../commit/preflight.ts';
import { mergeable } from '../content/merge-entry.ts';
import { hiddenAmong, type TextVerdict } from '../content/texts.ts';
import { usersBelow } from '../kernel/proc/open-files.ts';
import { unknownEffects, withEffects } from '../rules/effects/effects.ts';
import { isClientRunning } from '../sandbox/client-door.ts';
import { liveProcesses } from '../sandbox/live.ts';
import { bytesOf } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import { byClient } from './end-processes.ts';
import { chosenOf, withTimes } from './lists.ts';

type About = Pick<
  CommitPreview,
  'times' | 'along' | 'cannot' | 'writers' | 'linked' | 'space' | 'guard' | 'undo'
> & {
  going: readonly Change[];
};

export interface PreviewInput {
  list: ChangeList;
  order: Input<'preview'>;
  /** Known verdicts about hidden characters, by entry id. Null = skip them: no text is read. */
  texts: ReadonlyMap<string, TextVerdict> | null;
}

export async function previewJob(
  ctx: SessionContext,
  { list: scanned, order, texts }: PreviewInput,
): Promise<CommitPreview> {
  const { scope, action, includeIgnored } = order;
  const processes = await liveProcesses(ctx.source);
  // A discard takes what a commit leaves out.
  const list = action === 'commit' ? withEffects(ctx, scanned) : scanned;
  const unknown = action === 'commit' ? unknownEffects(ctx) : [];
  const chosen = await chosenOf(ctx, action === 'commit' ? withTimes(list, scope) : list, scope);
  const about =
    action === 'commit'
      ? await aboutCommit(ctx, list, chosen, order, processes.length > 0)
      : await aboutDiscard(ctx, list, chosen, processes);
  const { going, along, cannot, writers, linked, ...rest } = about;
  const read = action === 'commit' && texts !== null ? going : [];
  const { hidden, unread } = await hiddenAmong(ctx, read, HIDDEN_MS.order, texts ?? undefined);
  const inScope =
    chosen.paths === null ? list.changes : list.changes.filter(({ path }) => chosen.paths?.has(path));
  const ignored = inScope.filter((change) => change.ignored !== null);
  const first = <T>(all: readonly T[]): T[] => all.slice(0, MAX_PREVIEW_NAMED);
  const effects = action === 'commit' ? effectsIn(scanned, going, ignored) : NO_EFFECTS;
  const { flagged, confirm, never } = effects;
  return {
    revision: list.revision,
    scope,
    action,
    counts: countChanges(going),
    places: placesOf(going, ctx, includeIgnored),
    bytes: bytesOf(going.filter((change) => includeIgnored || change.ignored === null)),
    risks: countRisks(going, { ...ctx, hidden }),
    unread,
    conflicts: action === 'discard' ? [] : conflictsOf(ctx, going),
    ignored: { count: ignored.length, bytes: bytesOf(ignored) },
    ...(unknown.length === 0 ? {} : { unknownEffects: unknown }),
    along: first(along),
    cannot: first(cannot),
    writers: first(writers),
    linked: first(linked),
    effects: { flagged: first(flagged), confirm: first(confirm), never: first(never) },
    totals: {
      along: along.length,
      cannot: cannot.length,
      writers: writers.length,
      linked: linked.length,
      flagged: flagged.length,
      confirm: confirm.length,
      never: never.length,
    },
    ...rest,
    processes:
      action === 'discard' && isClientRunning(ctx.sessionDir) ? [...(await byClient(ctx)).others] : processes,
    live: processes.length > 0,
  };
}

const NO_EFFECTS: CommitPreview['effects'] = { flagged: [], confirm: [], never: [] };

/** @param ignored of the marked list: what the scan had not ignored is so by a rule */
function effectsIn(
  scanned: ChangeList,
  going: readonly Change[],
  ignored: readonly Change[],
): CommitPreview['effects'] {
  const before = new Set(scanned.changes.flatMap(({ path, ignored: rule }) => (rule === null ? [] : [path])));
  const marked = (does: 'flag' | 'confirm'): Told[] =>
    going.flatMap(({ path, effect }) => (effect?.do === does ? [{ path, why: effect.text }] : []));
  const never = ignored.filter(({ path }) => !before.has(path));
  return {
    flagged: marked('flag'),
    confirm: marked('confirm'),
    never: never.map(({ path, ignored: why }) => ({ path, why: why ?? '' })),
  };
}

function conflictsOf(ctx: SessionContext, going: readonly Change[]): CommitPreview['conflicts'] {
  const merges = mergeable(ctx, going);
  return going.flatMap(({ id, path, conflict }) =>
    conflict === null
      ? []
      : [{ id, path, reason: conflict, ...(merges.has(id) ? { merge: true as const } : {}) }],
  );
}

async function aboutCommit(
  ctx: SessionContext,
  list: ChangeList,
  { paths, unsure }: Chosen,
  { includeIgnored }: Input<'preview'>,
  live: boolean,
): Promise<About> {
  const plan = planTakingSandbox(list, includeIgnored, paths);
  const all = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
  const going = all.filter(({ ignored }) => ignored !== TIMES_RULE);
  const times = all.length - going.length;
  const { cannot, ...found } = await preflight(ctx, plan, live);
  const toldStays = (change: Change): Told => ({ path: change.path, why: staysText(change) });
  const stays = plan.stays.map(toldStays);
  const closed = paths === null ? plan.closed.map(toldStays) : [];
  return {
    going,
    ...(times === 0 ? {} : { times }),
    along: plan.along.map((one) => ({ path: one.change.path, why: alongText(one) })),
    cannot: [...unsure, ...stays, ...closed, ...cannot],
    ...found,
    guard: massGuard(ctx, paths === null ? list : { ...list, changes: going }, includeIgnored),
    undo: { bytes: replacedBytes(plan), maxBytes: (ctx.undo ?? UNDO_LIMITS).maxBytes },
  };
}

async function aboutDiscard(
  ctx: SessionContext,
  list: ChangeList,
  { paths, unsure }: Chosen,
  processes: readonly LiveProcess[],
): Promise<About> {
  const undo = { bytes: 0, maxBytes: (ctx.undo ?? UNDO_LIMITS).maxBytes };
  const none = { linked: [], space: [], guard: null, undo };
  const users = (changes: readonly Change[]) => usersOf(processes, changes);
  const live = processes.length > 0;
  if (paths === null && !live) return { ...none, writers: [], going: list.changes, along: [], cannot: [] };
  const all = paths ?? new Set(list.changes.map(({ path }) => path));
  const { plan, along, cannot } = await lookAtDiscard(ctx, list, all, live);
  return { ...none, writers: users(plan.tops), going: plan.going, along, cannot: [...unsure, ...cannot] };
}

/** Processes of the session that use what a discard is about: what one has open for writing stays pending. */
function usersOf(processes: readonly LiveProcess[], changes: readonly Change[]): CommitPreview['writers'] {
  const users = usersBelow(processes, new Set(changes.map(({ path }) => path)));
  const commands = new Map(processes.map(({ pid, command }) => [pid, command]));
  return users.map(({ path, pid }) => ({ path, pid, command: commands.get(pid) ?? '' }));
}
