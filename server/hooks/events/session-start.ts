import { writeFileSync } from 'node:fs';
import { orIfRefused } from '../../../core/kernel/fs/port.ts';
import type { RuleSet } from '../../../core/rules/files/rule-set.ts';
import { importNews } from '../../../core/rules/manage/import-news.ts';
import { hasPassthru } from '../../../core/rules/manage/settings.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { projectOf } from '../../../core/session/project.ts';
import { VERSION } from '../../../core/session/version.ts';
import { bytePath, fromText, toDisplay, toText } from '../../../shared/bytes.ts';
import { EVENT_FIELDS } from '../../../shared/log/events.ts';
import { countText } from '../../../shared/terminal/text.ts';
import { message } from '../../messages/hooks.ts';
import { rememberUnable } from '../claim/decide-call.ts';
import { forgetTold } from '../file-tools/search-hint.ts';
import { contextAnswer, type HookAnswer, type HookHeaders } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { PendingFacts } from '../world/list-questions.ts';
import { whyUnable } from '../world/session-files.ts';
import { within } from '../world/within.ts';
import type { Earlier, HookSession, HookWorld } from '../world/world.ts';

/** SessionStart is waited for; a slower list (ms) is not counted. */
const LIST_MS = 2_000;
const MOST_EARLIER = 3;

export async function sessionStart(
  world: HookWorld,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const source =
    EVENT_FIELDS.session.source.find((known) => known === text(input.all, 'source')) ?? 'startup';
  const transcript = text(input.all, 'transcript_path');
  const cwd = fromText(input.cwd === '' ? '/' : input.cwd);
  const loaded = world.config();
  const request = {
    claudeId: input.claude,
    session: headers.session,
    source,
    cwd,
    project: projectOf(cwd),
    pid: headers.claudePid,
    pidStart: headers.claudePidStart,
    transcriptPath: transcript === '' ? null : transcript,
  };
  const session = await world.attach(request, loaded);
  forgetTold(session.dir);
  await session.log({ t: 'session', claude: input.claude, source, cwd: input.cwd, plugin: VERSION });
  const { problems, file, config } = loaded;
  const problem =
    problems.length === 0 ? '' : message('bad-config', { file: file ?? '', problems: problems.join('; ') });
  if (problem !== '') await session.log({ t: 'notice', code: 'config', text: problem });
  const set = session.rules(config);
  const rules = rulesNews(set);
  const ofOthers = newsOfOthers(session, set, source);
  for (const news of rules) await session.log({ t: 'notice', code: 'rules', text: news });
  const unable = config.enabled ? await whyUnable(world.stateDir, world.env) : null;
  rememberUnable(session, unable);
  const news = [
    ...(problem === '' ? [] : [problem]),
    ...rules,
    ...ofOthers,
    ...(config.enabled ? [] : [message('config-off')]),
  ];
  return unable === null ? await welcome(session, news) : await sayUnable(session, unable, rules);
}

/** What the user must know about the permission rules. */
export function rulesNews({ enabled, files }: RuleSet): string[] {
  if (!enabled) return [message('rules-off')];
  return files.flatMap(({ path, state, problems, trusted, rules }) => {
    const file = toDisplay(path);
    const problem = problems[0] ?? '';
    if (state === 'broken') return [message('rules-broken', { file, problem })];
    if (state === 'last-good') return [message('rules-last-good', { file, problem })];
    const waits = !trusted && rules?.ordered.some(({ ref }) => ref.list === 'allow') === true;
    return waits ? [message('rules-untrusted', { file })] : [];
  });
}

const SOURCES = { passthru: 'the passthru plugin', settings: 'Claude Code’s settings' } as const;

