/**
 * The launcher's claim: where does this call run?
 *
 *     extract the command from the client's shell string               core/decide/call-text.ts
 *     decide, with the facts that the decision depends on              decide-call.ts, own-reach.ts
 *     host: refuse unless the user was asked where required; save what it discards     core/git-rescue/
 *     prepare the launcher's directory: mount plan (sandbox) or mask (host)
 *     match the claim with the request that PreToolUse logged; log call.decided; answer
 *
 * The decision is about the text that runs: other plugins rewrite commands after PreToolUse. Any failure
 * refuses the call; no error leads to the host.
 */
import { randomBytes } from 'node:crypto';
import { commandOf, matchRequest } from '../../../core/decide/call-text.ts';
import { decision as plainDecision } from '../../../core/decide/decide.ts';
import { expireSaved, keepLosses } from '../../../core/git-rescue/keep.ts';
import { isBoxed, writesDirectly } from '../../../core/sandbox/box-record.ts';
import { insideAt, isClientRunning } from '../../../core/sandbox/client-door.ts';
import type { Config } from '../../../shared/config/config.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { EventOf } from '../../../shared/log/events.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import { message } from '../../messages/hooks.ts';
import type { OpenCall } from '../world/requests.ts';
import { failureText } from '../world/session-files.ts';
import type { HookSession, HookWorld } from '../world/world.ts';
import { type Decided, decideCall, unlessUnable } from './decide-call.ts';

/** docs/protocol.md, POST /claim. */
export interface Claim {
  session: string;
  pid: number;
  cwd: string;
  origin: EventOf<'call.decided'>['origin'];
  /** It was decided `sandbox`, and found other mounts than those of its plan. */
  again: boolean;
  /** The client's whole shell string, or the command text of the others. */
  string: string;
  carried: string;
}

export interface InsideAsker {
  session: string;
  /** The number here of a launcher that has another one in its box; null = not found. */
  outside: (pid: number) => number | null;
}

/** Six fields with NUL between them. Null = malformed. */
export function readClaim(body: Buffer): Claim | null {
  const [session, pid, cwd, from, string, carried, ...rest] = body.toString('utf8').split('\0');
  if (session === undefined || pid === undefined || cwd === undefined || string === undefined) return null;
  const [, again, origin] = /^(again:)?(.*)$/.exec(from ?? '') ?? [];
  if (carried === undefined || rest.length > 0 || !/^[1-9]\d{0,9}$/.test(pid) || !cwd.startsWith('/'))
    return null;
  if (origin !== 'claude' && origin !== 'exec' && origin !== 'explore' && origin !== 'client') return null;
  return { session, pid: Number(pid), cwd, origin, again: again !== undefined, string, carried };
}

/** Sorts by time; unique without a counter, since server and Node path both create ids. */
export function newCallId(): string {
  return `${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`;
}

/**
 * `host CALL MASKDIR|-`, `sandbox CALL PLANDIR`, `join CALL PLANDIR` (sandbox, where a process of the session stays),
 * `inside[:PID] CALL MASKDIR` or `refuse CALL`, then text for stderr. Never throws.
 * @param inside where the asking client itself runs in a session
 */
export async function answerClaim(
  world: HookWorld,
  body: Buffer,
  report: (thrown: unknown) => void,
  inside: InsideAsker | null = null,
): Promise<string> {
  const call = newCallId();
  try {
    const claim = readClaim(body);
    if (claim === null) throw new Error('the launcher sent a claim of unknown form');
    const session = await world.session(claim.session);
    if (session === null) throw new Error(`there is no session ${claim.session}`);
    if (inside !== null) return await answerInside(session, inside, claim, call);
    // It would join the client's own namespace, and with it get the session's credential.
    if (claim.origin === 'claude' && isClientRunning(session.dir))
      throw new Error(message('inside-elsewhere', { session: session.id }));
    // The namespace that it would join has the project as the host's.
    if (claim.origin !== 'client' && isClientRunning(session.dir) && writesDirectly(session.dir))
      throw new Error(message('box-direct', { session: session.id }));
    return await (claim.again ? answerAgain : answer)(session, claim, call);
  } catch (error) {
    report(error);
    const why = failureText(error, world.stateDir);
    return `refuse ${call}\n${message('not-run', { why })}\nSee: trai doctor\n`;
  }
}

/** A call of a client that runs in the session: nothing is mounted for it, and nothing is the host's. */
async function answerInside(
  session: HookSession,
  inside: InsideAsker,
  claim: Claim,
  call: string,
): Promise<string> {
  if (claim.origin !== 'claude' || claim.again || session.id !== inside.session)
    throw new Error(`this credential is for calls of session ${inside.session}`);
  const { origin, cwd, string, carried } = claim;
  const command = commandOf(string, carried) ?? '';
  const found = attribute(session, claim, command, { call, mode: 'sandbox' });
  const { matched } = found;
  const request = found.open?.request ?? '';
  session.world.server?.questions.began(request);
  const decision = { mode: 'sandbox', reason: 'inside', text: '' } as const;
  await session.log({ t: 'call.decided', call, request, matched, origin, command, cwd, ...decision });
  const known = isBoxed(session.dir) ? `:${inside.outside(claim.pid) ?? 0}` : '';
  return `inside${known} ${call} ${insideAt(session.world.stateDir)}/host\n`;
}

