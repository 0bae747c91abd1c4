import { resolve } from 'node:path';
import { hiddenAmong } from '../../../core/content/hidden-texts.ts';
import type { SessionOverlap } from '../../../core/jobs/overlaps.ts';
import { countWritten } from '../../../core/jobs/written.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { LowSpace } from '../../../shared/api/disk.ts';
import { type BytePath, bytePath, fromText, isWithin } from '../../../shared/bytes.ts';
import { HIDDEN_MS } from '../../../shared/limits.ts';
import type { CallView } from '../../../shared/log/calls.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import type { LiveProcess } from '../../../shared/model/commit.ts';
import type { DiffModel } from '../../../shared/model/diff.ts';
import type { SessionProcess } from '../../../shared/model/process.ts';
import { diffText } from '../../../shared/terminal/diff.ts';
import { logText } from '../../../shared/terminal/log.ts';
import { psText } from '../../../shared/terminal/ps.ts';
import { changeLine, statusText } from '../../../shared/terminal/status.ts';
import { PLAIN } from '../../../shared/terminal/style.ts';
import type { Typed } from '../../hooks/world/world.ts';

/** The client cuts what a hook says at 10,000 characters. */
const MAX_TEXT = 9_000;
const STATUS_PATHS = 50;
const LOG_CALLS = 50;

/** One path without quotes, options, `~` and patterns: no shell would make anything else of it. */
const PLAIN_PATH = /^[\p{L}\p{N}./_@+,=:%][\p{L}\p{N}./_@+,=:%-]*$/u;

/** What the answers are made of. */
export interface AnswerSource {
  overview(session: SessionMeta): Promise<Overview>;
  context(session: string): Promise<SessionContext | null>;
  changeList(session: SessionMeta): Promise<ChangeList>;
  diff(session: SessionMeta, change: Change): Promise<DiffModel>;
  processes(session: SessionMeta): Promise<SessionProcess[]>;
  calls(session: SessionMeta): Promise<CallView[]>;
}

export interface Overview {
  list: ChangeList;
  processes: LiveProcess[];
  /** A commit stopped in the middle. */
  unfinished: boolean;
  /** Paths that other sessions of the project have pending, too. */
  overlaps: SessionOverlap[];
  /** The state directory's file system runs full; null = it does not. */
  low: LowSpace | null;
}

/** The text that answers `/trai:NAME` without starting a program; null when bin/trai has to be run. */
export async function answerText(
  world: AnswerSource,
  session: SessionMeta,
  { name, args, cwd }: Typed,
): Promise<string | null> {
  if (name === 'diff' && PLAIN_PATH.test(args) && cwd !== '') {
    const text = await diffAt(world, session, fromText(resolve(cwd, args)));
    return text === null ? null : cut(text);
  }
  // What else has arguments is for bin/trai, which knows all of them.
  if (args !== '') return null;
  if (name === 'status') return cut(await status(world, session));
  if (name === 'diff') return cut(await diff(world, session));
  if (name === 'ps') return cut(await ps(world, session));
  if (name === 'log') return cut(await log(world, session));
  return null;
}

async function status(world: AnswerSource, session: SessionMeta): Promise<string> {
  const facts = {
    session: session.id,
    projectRoot: bytePath(session.projectRoot),
    home: fromText(process.env['HOME'] ?? '/'),
    off: session.off,
    caught: session.caught !== null,
  };
  const overview = await world.overview(session);
  const ctx = await world.context(session.id);
  const texts =
    ctx === null
      ? { hidden: new Set<string>(), unread: 0 }
      : await hiddenAmong(ctx, overview.list.changes, HIDDEN_MS.status);
  return statusText({ ...facts, ...overview, texts }, PLAIN, STATUS_PATHS);
}

async function log(world: AnswerSource, session: SessionMeta): Promise<string> {
  const wrote = countWritten((await world.changeList(session)).changes);
  return logText(await world.calls(session), PLAIN, LOG_CALLS, wrote);
}

async function ps(world: AnswerSource, session: SessionMeta): Promise<string> {
  const processes = await world.processes(session);
  return psText({ session: session.id, processes, calls: await world.calls(session) }, PLAIN);
}

/** Diffs of a path and what is below it; null where bin/trai has more to say: nothing is pending there, or the file is long. */
async function diffAt(world: AnswerSource, session: SessionMeta, wanted: BytePath): Promise<string | null> {
  const { list } = await world.overview(session);
  const changes = list.changes.filter((change) => isWithin(change.path, wanted));
  const [only] = changes;
  if (only === undefined) return null;
  if (only.path === wanted && (await world.diff(session, only)).kind === 'collapsed') return null;
  return await diffsText(world, session, changes);
}

/** Diffs of all that a commit takes along. */
async function diff(world: AnswerSource, session: SessionMeta): Promise<string> {
  const { list } = await world.overview(session);
  const changes = list.changes.filter((change) => change.ignored === null);
  const unread = list.problems.map(({ path, message }) => `Could not be read: ${path}: ${message}`);
  if (changes.length === 0 && unread.length > 0) return unread.join('\n');
  if (changes.length === 0) return 'Nothing is pending.';
  return await diffsText(world, session, changes);
}

/** Diffs as long as they fit; the rest is named. */
async function diffsText(
  world: AnswerSource,
  session: SessionMeta,
  changes: readonly Change[],
): Promise<string> {
  let text = '';
  let shown = 0;
  for (const change of changes) {
    if (text.length > MAX_TEXT / 2) break;
    text += `${diffText(change, await world.diff(session, change), PLAIN)}\n\n`;
    shown++;
  }
  const rest = changes.slice(shown).map((change) => changeLine(change, bytePath(session.projectRoot), PLAIN));
  return [text.trimEnd(), ...(rest.length === 0 ? [] : [`And ${rest.length} more:`, ...rest])].join('\n');
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n… (cut; /trai:ui shows all)`;
}
