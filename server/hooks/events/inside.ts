/**
 * Events of a client that runs in the session itself (`trai claude`), in whose one view everything is pending:
 * git, file tools and MCP servers need no decision where they run, no hint and no refusal. Permission rules count.
 *
 *     SessionStart          attach the client to this session; orient user and agent
 *     PreToolUse            Bash: the env line must be there, since it hides the credential from the call. All: judge
 *                           by the rules; open a request. Bash: say what cannot work inside
 *     PostToolUse...        Bash: the outcome. Others: the call with its start and end
 *     UserPromptExpansion   a typed slash command, answered here: its program cannot reach the state from inside
 */
import { readGlobals } from '../../../core/decide/git/git.ts';
import type { Word } from '../../../core/decide/shell/facts.ts';
import { parseShell } from '../../../core/decide/shell/parse.ts';
import { programOf } from '../../../core/decide/shell/words.ts';
import { orIfRefused } from '../../../core/kernel/fs/port.ts';
import { cutText } from '../../../core/rules/judge/segments.ts';
import { isBoxed, knownBoxRecord } from '../../../core/sandbox/box-record.ts';
import { homeDir } from '../../../core/session/dirs.ts';
import { openGrant } from '../../../core/session/grants.ts';
import { appendEvent } from '../../../core/session/log/append.ts';
import { readFold } from '../../../core/session/log/read.ts';
import { projectOf } from '../../../core/session/project.ts';
import { readServerFile } from '../../../core/session/server-file.ts';
import { VERSION } from '../../../core/session/version.ts';
import { type BytePath, bytePath, fromText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import { isShell } from '../../../shared/log/calls.ts';
import { EVENT_FIELDS } from '../../../shared/log/events.ts';
import type { BoxRecord } from '../../../shared/model/box.ts';
import { boxContext } from '../../../shared/terminal/box.ts';
import { countText, namedPaths } from '../../../shared/terminal/text.ts';
import { message } from '../../messages/hooks.ts';
import { newCallId } from '../claim/claim.ts';
import { foldBlanks } from '../claim/decide-call.ts';
import { fileRefusal } from '../file-tools/file-view.ts';
import { judgeCall, logDecision, ofTrai, ofVerdict, said } from '../permission/judge-call.ts';
import { logClassifierDenial, logFailure, logOutcomes } from '../permission/outcomes.ts';
import {
  blocked,
  contextAnswer,
  type HookAnswer,
  type HookEvent,
  type HookHeaders,
  json,
  preToolUseAnswer,
  SILENT,
} from '../world/answer.ts';
import { fileOf } from '../world/file-paths.ts';
import { type HookInput, number, runsOwnCommand, type ToolInput, text, toolInput } from '../world/input.ts';
import type { HookSession, HookWorld } from '../world/world.ts';
import { closeDenied, logRefused, openCall, postToolUse } from './bash-calls.ts';
import { overlapNews, userNews } from './news.ts';
import { userPromptSubmit } from './prompt.ts';
import { movedText, newsOfOthers, rulesNews } from './session-start.ts';

export async function answerInside(
  world: HookWorld,
  session: HookSession,
  event: HookEvent,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  switch (event) {
    case 'SessionStart':
      return await start(world, session, input, headers);
    case 'PreToolUse':
      return await before(session, toolInput(input), headers);
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return await after(session, toolInput(input), event === 'PostToolUseFailure');
    case 'PermissionRequest':
      return (await world.server?.questions.ask(session, toolInput(input), headers)) ?? SILENT;
    case 'PermissionDenied':
      await logClassifierDenial(session, input);
      return SILENT;
    case 'PostToolBatch':
      await closeDenied(session, input);
      await logOutcomes(session, input);
      return contextAnswer(event, [...(await overlapNews(session)), ...userNews(session, input)]);
    case 'UserPromptExpansion':
      return await typed(session, input, headers);
    case 'UserPromptSubmit':
      await userPromptSubmit(session, input);
      // Renews the hook's marker: a rule file may have changed since the last call.
      session.rules(world.config().config);
      return contextAnswer(event, userNews(session, input));
    case 'SessionEnd':
      await session.log({ t: 'session.end', claude: input.claude, reason: text(input.all, 'reason') });
      return SILENT;
  }
}

async function start(
  world: HookWorld,
  { id, dir }: HookSession,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const [box, boxed] = [knownBoxRecord(dir), isBoxed(dir)];
  const { claudePid } = headers;
  const source =
    EVENT_FIELDS.session.source.find((known) => known === text(input.all, 'source')) ?? 'startup';
  const cwd = fromText(input.cwd === '' ? '/' : input.cwd);
  const session = await world.attach(
    {
      claudeId: input.claude,
      session: id,
      inside: true,
      source,
      cwd,
      project: projectOf(cwd),
      pid: !boxed || claudePid === null ? claudePid : headers.outside(claudePid),
      pidStart: headers.claudePidStart,
      transcriptPath: text(input.all, 'transcript_path') || null,
    },
    world.config(),
  );
  await session.log({ t: 'session', claude: input.claude, source, cwd: input.cwd, plugin: VERSION });
  const set = session.rules(world.config().config);
  const logged = rulesNews(set);
  const rules = [...logged, ...newsOfOthers(session, set, source)];
  for (const text of logged) await session.log({ t: 'notice', code: 'rules', text });
  const facts = (await session.pending()) ? await session.ask('facts', null).catch(() => null) : null;
  const count = facts === null || facts.count === 0 ? '' : `; ${countText(facts.count, 'change')} pending`;
  const moved = facts === null ? '' : movedText(facts);
  const news = [...(moved === '' ? [] : [moved]), ...rules].map((one) => `; ${one}`).join('');
  const written = writtenTexts(box, boxed, bytePath(session.meta.projectRoot));
  return contextAnswer(
    'SessionStart',
    [
      message('inside-orientation', { written: written.model }),
      ...(box === null ? [] : [boxContext(box)]),
      ...(moved === '' ? [] : [message('inside-moved-model', { moved })]),
    ],
    `trai: ${written.user}${count}${news}. /trai:ui shows it.`,
  );
}

/** What becomes of what is written here. */
function writtenTexts(
  box: BoxRecord | null,
  boxed: boolean,
  projectRoot: BytePath,
): Record<'user' | 'model', string> {
  if (box === null && boxed) return { user: message('box-unread'), model: message('box-unread') };
  const direct = box === null ? [] : [...box.direct, ...box.directFiles];
  if (direct.length === 0) return { user: message('inside-begun'), model: message('inside-written') };
  const named = namedPaths(direct, projectRoot);
  return {
    user: message('inside-begun-direct', { named }),
    model: message('inside-written-direct', { named }),
  };
}

async function before(session: HookSession, call: ToolInput, headers: HookHeaders): Promise<HookAnswer> {
  const since = performance.now();
  const isBash = isShell(call.tool);
  const own = isBash ? envRefusal(headers) : ownRefusal(session, call);
  if (own !== null) {
    await logDecision(session, call, ofTrai('deny', own), since);
    return blocked(own);
  }
  const { world } = session;
  const { config } = world.config();
  const { verdict } = await judgeCall({ world, session, call, config, runs: isBash ? 'sandbox' : null });
  await logDecision(session, call, ofVerdict(verdict), since);
  if (verdict.decision === 'deny') {
    if (isBash) await logRefused(session, call, verdict.why);
    return preToolUseAnswer(said(verdict));
  }
  if (!isBash && !isWriter(call.tool)) return preToolUseAnswer(said(verdict));
  const note = isBash ? noteOn(session, call, config) : '';
  const command = isBash ? text(call.toolInput, 'command') : commandOf(call);
  const updatedInput = await openCall(session, call, { command, text: note });
  return preToolUseAnswer({
    ...said(verdict),
    updatedInput,
    ...(note === '' ? {} : { context: [`trai: ${note}`], systemMessage: `trai: ${note}` }),
  });
}

/** Without the line the call would run beside the client, with its credential in sight. */
function envRefusal({ env }: HookHeaders): string | null {
  return env === 'ok' ? null : message(env === '' ? 'env-unknown' : `env-${env}`);
}

function ownRefusal(session: HookSession, call: ToolInput): string | null {
  if (runsOwnCommand(call)) return message('own-commands');
  return fileRefusal(session.world, call);
}

/** What does not work inside, or acts outside at once; also below wrappers, and in any spelling that the rules read. */
function noteOn(session: HookSession, call: ToolInput, { passthrough }: Config): string {
  const { segments } = cutText(text(call.toolInput, 'command'), call.cwd, homeDir(session.world.env));
  const commands = segments.flatMap(({ spellings }) =>
    spellings.flatMap(([, one]) => parseShell(one).commands.slice(0, 1)),
  );
  const programs = commands.map((command) => programOf(command) ?? '');
  const outside = programs.find((one) => passthrough.includes(one) && one !== 'git' && one !== 'gh');
  const publishes = commands.some(({ words }, at) => programs[at] === 'git' && isPush(words.slice(1)));
  return [
    ...(outside === undefined ? [] : [message('inside-cannot', { program: outside })]),
    ...(publishes ? [message('inside-push')] : []),
  ].join(' ');
}

function isPush(args: readonly Word[]): boolean {
  const [name, ...operands] = readGlobals(args)?.rest ?? [];
  return name?.value === 'push' && !operands.some(({ value }) => value === '--dry-run' || value === '-n');
}

async function after(session: HookSession, call: ToolInput, failed: boolean): Promise<HookAnswer> {
  if (failed) await logFailure(session, call);
  if (!isWriter(call.tool)) return await postToolUse(session, call, failed, true);
  const { request, tool, claude, cwd } = call;
  const open = session.requests.open.find(request);
  const at = open?.at ?? new Date(Date.now() - number(call.all, 'duration_ms')).toISOString();
  const id = newCallId();
  const decision = { mode: 'sandbox', reason: 'inside', text: '' } as const;
  const command = commandOf(call);
  await session.log({
    t: 'call.decided',
    call: id,
    request,
    matched: 'exact',
    origin: 'claude',
    command,
    cwd,
    ...decision,
  });
  const pid = session.meta.claude.findLast((one) => one.id === claude)?.pid ?? 0;
  // From the request on it may have written, whenever this event arrives.
  appendEvent(session.dir, {
    v: 1,
    t: 'call.started',
    at,
    call: id,
    pid,
    mode: 'sandbox',
    overlay: 'inside',
  });
  await session.log({ t: 'call.ended', call: id, rc: failed ? 1 : 0, ms: number(call.all, 'duration_ms') });
  session.requests.close(request);
  const path = fileOf(call);
  const outcome = failed ? 'failed' : 'written';
  if (path !== null)
    await session.log({ t: 'file', request, claude, agent: call.agent, tool, path, outcome, text: '' });
  return SILENT;
}

/** Tools of the client that write by themselves. */
function isWriter(tool: string): boolean {
  return /^(?:Edit|MultiEdit|Write|NotebookEdit|mcp__.*)$/s.test(tool);
}

function commandOf(call: ToolInput): string {
  const path = fileOf(call);
  return path === null ? call.tool : `${call.tool} ${path}`;
}

/** Of this session, and nothing outside of it is written or allowed. */
const IN_A_BOX: ReadonlySet<string> = new Set([
  'status',
  'diff',
  'log',
  'why',
  'ps',
  'discard',
  'explore',
  'ui',
  'doctor',
]);
const COMMITS: ReadonlySet<string> = new Set(['commit', 'undo']);

/**
 * A permit comes only from a process in the client's own namespace: its calls run in namespaces below it, so that
 * a credential that one of them got hold of allows nothing.
 */
async function typed(session: HookSession, input: HookInput, headers: HookHeaders): Promise<HookAnswer> {
  const [plugin, name] = text(input.all, 'command_name').split(':');
  if (plugin !== 'trai' || name === undefined || text(input.all, 'expansion_type') !== 'slash_command')
    return SILENT;
  const say = (reason: string): HookAnswer => json({ decision: 'block', reason });
  if (!(await isFromClient(session, headers)))
    return say(
      `trai: ${message('not-typed', { name, who: 'a process that is not the client of this session' })}`,
    );
  const args = foldBlanks(text(input.all, 'command_args'));
  const what = `${name} ${args}`.trim();
  // Complete: without its paths a command is about everything.
  const command = `trai ${name} --session ${session.id} ${args}`.trim();
  const mayCommit = knownBoxRecord(session.dir)?.commitInside === true;
  if (isBoxed(session.dir) && !IN_A_BOX.has(name) && !(mayCommit && COMMITS.has(name)))
    return say(`trai: ${message('box-outside', { name, command, where: dashboardOf(session) })}`);
  if (name === 'passthrough') return say(`trai: ${message('inside-passthrough')}`);
  if (name === 'adopt') return say(`trai: ${message('inside-adopt', { other: args === '' ? 'ID' : args })}`);
  const { server } = session.world;
  const answer = (await server?.typed(session, { name, args, cwd: input.cwd })) ?? null;
  if (answer !== null) return say(answer);
  await openGrant(session.dir, { kind: 'permit', what });
  await session.log({ t: 'grant', kind: 'permit', what, state: 'open' });
  const said =
    (await server?.runTyped(session, name, input.cwd)) ?? `trai: ${message('inside-outside', { command })}`;
  return said.startsWith('{"decision":"block"') ? { exit: 0, stream: 'out', text: `${said}\n` } : say(said);
}

function dashboardOf({ world }: HookSession): string {
  const file = orIfRefused(() => readServerFile(world.stateDir), null);
  return file === null ? 'trai ui' : `http://127.0.0.1:${file.port}/ (trai ui)`;
}

async function isFromClient({ dir }: HookSession, { isClientOf }: HookHeaders): Promise<boolean> {
  const fold = await readFold(dir);
  const launchers = [...fold.running.values()].filter(({ call }) => fold.view(call)?.origin === 'client');
  return launchers.some(({ pid }) => isClientOf(pid));
}
