/**
 * Attaches the client's session ids to sessions. hooks/session-start.sh chooses the session, as its env line
 * names it: a start makes one; resume and compact keep the client's id; `/clear` and fork give a new id,
 * attached to the session that it came from, so that pending changes stay in sight.
 */

import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../../shared/bytes.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { readText, syncPath, temporaryName, writeNewFile } from '../kernel/fs/state-file.ts';
import { ensureStateDir, isSessionId, sessionDir, sessionIdOfClaude } from './dirs.ts';
import { attachmentDamaged, attachmentNotWritten, attachmentUnreadable } from './messages/errors.ts';
import { type ClaudeIdentity, type SessionMeta, updateMeta } from './meta-file.ts';
import type { Project } from './project.ts';
import { ensureSession } from './store.ts';

export interface AttachInput {
  claudeId: string;
  /** As the hook chose it; empty = that of the client's id. */
  session: string;
  source: ClaudeIdentity['source'];
  /** The hook's CLAUDE_PID and field 22 of its stat, which together identify a process. */
  pid: number | null;
  pidStart: string | null;
  cwd: BytePath;
  project: Project;
  /** The client runs in `session` itself, whatever an earlier conversation was attached to. */
  inside?: boolean;
  /** Names the client's config directory. */
  transcriptPath: string | null;
  now?: Date;
}

interface Attachment {
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
    text = readText(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw attachmentUnreadable(path, error);
  }
  const id = text.replace(/\n$/, '');
  if (isSessionId(id)) return id;
  throw attachmentDamaged(path, id);
}

/**
 * Finds or makes the session of a client (SessionStart) and records the client in its meta.json. Idempotent
 * but for the time; hooks that race get the same session. Errors: `corrupt` for an unusable meta.json, those
 * of ensureStateDir, `busy`, `io`.
 */
export async function attachClaude(
  stateDir: string,
  input: AttachInput,
  also: (meta: SessionMeta, sessionDir: string) => SessionMeta = (meta) => meta,
): Promise<Attachment> {
  ensureStateDir(stateDir);
  const { claudeId, session } = input;
  const chosen = isSessionId(session) ? session : sessionIdOfClaude(claudeId);
  const known = (await sessionOfClaude(stateDir, claudeId)) ?? (await bind(stateDir, claudeId, chosen));
  const id = input.inside === true ? chosen : known;
  // The attachment is first and names the session: a race cannot leave a session without an attachment.
  const { created } = await ensureSession(stateDir, id, input);
  const dir = sessionDir(stateDir, id);
  const meta = await updateMeta(dir, (before) => also(withIdentity(before, input), dir));
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
    linkSync(temporary, path);
    await syncPath(join(stateDir, 'claude'));
    return id;
  } catch (error) {
    const winner = await sessionOfClaude(stateDir, claudeId);
    if (winner !== null) return winner;
    throw attachmentNotWritten(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

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
  return { ...meta, claude, claudeDirs };
}

/** From `DIR/projects/PROJECT/ID.jsonl`: one server serves clients with different environments. */
export function configDirOf(transcriptPath: string): string | null {
  return /^(\/.+)\/projects\/[^/]+\/[^/]+\.jsonl$/s.exec(transcriptPath)?.[1] ?? null;
}