async function answer(session: HookSession, claim: Claim, call: string): Promise<string> {
  const isClaude = claim.origin === 'claude';
  // Decision and mount plan must use the same config.
  const { config, file } = session.world.config();
  const { command, decision: wanted } = await decideClaim(session, claim, config);
  const decision = await unlessUnable(session, wanted);
  // Only for host calls: it reads the open requests, and most calls are sandboxed.
  const asker = decision.mode === 'host' ? askerOf(session, claim, command) : USER;
  const mayBeLost = asker.asked || decision.usedOneShot || config.hostWithPending === 'warn';
  const kept = await whenKept(session, call, whenAsked(decision, asker), { ...asker, mayBeLost, config });
  const { note } = kept;
  const { outcome, dir, live } = await withDirectory(session, claim, kept.outcome, config);
  if (decision.usedOneShot)
    await session.log({ t: 'grant', kind: 'passthrough', what: 'next call', state: 'used' });
  const { mode, reason, text } = outcome;
  const found = isClaude ? attribute(session, claim, command, { call, mode }) : NO_REQUEST;
  session.world.server?.questions.began(found.open?.request ?? '');
  await session.log({
    t: 'call.decided',
    call,
    request: found.open?.request ?? '',
    matched: found.matched,
    origin: claim.origin,
    command,
    cwd: claim.cwd,
    mode,
    reason,
    text,
  });
  if (isClaude) {
    const { program, pending } = decision;
    await session.log({ t: 'call.grounds', call, program, pending, config: file ?? '' });
  }
  if (mode === 'host') await rememberHostCall(session, call, outcome, decision.pending === 'yes');
  if (found.open === null && isClaude)
    session.requests.loose.save({ call, command, at: new Date().toISOString() });
  // PreToolUse shows the user's warnings; printed here they would become the command's output.
  if (mode === 'refuse') return `refuse ${call}\n${text}\n`;
  if (mode === 'sandbox') return `${live ? 'join' : mode} ${call} ${dir}\n`;
  return `host ${call} ${dir}\n${note === '' ? '' : `${note}\n`}`;
}

/** A plan for the mounts of now. Where the call runs is decided, and logged, already. */
async function answerAgain(session: HookSession, claim: Claim, call: string): Promise<string> {
  const { config } = session.world.config();
  const wanted = plainDecision('sandbox', 'default');
  const { outcome, dir, live } = await withDirectory(session, claim, wanted, config);
  if (outcome.mode === 'refuse') return `refuse ${call}\n${outcome.text}\n`;
  return `${live ? 'join' : 'sandbox'} ${call} ${dir}\n`;
}

/** Adds the directory from which the launcher creates the namespace; `-`: a host call without one. */
async function withDirectory(
  session: HookSession,
  claim: Claim,
  outcome: Decision,
  config: Config,
): Promise<{ outcome: Decision; dir: string; live: boolean }> {
  const nowhere = { dir: '', live: false };
  if (outcome.mode === 'refuse') return { outcome, ...nowhere };
  try {
    if (outcome.mode === 'host')
      return { outcome, dir: outcome.open === null ? session.hostMask(claim.pid) : '-', live: false };
    const { live } = await session.settled();
    return { outcome, dir: await session.plan(claim.pid, config, claim.origin === 'client'), live };
  } catch (error) {
    const why = failureText(error, session.world.stateDir);
    const hint = error instanceof TraiError && error.hint !== undefined ? `\n${error.hint}` : '';
    const text = message('not-run', { why }) + hint;
    return { outcome: { ...outcome, mode: 'refuse', reason: 'unavailable', text }, ...nowhere };
  }
}

/** Who made the call: the model, with or without a question to the user, or the user. */
interface Asker {
  who: 'model' | 'user';
  asked: boolean;
  /** Nobody was asked because it would run in the sandbox. */
  sandboxed: boolean;
  /** The request has exactly the text that runs; otherwise another plugin may have rewritten it. */
  sameText: boolean;
}

const USER: Asker = { who: 'user', asked: false, sandboxed: false, sameText: false };

function askerOf({ requests }: HookSession, claim: Claim, command: string): Asker {
  const open = requests.list().filter((request) => request.call === '');
  const { request, matched } = matchRequest(open, command, claim.cwd);
  const sameText = matched === 'exact' || matched === 'normalised';
  const { asked = false, sandboxed = false } = request ?? {};
  return { who: sameText ? 'model' : 'user', asked, sandboxed, sameText };
}

