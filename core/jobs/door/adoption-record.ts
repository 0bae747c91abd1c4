/** What finishing an adoption needs to know and writes down, when it is done and when it was interrupted. */
import { TraiError } from '../../../shared/errors.ts';
import { mayHavePending } from '../../commit/discard/discard.ts';
import type { AdoptNote, FinishTools } from '../../commit/retention/adopt.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { sessionDir } from '../../session/dirs.ts';
import { appendEvent } from '../../session/log/append.ts';
import { readMeta, updateMeta } from '../../session/meta-file.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { SessionMeta } from '../../session/types.ts';
import { tellAgent } from './agent-news.ts';

export function adoptionTools(to: SessionContext): FinishTools {
  return {
    port: nodePort,
    holdsPending: async () => await mayHavePending(to),
    record: async (note) => await record(to.stateDir, note),
  };
}

/** Both logs say what moved, and both meta.json where to look for the other. */
async function record(stateDir: string, note: AdoptNote): Promise<void> {
  const at = new Date().toISOString();
  const { from, to, entries } = note;
  const known = await goneOr(async () => await readMeta(sessionDir(stateDir, from)));
  for (const id of known === null ? [to] : [from, to]) {
    appendEvent(sessionDir(stateDir, id), { v: 1, at, t: 'adopt', from, to, entries });
  }
  if (known !== null) await updateMeta(sessionDir(stateDir, from), (meta) => ({ ...meta, wentOnIn: to }));
  tellAgent(
    sessionDir(stateDir, to),
    `the user lets this session go on with the pending changes of session ${from}.`,
  );
  await updateMeta(sessionDir(stateDir, to), (meta) => adopter(meta, from, known));
}

function adopter(meta: SessionMeta, from: string, known: SessionMeta | null): SessionMeta {
  const adopted = [...new Set([...(meta.adopted ?? []), from])];
  // What the client of the earlier session rewrites by itself is as little a change in this one.
  const claudeDirs = [...new Set([...(meta.claudeDirs ?? []), ...(known?.claudeDirs ?? [])])];
  const { wentOnIn: _, ...rest } = meta;
  return { ...rest, adopted, claudeDirs };
}

/** Null when the session directory was removed meanwhile. */
async function goneOr<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TraiError && error.code === 'no-session') return null;
    throw error;
  }
}
