/**
 * File tools work on the host. A read gets a hint where the pending version differs; a write is refused where
 * it would create a second version, as is every use of trai's own directories. file-texts.ts has the texts,
 * search-hint.ts answers Grep and Glob.
 */
import { withLock } from '../../../core/sandbox/lock.ts';
import { type Look, lookThrough, readsOtherwise } from '../../../core/scan/lookup/look.ts';
import { ownDirectories } from '../../../core/session/dirs.ts';
import { fromText, isWithin, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json-lines.ts';
import type { EventOf } from '../../../shared/log/events.ts';
import { message } from '../../messages/hooks.ts';
import { type HookAnswer, SILENT } from '../world/answer.ts';
import { absolutePath, beforeGlob, fileOf, followed, isFileWriter, searchedBy } from '../world/file-paths.ts';
import { type HookInput, list, object, type ToolInput, text } from '../world/input.ts';
import { eventsNaming } from '../world/session-files.ts';
import type { HookSession, HookWorld } from '../world/world.ts';
import { missedText, readText, writeText } from './file-texts.ts';
import { searchHint } from './search-hint.ts';

/** A write's wait for a transaction (s). */
const LOCK_SECONDS = 2;
const MAX_MISSED = 5;

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'pattern'] as const;

/** What trai itself says before a tool runs. `context`: lines for the model. */
export interface OwnAnswer {
  refusal: string | null;
  context: readonly string[];
}

export async function beforeFileTool(
  world: HookWorld,
  session: HookSession | null,
  call: ToolInput,
): Promise<OwnAnswer> {
  const refusal = fileRefusal(world, call);
  if (refusal !== null) {
    if (session !== null) await logDenied(session, call, refusal);
    return { refusal, context: [] };
  }
  if (session === null || session.meta.off !== null) return { refusal: null, context: [] };
  if (isFileWriter(call.tool)) return { refusal: await beforeWrite(session, call), context: [] };
  // A failing hint must not prevent a read.
  const hint = await beforeRead(session, call).catch(() => null);
  return { refusal: null, context: hint === null ? [] : [`trai: ${hint}`] };
}

const RULE_FILE = /(^|\/)\.claude\/trai\.rules(\.imported)?\.json$/;

/** What no file tool may touch, wherever the client runs: trai's own directories, and the rule files. */
export function fileRefusal(world: HookWorld, call: ToolInput): string | null {
  return ownDirectoryText(world, call) ?? ruleFileRefusal(call);
}

/** A write to a rule file of any project; those of user and session lie in trai's own directories. */
function ruleFileRefusal(call: ToolInput): string | null {
  const file = fileOf(call);
  if (file === null || !isFileWriter(call.tool)) return null;
  const isOne = [fromText(file), followed(fromText(file))].some((path) => RULE_FILE.test(path));
  return isOne ? message('rule-file', { file }) : null;
}

/** Of a file tool; others have no mark of their own. */
export async function logDenied(session: HookSession, call: ToolInput, why: string): Promise<void> {
  const path = fileOf(call) ?? searchedBy(call);
  if (path !== null) await logFileUse(session, call, { path, outcome: 'refused', text: why });
}

/**
 * Why a file tool is refused in trai's own directories, which hold the hook credential, the overlays and the
 * user's rules; or null. Symlinks are followed, as the tool would. A search that begins above (`Grep` in
 * $HOME) is let through: see SECURITY.md.
 */
function ownDirectoryText({ stateDir }: HookWorld, call: ToolInput): string | null {
  const own = ownDirectories(stateDir, process.env)
    .map(fromText)
    .flatMap((dir) => [dir, followed(dir)]);
  for (const field of PATH_FIELDS) {
    const given = text(call.toolInput, field);
    // Grep's pattern is a regular expression; Glob's is a path.
    if (given === '' || (field === 'pattern' && call.tool !== 'Glob')) continue;
    const asked = fromText(absolutePath(field === 'pattern' ? beforeGlob(given) : given, call.cwd));
    for (const candidate of [asked, followed(asked)]) {
      const hit = own.find((dir) => isWithin(candidate, dir));
      if (hit !== undefined) return message('own-state', { dir: toDisplay(hit), tool: call.tool });
    }
  }
  return null;
}

/** Why it is refused, or null. An error refuses the tool. */
async function beforeWrite(session: HookSession, call: ToolInput): Promise<string | null> {
  const path = fileOf(call);
  if (path === null) return null;
  const refusal = await refusalOf(session, path);
  const outcome = refusal === null ? 'asked' : 'refused';
  await logFileUse(session, call, { path, outcome, text: refusal ?? '' });
  return refusal;
}