interface Outcome {
  outcome: Decision;
  note: string;
}

/**
 * Applies a decision that requires a question to the user.
 *
 * - PreToolUse asked, and the client went on: allowed.
 * - No PreToolUse (`!`, the line of a slash command): the user wrote it, and gets a note. Only git that may
 *   run other programs goes to the sandbox unless that was allowed.
 * - A call that was allowed because its writes would stay pending: refused on the host.
 * - A call of the model without a question, because something became pending since: refused, and asked about
 *   when it comes again.
 */
function whenAsked(decision: Decision, { who, asked, sandboxed, sameText }: Asker): Outcome {
  if (decision.mode === 'host' && sandboxed) {
    const text = message('unasked-host');
    return { outcome: { ...decision, mode: 'refuse', reason: 'unasked', text }, note: '' };
  }
  if (decision.mode !== 'host' || decision.ask === '') return { outcome: decision, note: '' };
  const runsPrograms = decision.reason === 'runs-programs';
  if (asked && (sameText || !runsPrograms)) return { outcome: decision, note: '' };
  if (runsPrograms) return { outcome: plainDecision('sandbox', 'default'), note: '' };
  if (who === 'user') return { outcome: decision, note: decision.text };
  const text = message('unasked', { said: decision.text });
  return { outcome: { ...decision, mode: 'refuse', reason: 'unasked', text }, note: '' };
}

/** Saves what a host call discards; on failure it runs only if the user allowed the loss. */
async function whenKept(
  session: HookSession,
  call: string,
  { outcome, note }: Outcome,
  { who, mayBeLost, config }: Asker & { mayBeLost: boolean; config: Config },
): Promise<Outcome> {
  const lost = outcome.mode === 'host' ? await keep(session, call, outcome.uses, config) : '';
  if (lost === '' || mayBeLost) return { outcome, note };
  if (who === 'user') return { outcome, note: note === '' ? lost : `${note}\ntrai: ${lost}` };
  const text = message('loss-refused', { lost });
  return { outcome: { ...outcome, mode: 'refuse', reason: 'unasked', text }, note };
}

/** Logs how to restore. The result names what could not be saved, or is empty. */
async function keep(
  session: HookSession,
  call: string,
  uses: Decision['uses'],
  { undo }: Config,
): Promise<string> {
  if (!uses.some(({ losses }) => losses.length > 0)) return '';
  const saved = `${session.dir}/saved`;
  expireSaved(saved, undo.keepDays, Date.now());
  const kept = await keepLosses(uses, saved, call);
  for (const { failed, ...rest } of kept) await session.log({ t: 'call.saved', call, ...rest, text: failed });
  return kept
    .flatMap(({ what, failed: why }) => (why === '' ? [] : [message('not-kept', { what, why })]))
    .join(' ');
}

async function decideClaim(
  session: HookSession,
  { origin, string, carried, cwd }: Claim,
  config: Config,
): Promise<{ command: string; decision: Decided }> {
  // exec, explore and `trai claude` name the sandbox.
  if (origin !== 'claude')
    return { command: string, decision: { ...plainDecision('sandbox', 'default'), pending: 'unasked' } };
  const command = commandOf(string, carried);
  if (command === null)
    return { command: '', decision: { ...plainDecision('sandbox', 'not-understood'), pending: 'unasked' } };
  return { command, decision: await decideCall(session, { command, cwd, config, at: 'claim' }) };
}

const NO_REQUEST: { open: OpenCall | null; matched: EventOf<'call.decided'>['matched'] } = {
  open: null,
  matched: 'none',
};

/** Matches the call with its request and takes that, so that no other call can. */
function attribute(
  { requests }: HookSession,
  claim: Claim,
  command: string,
  taker: Pick<OpenCall, 'call' | 'mode'>,
): typeof NO_REQUEST {
  let open = requests.list().filter((request) => request.call === '');
  for (;;) {
    const { request, matched } = matchRequest(open, command, claim.cwd);
    if (request === null) return NO_REQUEST;
    if (requests.take({ ...request, ...taker })) return { open: request, matched };
    open = open.filter((one) => one !== request);
  }
}

/** Before a host command that may change files: the conflicts so far, to tell new ones afterwards. */
async function rememberHostCall(
  session: HookSession,
  call: string,
  { uses }: Pick<Decision, 'uses'>,
  pending: boolean,
): Promise<void> {
  const working = uses.filter((use) => use.scope !== 'git-dir');
  if (working.length === 0) return;
  const conflicts = pending ? await session.ask('conflicts', null) : [];
  session.requests.host.save({
    call,
    what: [...new Set(working.map(({ what }) => what))].join(' and '),
    dirs: [...new Set(working.flatMap(({ dirs }) => dirs ?? []))],
    conflicts: conflicts.map(({ path }) => path),
  });
}
