/**
 * The commit of an effect rule with `auto`, which the server starts after a call. The user wrote the rule into a file that
 * no call writes; everything else is an ordinary commit, in the log and in the history with the rule's place.
 *
 *     no such rule: nothing, not even a scan
 *     without the lock, for which a call would wait: scan, select, read the texts for hidden characters
 *     with it: the session is quiet, or only `trai claude` and what it started run in it; scan and select again
 *     commit; what is cancelled, or fails, stays pending until after the next call
 */
import { toDisplay } from '../../../shared/bytes.ts';
import { messageOf, TraiError } from '../../../shared/errors.ts';
import { HIDDEN_MS } from '../../../shared/limits.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport, CommitRequest } from '../../../shared/model/commit.ts';
import { type CommitTools, lookSettled } from '../../commit/commit.ts';
import { hasNewText, lookForHidden } from '../../content/texts.ts';
import { lstatOrNone } from '../../kernel/fs/entry.ts';
import { heldForWriting } from '../../kernel/proc/open-files.ts';
import { recordBases } from '../../overlay/bases.ts';
import { autoChanges, loadEffects, withEffects } from '../../rules/effects/effects.ts';
import { isClientRunning } from '../../sandbox/client-door.ts';
import { asQuiet, type LiveSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { type SessionContext, upperPathIn } from '../../session/session-context.ts';
import { withRequest } from '../door/with-session.ts';
import { autoFailed, autoLeft } from '../messages/texts.ts';
import { type AutoSelection, selectAuto } from './auto-selection.ts';
import { leftAlone } from './left-alone.ts';
import { decidesRules, rulePathsOf } from './rule-paths.ts';

export interface AutoReport {
  /** Null when nothing was committed. */
  report: CommitReport | null;
  /** For the log, where each text stands once. */
  left: readonly string[];
}

/** The commit of a list that was just scanned, as for a request of the user: core/jobs/jobs.ts. */
type CommitListed = (
  session: LiveSession,
  list: ChangeList,
  request: CommitRequest,
  tools: CommitTools,
) => Promise<CommitReport>;

const NOTHING: AutoReport = { report: null, left: [] };
/** Entries that one run names. */
const MOST_NAMED = 5;

/** Texts that were read and have no hidden characters, by `textKey`. */
type CleanTexts = ReadonlySet<string>;

type Effects = ReturnType<typeof loadEffects>;

/** Never throws for what the commit refuses: `left` says it. Errors: those of a scan. */
export async function autoCommit(
  ctx: SessionContext,
  commit: CommitListed,
  signal?: AbortSignal,
): Promise<AutoReport> {
  const effects = loadEffects(ctx);
  if (effects.auto.length === 0) return NOTHING;
  const cancelled = () => signal?.aborted === true;
  const seen = await scan(ctx);
  const first = select(ctx, seen, { effects, clean: null, held: new Set() });
  const left = leftTexts(first);
  if (first.paths.size === 0 || cancelled()) return { report: null, left };
  const clean = await readTexts(
    ctx,
    seen.changes.filter(({ path }) => first.paths.has(path)),
  );
  try {
    const look = { effects, clean, cancelled, commit };
    const report = await withRequest(ctx, async (locked) => await commitMatched(locked, look));
    return { report, left };
  } catch (error) {
    // A request of the user has the session.
    if (!(error instanceof TraiError) || error.code === 'busy') return NOTHING;
    return { report: null, left: [...left, autoFailed(messageOf(error))] };
  }
}

interface Look {
  effects: Effects;
  clean: CleanTexts;
  cancelled: () => boolean;
  commit: CommitListed;
}

async function commitMatched(
  locked: LiveSession,
  { effects, clean, cancelled, commit }: Look,
): Promise<CommitReport | null> {
  const isIdle = (await asQuiet(locked)) !== null || isClientRunning(locked.sessionDir);
  if (cancelled() || !isIdle) return null;
  await recordBases(locked);
  const { found, session, settled } = await lookSettled(locked, () => scan(locked));
  const list = withEffects(session, found, effects);
  const held = session.quiet ? new Set<bigint>() : heldForWriting(matchedInodes(session, found, effects));
  const selection = select(session, found, { effects, clean, held });
  if (selection.paths.size === 0 || cancelled()) return null;
  const tools = { settled, cancelled, auto: selection.rules.join(', ') };
  return await commit(session, list, requestOf(list, selection), tools);
}

/** As a user who answers nothing: a conflict or the mass guard refuses it. */
function requestOf({ revision }: ChangeList, { paths }: AutoSelection): CommitRequest {
  const unasked = { conflicts: 'refuse', choices: {}, yes: false, typedCount: null } as const;
  return { revision, includeIgnored: false, ...unasked, exactly: paths };
}

/** @param clean null = texts are not asked about */
function select(
  ctx: SessionContext,
  scanned: ChangeList,
  { effects, clean, held }: { effects: Effects; clean: CleanTexts | null; held: ReadonlySet<bigint> },
): AutoSelection {
  const list = withEffects(ctx, scanned, effects);
  const matched = autoChanges(list.changes, effects.auto, ctx);
  const alone = matched.size === 0 ? new Set() : leftAlone(ctx, matched.keys());
  const rulePaths = ctx.configDir === undefined ? null : rulePathsOf(ctx.configDir);
  return selectAuto({
    list,
    matched,
    place: ctx,
    refused: (change) =>
      alone.has(change.path) ||
      (rulePaths !== null && decidesRules(change.path, rulePaths)) ||
      (clean !== null && hasNewText(change) && !clean.has(textKey(change))) ||
      (held.size > 0 && inodesOf(ctx, change).some((ino) => held.has(ino))),
  });
}

/** What was not read in that time stays pending until after the next call. */
async function readTexts(ctx: SessionContext, changes: readonly Change[]): Promise<CleanTexts> {
  const texts = changes.filter(hasNewText);
  const verdicts = texts.length === 0 ? new Map() : await lookForHidden(ctx, texts, HIDDEN_MS.order);
  return new Set(texts.filter(({ id }) => verdicts.get(id) === 'clean').map(textKey));
}

function textKey({ path, upperIdentity, hostIdentity }: Change): string {
  return `${path}\0${upperIdentity}\0${hostIdentity}`;
}

function matchedInodes(ctx: SessionContext, { changes }: ChangeList, { auto }: Effects): Set<bigint> {
  const matched = [...autoChanges(changes, auto, ctx).keys()];
  return new Set(matched.flatMap((change) => inodesOf(ctx, change)));
}

/** That a process may have it open by: the overlay shows a copied-up file with the number of the lower one. */
function inodesOf({ coveredDirs }: SessionContext, { path, pending, renamedFrom }: Change): bigint[] {
  if (pending?.type !== 'file') return [];
  const upper = upperPathIn(coveredDirs, path);
  const names = [upper, path, renamedFrom ?? null];
  return names.flatMap((name) => (name === null ? [] : (lstatOrNone(name)?.ino ?? [])));
}

function leftTexts({ left }: AutoSelection): string[] {
  return left
    .slice(0, MOST_NAMED)
    .map(({ path, rule, because }) => autoLeft(toDisplay(path), rule, toDisplay(because)));
}
