/** Answers to typed `/trai:status`, `diff`, `log` and `ps` without starting a program. */
import { resolve } from 'node:path';
import { sessionProcesses } from '../../core/attribution/processes.ts';
import { diffEntry } from '../../core/content/diff.ts';
import { hiddenAmong } from '../../core/content/texts.ts';
import { countWritten } from '../../core/jobs/lists.ts';
import { statusFacts } from '../../core/jobs/status.ts';
import { withNamedEffects } from '../../core/rules/effects/effects.ts';
import type { Env } from '../../core/session/dirs.ts';
import { readFold } from '../../core/session/log/read.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { fromText, isWithin } from '../../shared/bytes.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import { logText, psText } from '../../shared/terminal/calls.ts';
import { diffText } from '../../shared/terminal/diff.ts';
import { changeLine, statusText } from '../../shared/terminal/status.ts';
import { PLAIN } from '../../shared/terminal/text.ts';
import { answerText } from '../../shared/terminal/visible.ts';
import type { Typed } from '../hooks/world/world.ts';

/** More diffs are only named: the client cuts a longer answer. */
const MAX_DIFFS = 4_500;
const STATUS_PATHS = 50;
const LOG_CALLS = 50;

/** No quotes, options, `~` or patterns: a shell would change nothing. */
const PLAIN_PATH = /^[\p{L}\p{N}./_@+,=:%][\p{L}\p{N}./_@+,=:%-]*$/u;

export interface TypedCommand extends Typed {
  env: Env;
  off: string | null;
  caught: boolean;
}

/** Null when bin/trai has to run, which knows all options. */
export async function typedAnswer(
  ctx: SessionContext,
  list: ChangeList,
  typed: TypedCommand,
): Promise<string | null> {
  const text = await answer(ctx, list, typed);
  return text === null ? null : answerText(text);
}

async function answer(ctx: SessionContext, list: ChangeList, typed: TypedCommand): Promise<string | null> {
  const { name, args, cwd } = typed;
  if (name === 'diff' && args !== '') {
    if (!PLAIN_PATH.test(args) || cwd === '') return null;
    const wanted = fromText(resolve(cwd, args));
    const changes = list.changes.filter((change) => isWithin(change.path, wanted));
    const [only] = changes;
    if (only === undefined) return null;
    // bin/trai has an option for long files.
    if (only.path === wanted && (await diffEntry(ctx, only)).kind === 'collapsed') return null;
    return await diffs(ctx, changes);
  }
  if (args !== '') return null;
  const fold = () => readFold(ctx.sessionDir);
  if (name === 'status') return await status(ctx, list, typed);
  if (name === 'log') {
    const log = await fold();
    const wrote = countWritten(list.changes);
    return logText({ calls: log.views(), tools: log.tools(), wrote }, PLAIN, LOG_CALLS);
  }
  if (name === 'ps') {
    const processes = await sessionProcesses(ctx.source, async () => (await fold()).spans());
    return psText({ session: ctx.session, processes, calls: (await fold()).views() }, PLAIN);
  }
  if (name !== 'diff') return null;
  const changes = list.changes.filter((change) => change.ignored === null);
  const unread = list.problems.map(({ path, message }) => `Could not be read: ${path}: ${message}`);
  if (changes.length > 0) return await diffs(ctx, changes);
  return unread.length > 0 ? unread.join('\n') : 'Nothing is pending.';
}

async function status(
  ctx: SessionContext,
  scanned: ChangeList,
  { env, off, caught }: TypedCommand,
): Promise<string> {
  const list = { ...scanned, changes: withNamedEffects(ctx, scanned.changes) };
  const { session, projectRoot, home } = ctx;
  const facts = await statusFacts(ctx, env);
  const texts = await hiddenAmong(ctx, list.changes, HIDDEN_MS.status);
  const input = { session, projectRoot, home, off, caught, list, texts, ...facts };
  return statusText(input, PLAIN, STATUS_PATHS);
}

async function diffs(ctx: SessionContext, changes: readonly Change[]): Promise<string> {
  let text = '';
  let shown = 0;
  for (const change of changes) {
    if (text.length > MAX_DIFFS) break;
    text += `${diffText(change, await diffEntry(ctx, change), PLAIN)}\n\n`;
    shown++;
  }
  const rest = changes.slice(shown).map((change) => changeLine(change, ctx.projectRoot, PLAIN));
  return [text.trimEnd(), ...(rest.length === 0 ? [] : [`And ${rest.length} more:`, ...rest])].join('\n');
}
