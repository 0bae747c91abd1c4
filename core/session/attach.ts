/**
 * Attaches the client's session ids to sessions. Startup makes a session; resume and compact keep the
 * client's id; `/clear` and fork give a new id, attached to the session that it came from, so that pending
 * changes stay in sight.
 */

import { readFileSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { syncDirectory, temporaryName, writeNewFile } from '../kernel/fs/state-file.ts';
import { processArguments, processStat } from '../kernel/proc/proc.ts';
import { ensureStateDir, isSessionId, sessionDir, sessionIdOfClaude } from './dirs.ts';
import { readMeta, updateMeta } from './meta-file.ts';
import { type Project, readBytes } from './project.ts';
import { ensureSession, listSessions } from './store.ts';
import type { ClaudeIdentity, SessionMeta } from './types.ts';

const TRANSCRIPT_BYTES = 64 * 1024;

export interface AttachInput {
  claudeId: string;
  source: ClaudeIdentity['source'];
  /** The hook's CLAUDE_PID and field 22 of its stat, which together identify a process. */
  pid: number | null;
  pidStart: string | null;
  cwd: BytePath;
  project: Project;
  clientVersion: string | null;
  /** The last resort to find a fork's parent. */
  transcriptPath: string | null;
  now?: Date;
}

export interface Attachment {
  id: string;
  dir: string;
  meta: SessionMeta;
  created: boolean;
}

/** The session of a client's id, or null if it was never attached. Errors: `corrupt`, `io`. */
export async function sessionOfClaude(stateDir: string, claudeId: string): Promise<string | null> {
  const path = attachmentPath(stateDir, claudeId);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new TraiError('io', `an attachment could not be read: ${String(error)}`, { path, cause: error });
  }
  const id = text.replace(/\n$/, '');
  if (isSessionId(id)) return id;
  throw new TraiError('corrupt', `expected the id of a session, got ${JSON.stringify(id.slice(0, 80))}`, {
    path,
  });
}

/**
 * Finds or makes the session of a client (SessionStart) and records the client in its meta.json. Idempotent
 * but for the time; hooks that race get the same session. Errors: `corrupt` for an unusable meta.json, those
 * of ensureStateDir, `busy`, `io`.
 */
export async function attachClaude(stateDir: string, input: AttachInput): Promise<Attachment> {
  ensureStateDir(stateDir);
  const known = await sessionOfClaude(stateDir, input.claudeId);
  const id = known ?? (await bind(stateDir, input.claudeId, await originOf(stateDir, input)));
  // The attachment is first and names the session: a race cannot leave a session without an attachment.
  const { created } = await ensureSession(stateDir, id, input);
  const dir = sessionDir(stateDir, id);
  const meta = await updateMeta(dir, (before) => withIdentity(before, input));
  return { id, dir, meta, created };
}

function attachmentPath(stateDir: string, claudeId: string): string {
  return join(stateDir, 'claude', sessionIdOfClaude(claudeId));
}

/** link(2) fails when another process was first; its attachment counts. */
async function bind(stateDir: string, claudeId: string, id: string): Promise<string> {
  const path = attachmentPath(stateDir, claudeId);
  const temporary = temporaryName(path);
  try {
    await writeNewFile(temporary, `${id}\n`);
    await link(temporary, path);
    await syncDirectory(join(stateDir, 'claude'));
    return id;
  } catch (error) {
    const winner = await sessionOfClaude(stateDir, claudeId);
    if (winner !== null) return winner;
    throw new TraiError('io', `an attachment could not be written: ${String(error)}`, { path, cause: error });
  } finally {
    await rm(temporary, { force: true });
  }
}

async function originOf(stateDir: string, input: AttachInput): Promise<string> {
  const own = sessionIdOfClaude(input.claudeId);
  if (input.source !== 'clear' && input.source !== 'fork') return own;
  const ofProcess = await sessionOfProcess(stateDir, input);
  if (ofProcess !== null || input.source === 'clear') return ofProcess ?? own;
  return (await sessionOfParent(stateDir, input)) ?? own;
}

