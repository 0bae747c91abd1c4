/**
 * One view for file tools, which work on the host. A read gets a hint where the pending version differs; a write is refused
 * where it would create a second version. file-texts.ts has the words, search-hint.ts answers Grep and Glob, file-world.ts is
 * the `HookWorld` over files, and file-touched.ts logs each use.
 */
import { withLock } from '../../../core/sandbox/lock.ts';
import { type Look, lookThrough, readsOtherwise } from '../../../core/scan/lookup/look.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import { fromText } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { EventOf } from '../../../shared/log/events.ts';
import { blocked, type HookAnswer, json, SILENT } from '../world/answer.ts';
import { fileOf, isFileWriter, searchedBy } from '../world/file-paths.ts';
import { type HookInput, isObject, list, object, type ToolInput, text } from '../world/input.ts';
import { eventsNaming } from '../world/log-search.ts';
import type { HookWorld } from '../world/world.ts';
import { missedText, readText, writeText } from './file-texts.ts';
import { searchHint } from './search-hint.ts';

/** How long a write waits for whoever changes the overlay (s). */
const LOCK_SECONDS = 2;
/** So many paths of one batch are spoken of one by one. */
const MAX_MISSED = 5;

/** PreToolUse of a file tool that trai's own directories have nothing against: refuses, or tells, or is silent. */
export async function beforeFileTool(world: HookWorld, call: ToolInput): Promise<HookAnswer> {
  if (isFileWriter(call.tool)) return await beforeWrite(world, call);
  try {
    return await beforeRead(world, call);
  } catch {
    // A hint that can't be made must keep nobody from reading.
    return SILENT;
  }
}

/** Throws when it can't be decided: the tool is not run then. */
async function beforeWrite(world: HookWorld, call: ToolInput): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  const file = fileOf(call);
  if (session === null || session.off !== null || file === null) return SILENT;
  const refusal = await refusalOf(world, session, file);
  await logFileUse(world, session, call, file, refusal === null ? 'asked' : 'refused', refusal ?? '');
  return refusal === null ? SILENT : blocked(refusal);
}

async function beforeRead(world: HookWorld, call: ToolInput): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  if (session === null || session.off !== null) return SILENT;
  const file = fileOf(call);
  const hint =
    file === null ? await hintForSearch(world, session, call) : await hintForRead(world, session, file);
  if (file !== null) await logFileUse(world, session, call, file, 'asked', hint ?? '');
  return hint === null ? SILENT : context('PreToolUse', `trai: ${hint}`);
}

/** A use that is refused for another reason than what is pending. */
export async function refusedFileTool(world: HookWorld, call: ToolInput, why: string): Promise<HookAnswer> {
  const session = await world.session(call.claude);
  const place = fileOf(call) ?? searchedBy(call) ?? '';
  if (session !== null) await logFileUse(world, session, call, place, 'refused', why);
  return blocked(why);
}

/**
 * PostToolBatch: a file tool that the client ended by itself (no such file, text not found) never came to PreToolUse;
 * this is where the model learns that a pending version is the reason.
 */
export async function afterFileTools(world: HookWorld, input: HookInput): Promise<HookAnswer> {
  const session = await world.session(input.claude);
  if (session === null || session.off !== null) return SILENT;
  const told = new Set<string>();
  for (const item of list(input.all, 'tool_calls')) {
    if (!isObject(item)) continue;
    const request = text(item, 'tool_use_id');
    const call = { ...input, tool: text(item, 'tool_name'), toolInput: object(item, 'tool_input'), request };
    const missed = await missedBy(world, session, call);
    if (missed !== null) told.add(missed);
  }
  if (told.size === 0) return SILENT;
  const lines = [...told].slice(0, MAX_MISSED).map((line) => `trai: ${line}`);
  if (told.size > MAX_MISSED) lines.push(`trai: and so it is with ${told.size - MAX_MISSED} more.`);
  return context('PostToolBatch', lines.join('\n'));
}

/** Writes the use of a file tool into the log. What can't be logged (a full disk) is let go on: it is no sandboxed call. */
export async function logFileUse(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
  path: string,
  outcome: EventOf<'file'>['outcome'],
  said: string,
): Promise<void> {
  const { request, claude, agent, tool } = call;
  try {
    await world.log(session.id, { t: 'file', request, claude, agent, tool, path, outcome, text: said });
  } catch {
    // The log itself is what fails: there is nowhere to say it.
  }
}

async function missedBy(world: HookWorld, session: SessionMeta, call: ToolInput): Promise<string | null> {
  const file = fileOf(call);
  const writes = isFileWriter(call.tool);
  if (file === null || (!writes && call.tool !== 'Read')) return null;
  const look = await lookIn(world, session, file, writes);
  if (look === null || !readsOtherwise(look)) return null;
  // It came to PreToolUse, which said what there is to say.
  if (eventsNaming(world.sessionDir(session.id), call.request).includes('file')) return null;
  const said = writes ? missedText(look, file) : readText(look, file);
  if (said !== null) await logFileUse(world, session, call, file, 'failed', said);
  return said;
}

/** Why a write is refused, or null. */
async function refusalOf(world: HookWorld, session: SessionMeta, file: string): Promise<string | null> {
  const first = await lookIn(world, session, file, true);
  if (first === null || (first.kind === 'none' && !first.copied)) return null;
  // The work after the last call drops copies that say nothing new, and records what they were taken of: without it
  // a write would make a difference of an equal copy.
  await world.settled(session.id);
  const look = await betweenChanges(world, session, () => lookIn(world, session, file, true));
  return look === null || look.kind === 'none' ? null : writeText(look, file);
}

/**
 * What a commit or a replay is about to write looks like a difference until it is done. Where that takes long, the look
 * is taken as it is: the client waits, and lets the tool go on when no answer comes in time.
 */
async function betweenChanges<T>(world: HookWorld, session: SessionMeta, look: () => Promise<T>): Promise<T> {
  try {
    return await withLock({ sessionDir: world.sessionDir(session.id) }, look, LOCK_SECONDS);
  } catch (error) {
    if (error instanceof TraiError && error.code === 'busy') return await look();
    throw error;
  }
}

async function hintForRead(world: HookWorld, session: SessionMeta, file: string): Promise<string | null> {
  const look = await lookIn(world, session, file, false);
  return look === null || !readsOtherwise(look) ? null : readText(look, file);
}

async function hintForSearch(
  world: HookWorld,
  session: SessionMeta,
  call: ToolInput,
): Promise<string | null> {
  const dir = searchedBy(call);
  const ctx = await world.context(session.id);
  if (dir === null || ctx === null) return null;
  const look = await lookThrough(ctx, fromText(dir), true);
  return searchHint({ ctx, sessionDir: world.sessionDir(session.id), agent: call.agent, dir, look });
}

/** Null before the session's first call, when nothing can be pending. */
async function lookIn(
  world: HookWorld,
  session: SessionMeta,
  file: string,
  thorough: boolean,
): Promise<Look | null> {
  const ctx = await world.context(session.id);
  return ctx === null ? null : await lookThrough(ctx, fromText(file), thorough);
}

function context(hookEventName: string, additionalContext: string): HookAnswer {
  return json({ hookSpecificOutput: { hookEventName, additionalContext } });
}
