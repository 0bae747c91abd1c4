/**
 * The launcher's claim: where does this call run?
 *
 *     take the command out of the client's shell string         core/decide/shell/unquote-call.ts
 *     decide, with the facts that the decision depends on       decide-call.ts, host-pending.ts, own-reach.ts
 *     host: only if the user was asked where that is wanted; save what it throws away first       keep-call.ts
 *     sandbox: make sure of the mount plan; host: of the mask
 *     match the claim with the request that PreToolUse logged
 *     log call.decided, answer
 *
 * What runs is decided here, on the text that runs: other plugins rewrite commands after PreToolUse. Any failure refuses the
 * call; no error leads to the host.
 */
import { randomBytes } from 'node:crypto';
import { decision as plainDecision } from '../../../core/decide/decide.ts';
import { matchRequest } from '../../../core/decide/match.ts';
import { commandOf } from '../../../core/decide/shell/unquote-call.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { EventOf } from '../../../shared/log/events.ts';
import type { Config } from '../../../shared/model/config-types.ts';
import type { Decision } from '../../../shared/model/decision.ts';
import { failureText } from '../world/failure.ts';
import type { OpenCall } from '../world/requests.ts';
import type { HookWorld } from '../world/world.ts';
import { type Decided, decideCall } from './decide-call.ts';
import { rememberHostCall } from './host-news.ts';
import { keepFirst } from './keep-call.ts';
import { unlessUnable } from './unable.ts';

/** What a launcher sends: docs/protocol.md, POST /claim. */
export interface Claim {
  session: string;
  pid: number;
  cwd: string;
  origin: EventOf<'call.decided'>['origin'];
  /** The client's whole shell string, or the command text of exec and explore. */
  string: string;
  carried: string;
}

/** Reads a claim: six fields with NUL between them. Null = malformed. */
export function readClaim(body: Buffer): Claim | null {
  const [session, pid, cwd, origin, string, carried, ...rest] = body.toString('utf8').split('\0');
  if (session === undefined || pid === undefined || cwd === undefined || string === undefined) return null;
  if (carried === undefined || rest.length > 0 || !/^[1-9]\d{0,9}$/.test(pid) || !cwd.startsWith('/'))
    return null;
  if (origin !== 'claude' && origin !== 'exec' && origin !== 'explore') return null;
  return { session, pid: Number(pid), cwd, origin, string, carried };
}

/**
 * Answers a launcher: `host CALL MASKDIR`, `host CALL -`, `sandbox CALL PLANDIR` or `refuse CALL`, then text for stderr. Never throws. What
 * runs is decided here, on the text that runs, and not on what PreToolUse saw: other plugins rewrite commands. When
 * anything fails the command is refused; there is no way from an error to the host.
 */
export async function answerClaim(
  world: HookWorld,
  body: Buffer,
  report: (thrown: unknown) => void,
): Promise<string> {
  const call = newCallId(world.now());
  try {
    const claim = readClaim(body);
    if (claim === null) throw new Error('the launcher sent a claim of unknown form');
    const session = await world.session(claim.session);
    if (session === null) throw new Error(`there is no session ${claim.session}`);
    return await decided(world, session, claim, call);
  } catch (error) {
    report(error);
    const message = failureText(error, world.stateDir);
    return `refuse ${call}\n${message}. Nothing of the command was run.\nSee: trai doctor\n`;
  }
}

async function decided(world: HookWorld, session: SessionMeta, claim: Claim, call: string): Promise<string> {
  // Once for the whole claim: what is decided and where it is mounted are of one config.
  const { config, file } = world.config();
  const { command, decision: wanted } = await decideClaim(world, session, claim, config);
  const decision = await unlessUnable(world, session, wanted);
  let plan = '';
  // Asked for on the way to the host alone: most calls are sandboxed, and it reads the open requests.
  const from = decision.mode === 'host' ? behind(world, session, claim, command) : NOBODY;
  let { answer, note } = await whereKept(world, session, call, whereAsked(decision, from), {
    ...from,
    warnOnly: config.hostWithPending === 'warn',
  });
  if (answer.mode !== 'refuse') {
    try {
      plan = await way(world, session, claim, answer, config);
    } catch (error) {
      const message = failureText(error, world.stateDir);
      const hint = error instanceof TraiError && error.hint !== undefined ? `\n${error.hint}` : '';
      answer = {
        ...answer,
        mode: 'refuse',
        reason: 'unavailable',
        text: `${message}. Nothing of the command was run.${hint}`,
      };
    }
  }
  if (decision.usedOneShot)
    await world.log(session.id, { t: 'grant', kind: 'passthrough', what: 'next call', state: 'used' });
  const taker = { call, mode: answer.mode };
  const found = claim.origin === 'claude' ? attribute(world, session, claim, command, taker) : NO_REQUEST;
  await world.log(session.id, {
    t: 'call.decided',
    call,
    request: found.open?.request ?? '',
    matched: found.matched,
    origin: claim.origin,
    command,
    cwd: claim.cwd,
    mode: answer.mode,
    reason: answer.reason,
    text: answer.text,
  });
  if (claim.origin === 'claude') {
    const { program, pending } = decision;
    await world.log(session.id, {
      t: 'call.grounds',
      call,
      program,
      pending,
      config: file ?? '',
    });
  }
  if (answer.mode === 'host')
    await rememberHostCall(world, session, call, answer, decision.pending === 'yes');
  if (found.open === null && claim.origin === 'claude')
    world.requests(session.id).saveLoose({ call, command, at: world.now().toISOString() });
  // A warning for the user goes out by PreToolUse; printed here it would become part of the command's output.
  if (answer.mode === 'refuse') return `refuse ${call}\n${answer.text}\n`;
  return note === '' || answer.mode === 'sandbox'
    ? `${answer.mode} ${call} ${plan}\n`
    : `host ${call} ${plan}\n${note}\n`;
}