async function beforeRead(session: HookSession, call: ToolInput): Promise<string | null> {
  const path = fileOf(call);
  const hint = path === null ? await hintForSearch(session, call) : await hintForRead(session, path);
  if (path !== null) await logFileUse(session, call, { path, outcome: 'asked', text: hint ?? '' });
  return hint;
}

/** After a file tool: logs, and replays the new content into a live session. */
export async function fileTouched(
  session: HookSession,
  call: ToolInput,
  failed: boolean,
): Promise<HookAnswer> {
  const path = fileOf(call);
  if (path === null) return SILENT;
  await logFileUse(session, call, { path, outcome: failed ? 'failed' : 'written', text: '' });
  if (!failed) await session.hostChanged([followed(fromText(path))]);
  return SILENT;
}

/** A tool that the client itself ended (no such file) never reached PreToolUse: the hint comes here. */
export async function afterFileTools(session: HookSession, input: HookInput): Promise<string[]> {
  const uses = list(input.all, 'tool_calls').flatMap((item) => {
    if (!isObject(item)) return [];
    const request = text(item, 'tool_use_id');
    const call = { ...input, tool: text(item, 'tool_name'), toolInput: object(item, 'tool_input'), request };
    const file = call.tool === 'Read' || isFileWriter(call.tool) ? fileOf(call) : null;
    return file === null ? [] : [{ call, file }];
  });
  const ctx = uses.length === 0 ? null : await session.context();
  if (ctx === null) return [];
  const told = new Set<string>();
  for (const { call, file } of uses) {
    const look = await lookThrough(ctx, fromText(file), isFileWriter(call.tool));
    const missed = readsOtherwise(look) ? await missedBy(session, call, file, look) : null;
    if (missed !== null) told.add(missed);
  }
  const lines = [...told].slice(0, MAX_MISSED).map((line) => `trai: ${line}`);
  if (told.size > MAX_MISSED) lines.push(`trai: and so it is with ${told.size - MAX_MISSED} more.`);
  return lines;
}

/** A failing log (full disk) is ignored: this is no sandboxed call. */
async function logFileUse(
  session: HookSession,
  { request, claude, agent, tool }: ToolInput,
  use: { path: string; outcome: EventOf<'file'>['outcome']; text: string },
): Promise<void> {
  await session.log({ t: 'file', request, claude, agent, tool, ...use }).catch(() => undefined);
}

async function missedBy(
  session: HookSession,
  call: ToolInput,
  file: string,
  look: Look,
): Promise<string | null> {
  // PreToolUse saw it, and gave the hint.
  if (eventsNaming(session.dir, call.request).includes('file')) return null;
  const said = isFileWriter(call.tool) ? missedText(look, file) : readText(look, file);
  if (said !== null) await logFileUse(session, call, { path: file, outcome: 'failed', text: said });
  return said;
}

async function refusalOf(session: HookSession, file: string): Promise<string | null> {
  const first = await lookIn(session, file, true);
  if (first === null || (first.kind === 'none' && !first.copied)) return null;
  // Reaping first: else a write would make an untouched copy-up differ.
  await session.settled();
  const look = await betweenChanges(session, () => lookIn(session, file, true));
  return look === null || look.kind === 'none' ? null : writeText(look, file);
}

/** Under the lock, as a commit or replay is half visible until it ends; without it after LOCK_SECONDS. */
async function betweenChanges<T>(session: HookSession, look: () => Promise<T>): Promise<T> {
  try {
    return await withLock({ sessionDir: session.dir }, look, LOCK_SECONDS);
  } catch (error) {
    if (error instanceof TraiError && error.code === 'busy') return await look();
    throw error;
  }
}

async function hintForRead(session: HookSession, file: string): Promise<string | null> {
  const look = await lookIn(session, file, false);
  return look === null || !readsOtherwise(look) ? null : readText(look, file);
}

async function hintForSearch(session: HookSession, call: ToolInput): Promise<string | null> {
  const dir = searchedBy(call);
  const ctx = await session.context();
  if (dir === null || ctx === null) return null;
  const look = await lookThrough(ctx, fromText(dir), true);
  return searchHint(ctx, call.agent, dir, look);
}

async function lookIn(session: HookSession, file: string, thorough: boolean): Promise<Look | null> {
  const ctx = await session.context();
  return ctx === null ? null : await lookThrough(ctx, fromText(file), thorough);
}