async function sessionOfProcess(stateDir: string, { pid, pidStart }: AttachInput): Promise<string | null> {
  if (pid === null || pidStart === null) return null;
  let latest = { id: '', at: '' };
  for (const { id, claude } of (await listSessions(stateDir)).sessions) {
    for (const entry of claude) {
      if (entry.pid === pid && entry.pidStart === pidStart && entry.at > latest.at)
        latest = { id, at: entry.at };
    }
  }
  return latest.id === '' ? null : latest.id;
}

/** The parent's id is on the command line, or in lines copied into the transcript. */
async function sessionOfParent(stateDir: string, input: AttachInput): Promise<string | null> {
  const { claudeId, transcriptPath } = input;
  const transcript = readBytes(fromText(transcriptPath ?? ''), TRANSCRIPT_BYTES) ?? '';
  const named = sessionsNamedIn(Buffer.from(transcript, 'latin1').toString('utf8'));
  for (const candidate of [resumedBy(input), ...named]) {
    if (candidate === null || candidate === claudeId) continue;
    const id = await sessionOfClaude(stateDir, candidate);
    const meta = id === null ? null : await readMeta(sessionDir(stateDir, id)).catch(() => null);
    if (meta !== null) return meta.id;
  }
  return null;
}

function resumedBy({ pid, pidStart }: AttachInput): string | null {
  if (pid === null || processStat(pid)?.start !== pidStart) return null;
  return sessionResumedBy(processArguments(pid) ?? []);
}

/** The latest entry of a process decides which session `/clear` continues. */
function withIdentity(meta: SessionMeta, input: AttachInput): SessionMeta {
  const { claudeId: id, source, pid, pidStart, now = new Date() } = input;
  const at = now.toISOString();
  const isSame = (entry: ClaudeIdentity) =>
    entry.id === id && entry.pid === pid && entry.pidStart === pidStart;
  const claude = meta.claude.some(isSame)
    ? meta.claude.map((entry) => (isSame(entry) ? { ...entry, at } : entry))
    : [...meta.claude, { id, source, pid, pidStart, at }];
  const own = configDirOf(input.transcriptPath ?? '');
  const before = meta.claudeDirs ?? [];
  const claudeDirs = own === null || before.includes(own) ? before : [...before, own];
  return { ...meta, claude, claudeDirs, clientVersion: input.clientVersion ?? meta.clientVersion };
}

/** Each once; parents (`forkedFrom`) before a line's own `sessionId`. Lines that are not JSON are skipped. */
export function sessionsNamedIn(transcript: string): string[] {
  const parents: unknown[] = [];
  const own: unknown[] = [];
  for (const line of transcript.split('\n')) {
    const entry = parseObject(line);
    const forkedFrom = entry['forkedFrom'];
    parents.push(forkedFrom, isObject(forkedFrom) ? forkedFrom['sessionId'] : null, entry['parentSessionId']);
    own.push(entry['sessionId']);
  }
  const ids = [...parents, ...own].filter((id) => typeof id === 'string' && id !== '');
  return [...new Set(ids as string[])];
}

function parseObject(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of `--resume ID`, `--resume=ID` or `-r ID`. */
export function sessionResumedBy(argv: readonly string[]): string | null {
  for (const [i, argument] of argv.entries()) {
    if (argument === '--') return null;
    if (argument.startsWith('--resume=')) return argument.slice('--resume='.length);
    if (argument === '--resume' || argument === '-r') return argv[i + 1] ?? null;
  }
  return null;
}

/** From `DIR/projects/PROJECT/ID.jsonl`: one server serves clients with different environments. */
export function configDirOf(transcriptPath: string): string | null {
  return /^(\/.+)\/projects\/[^/]+\/[^/]+\.jsonl$/s.exec(transcriptPath)?.[1] ?? null;
}