/** The directory by whose files the launcher makes the call's namespace; `-` = a host call that gets none. */
async function way(
  world: HookWorld,
  session: SessionMeta,
  claim: Claim,
  answer: Decision,
  config: Config,
): Promise<string> {
  if (answer.mode === 'host') return answer.open === null ? world.hostMask(session, claim.pid) : '-';
  await world.settled(session.id);
  return await world.plan(session, claim.pid, config);
}

/** Who stands behind a claim: a call of the model, about which the user was asked or not, or the user's own line. */
interface Behind {
  who: 'model' | 'user';
  asked: boolean;
  /** The request has the very text that runs; otherwise another plugin may have rewritten it. */
  sameText: boolean;
}

const NOBODY: Behind = { who: 'user', asked: false, sameText: false };

function behind(world: HookWorld, session: SessionMeta, claim: Claim, command: string): Behind {
  const open = world
    .requests(session.id)
    .list()
    .filter((request) => request.call === '');
  const { request, matched } = matchRequest(open, command, claim.cwd);
  const sameText = matched === 'exact' || matched === 'normalised';
  return { who: sameText ? 'model' : 'user', asked: request?.asked === true, sameText };
}

/**
 * What becomes of a decision that wants the user to be asked. PreToolUse asked, and the client went on: it may. Where
 * no PreToolUse was (`!`, a slash command's line), the user wrote the line: they are told, except that git may run
 * other programs on the host only where that was allowed. A call of the model about which nobody was asked, because
 * something became pending only now, is refused: when it comes again, it is asked about.
 */
function whereAsked(
  decision: Decision,
  { who, asked, sameText }: Behind,
): { answer: Decision; note: string } {
  if (decision.mode !== 'host' || decision.ask === '') return { answer: decision, note: '' };
  const runsPrograms = decision.reason === 'runs-programs';
  if (asked && (sameText || !runsPrograms)) return { answer: decision, note: '' };
  if (runsPrograms) return { answer: plainDecision('sandbox', 'default'), note: '' };
  if (who === 'user') return { answer: decision, note: decision.text };
  const text = `${decision.text} The user was not asked, because this became so just now. Nothing was run. Run it again: then the user is asked.`;
  return { answer: { ...decision, mode: 'refuse', reason: 'unasked', text }, note: '' };
}

/** Keeps what the call throws away. Where that fails, it runs only if somebody has said so. */
async function whereKept(
  world: HookWorld,
  session: SessionMeta,
  call: string,
  { answer, note }: ReturnType<typeof whereAsked>,
  { who, asked, warnOnly }: Behind & { warnOnly: boolean },
): Promise<ReturnType<typeof whereAsked>> {
  if (answer.mode !== 'host') return { answer, note };
  const lost = await keepFirst(world, session, call, answer);
  // Letting the next call run is the user's way to say that it may be lost.
  if (lost === '' || asked || answer.usedOneShot || warnOnly) return { answer, note };
  if (who === 'user') return { answer, note: note === '' ? lost : `${note}\ntrai: ${lost}` };
  const text = `${lost} Nothing was run. If it may be lost, the user types /trai:passthrough, which lets the next call run.`;
  return { answer: { ...answer, mode: 'refuse', reason: 'unasked', text }, note };
}

async function decideClaim(
  world: HookWorld,
  session: SessionMeta,
  claim: Claim,
  config: Config,
): Promise<{ command: string; decision: Decided }> {
  // The user asked for the sandbox by name.
  if (claim.origin !== 'claude')
    return {
      command: claim.string,
      decision: { ...plainDecision('sandbox', 'default'), pending: 'unasked' },
    };
  const found = commandOf(claim.string, claim.carried);
  if (found === null)
    return { command: '', decision: { ...plainDecision('sandbox', 'not-understood'), pending: 'unasked' } };
  const { command } = found;
  return {
    command,
    decision: await decideCall(world, { session, command, cwd: claim.cwd, config, at: 'claim' }),
  };
}

const NO_REQUEST: { open: OpenCall | null; matched: EventOf<'call.decided'>['matched'] } = {
  open: null,
  matched: 'none',
};

/** Finds the request that this call is for, and takes it: no other call can have it then. */
function attribute(
  world: HookWorld,
  session: SessionMeta,
  claim: Claim,
  command: string,
  taker: Pick<OpenCall, 'call' | 'mode'>,
): typeof NO_REQUEST {
  const requests = world.requests(session.id);
  let open = requests.list().filter((request) => request.call === '');
  for (;;) {
    const { request, matched } = matchRequest(open, command, claim.cwd);
    const chosen = open.find((one) => one.request === request?.request);
    if (chosen === undefined) return NO_REQUEST;
    if (requests.take({ ...chosen, ...taker })) return { open: chosen, matched };
    open = open.filter((one) => one !== chosen);
  }
}

/** Sorts by time; unique without a counter, since server and Node path both make them. */
function newCallId(now: Date): string {
  return `${now.getTime().toString(36)}-${randomBytes(5).toString('hex')}`;
}