/** That another plugin decides too, and rules of elsewhere, for those who use rules. Not in the middle of a conversation. */
export function newsOfOthers(session: HookSession, set: RuleSet, source: string): string[] {
  if (source !== 'startup' && source !== 'resume') return [];
  const { world, meta } = session;
  const { env, stateDir } = world;
  const root = bytePath(meta.projectRoot);
  const about = { stateDir, project: { root, id: meta.projectId } };
  const request = { env, home: homeDir(env), projectRoot: toText(root) };
  const found = orIfRefused(() => importNews(about, set, request), []);
  return [
    ...(set.enabled && hasPassthru(request) ? [message('rules-passthru')] : []),
    ...found.map(({ from, count }) =>
      message('rules-importable', {
        count: countText(count, 'entry', 'entries'),
        from: SOURCES[from],
        name: from,
      }),
    ),
  ];
}

/** The session is set up nevertheless: pending changes stay, and nothing runs unsandboxed. */
async function sayUnable(session: HookSession, why: string, rules: readonly string[]): Promise<HookAnswer> {
  await session.log({ t: 'doctor', ok: false, failed: [why] });
  const pending = (await session.pending()) ? message('pending-safe') : '';
  const context = `trai: ${message('unable-model', { why, pending })}`;
  const said = [message('unable-user', { why, pending }), ...rules];
  return contextAnswer('SessionStart', [context], `trai: ${said.join('; ')}`);
}

async function welcome(session: HookSession, news: readonly string[]): Promise<HookAnswer> {
  const isPending = await session.pending();
  // A failing list is reported where it is asked for.
  const asked = isPending ? session.ask('facts', null).catch(() => null) : Promise.resolve(null);
  const facts = await within(LIST_MS, asked);
  const moved = facts === null ? '' : movedText(facts);
  const said = [
    ownText(session, isPending, facts),
    ...(moved === '' ? [] : [moved]),
    ...earlierText(await session.earlierPending(), isPending),
    ...news,
    ...(isFirstTime(session) ? [message('try-claude')] : []),
  ];
  const context = orientation(isPending, facts, moved);
  return contextAnswer('SessionStart', context, `trai: ${said.join('; ')}. /trai:ui shows it.`);
}

/** Said once on a machine. */
function isFirstTime({ world }: HookSession): boolean {
  return orIfRefused(() => {
    writeFileSync(`${world.stateDir}/told-claude`, '', { flag: 'wx', mode: 0o600 });
    return true;
  }, false);
}

function ownText({ meta }: HookSession, isPending: boolean, facts: PendingFacts | null): string {
  const count = facts?.count ?? 0;
  if (isPending)
    return `this session has ${count === 0 ? 'pending changes' : countText(count, 'pending change')}`;
  return meta.wentOnIn === undefined ? message('begun') : message('went-on', { session: meta.wentOnIn });
}

export function movedText({ count, moved, movedNamed }: PendingFacts): string {
  if (moved === 0) return '';
  return message('moved', { moved, count: countText(count, 'pending path'), named: movedNamed });
}

/** Only a session without pending changes can adopt another's. */
function earlierText(earlier: readonly Earlier[], pending: boolean): string[] {
  const named = earlier.slice(0, MOST_EARLIER).map(({ id, changes }) => {
    const has = `session ${id} has ${changes === null ? 'pending changes' : countText(changes, 'pending change')}`;
    return pending ? has : `${has}: /trai:adopt ${id} continues with ${changes === 1 ? 'it' : 'them'}`;
  });
  return earlier.length > MOST_EARLIER
    ? [...named, `${earlier.length - MOST_EARLIER} more sessions have pending changes`]
    : named;
}

/** Short: it costs tokens in every session. */
function orientation(isPending: boolean, facts: PendingFacts | null, moved: string): string[] {
  const pending =
    facts === null || facts.count === 0
      ? 'This session has pending changes from earlier.'
      : `This session has ${countText(facts.count, 'pending change')} from earlier: ${facts.named}.`;
  return [
    message('orientation'),
    ...(isPending ? [pending] : []),
    ...(moved === '' ? [] : [message('moved-model', { moved })]),
  ];
}
