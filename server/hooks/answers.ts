import { bytePath, fromText } from '../../shared/bytes.ts';
import { hiddenAmong } from '../../shared/changes/node/hidden-texts.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import type { SessionMeta } from '../../shared/session/types.ts';
import { countWritten } from '../sessions/written.ts';
import { diffText } from '../text/diff.ts';
import { logText } from '../text/log.ts';
import { psText } from '../text/ps.ts';
import { changeLine, statusText } from '../text/status.ts';
import { PLAIN } from '../text/style.ts';
import type { HookWorld } from './world.ts';

/** The client cuts what a hook says at 10,000 characters. */
const MAX_TEXT = 9_000;
const STATUS_PATHS = 50;
const LOG_CALLS = 50;

/** The text that answers `/trai:NAME` without a model turn; null when the command has to be run. */
export async function answerText(
  world: HookWorld,
  session: SessionMeta,
  name: string,
  args: string,
): Promise<string | null> {
  // What has arguments is for bin/trai, which knows all of them.
  if (args !== '') return null;
  if (name === 'status') return cut(await status(world, session));
  if (name === 'diff' && world.diff !== null) return cut(await diff(world, session, world.diff));
  if (name === 'ps') return cut(await ps(world, session));
  if (name === 'log') return cut(await log(world, session));
  return null;
}

async function status(world: HookWorld, session: SessionMeta): Promise<string> {
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

async function log(world: HookWorld, session: SessionMeta): Promise<string> {
  const wrote = countWritten((await world.changeList(session)).changes);
  return logText(await world.calls(session), PLAIN, LOG_CALLS, wrote);
}

async function ps(world: HookWorld, session: SessionMeta): Promise<string> {
  const processes = await world.processes(session);
  return psText({ session: session.id, processes, calls: await world.calls(session) }, PLAIN);
}

/** Diffs as long as they fit; the rest is named. */
async function diff(
  world: HookWorld,
  session: SessionMeta,
  compare: NonNullable<HookWorld['diff']>,
): Promise<string> {
  const { list } = await world.overview(session);
  const changes = list.changes.filter((change) => change.ignored === null);
  const unread = list.problems.map(({ path, message }) => `Could not be read: ${path}: ${message}`);
  if (changes.length === 0 && unread.length > 0) return unread.join('\n');
  if (changes.length === 0) return 'Nothing is pending.';
  let text = '';
  let shown = 0;
  for (const change of changes) {
    if (text.length > MAX_TEXT / 2) break;
    text += `${diffText(change, await compare(session, change), PLAIN)}\n\n`;
    shown++;
  }
  const rest = changes.slice(shown).map((change) => changeLine(change, bytePath(session.projectRoot), PLAIN));
  return [text.trimEnd(), ...(rest.length === 0 ? [] : [`And ${rest.length} more:`, ...rest])].join('\n');
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}\n… (cut; /trai:ui shows all)`;
}
