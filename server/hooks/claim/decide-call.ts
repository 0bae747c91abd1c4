import { existsSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { decide, decision } from '../../../core/decide/decide.ts';
import { linkText } from '../../../core/decide/host-reach.ts';
import { ownDirectoryText } from '../../../core/decide/messages.ts';
import { lookAhead } from '../../../core/git-rescue/keep.ts';
import { orNull } from '../../../core/kernel/fs/port.ts';
import { homeDir, ownDirectories } from '../../../core/session/dirs.ts';
import { hasGrant, permitText, takeGrant } from '../../../core/session/grants.ts';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { Decision, Facts } from '../../../shared/model/decision.ts';
import { message } from '../../messages/hooks.ts';
import { whyUnable } from '../world/session-files.ts';
import type { HookSession } from '../world/world.ts';
import { reachedOwn } from './own-reach.ts';

export interface Question {
  command: string;
  cwd: string;
  config: Config;
  /** `request`: PreToolUse, for the model; no grant is used up. `claim`: the launcher, for what runs now. */
  at: 'request' | 'claim';
}

export interface Decided extends Decision {
  /** `unasked`: the decision does not depend on it. */
  pending: 'yes' | 'no' | 'unasked';
}

/** Costly facts (pending changes, a permit) are collected only when the decision depends on them. */
export async function decideCall(session: HookSession, question: Question): Promise<Decided> {
  const { command, cwd, config, at } = question;
  if (session.meta.off !== null) {
    // Nothing is hidden either.
    return { ...decision('host', 'session-off'), open: { paths: [], trees: [] }, pending: 'unasked' };
  }
  const facts: Facts = {
    cwd,
    home: homeDir(process.env),
    pending: false,
    ownPrograms: session.ownPrograms(),
    ownPermit: false,
    oneShot: await hasGrant(session.dir, 'passthrough'),
    config,
  };
  let decided = decide(command, facts);
  if (decided.reason === 'own-program-by-model' && at === 'claim') {
    // At PreToolUse the model asks, for whom no permit is meant.
    decided = decide(command, { ...facts, ownPermit: await permitted(session, command, facts) });
  }
  // Pending changes matter to host commands only: what is sandboxed without them is sandboxed with them.
  const own =
    decided.mode === 'host' && decided.open !== null
      ? reachedOwn(decided.open, ownDirectories(session.world.stateDir, session.world.env))
      : null;
  if (own !== null) {
    const text = ownDirectoryText(decided.program === '' ? 'this command' : decided.program, own);
    return { ...decision('refuse', 'own-directories', decided.program, text), pending: 'unasked' };
  }
  const turnsOnPending = ['read-only', 'passthrough', 'runs-programs'].includes(decided.reason);
  const pending = turnsOnPending ? ((await session.pending()) ? 'yes' : 'no') : 'unasked';
  if (pending === 'yes') {
    decided = decide(command, { ...facts, pending: true });
    if (decided.uses.length > 0) decided = await besidePending(session, config, decided);
  }
  if (at === 'request' && decided.mode === 'host' && !decided.usedOneShot)
    decided = await besideLosses(config, decided);
  if (decided.usedOneShot && at === 'claim' && !(await takeGrant(session.dir, 'passthrough'))) {
    // Another call took it first, or it expired in between.
    return await decideCall(session, question);
  }
  if (decided.mode === 'sandbox' && decided.text === '')
    decided = { ...decided, text: linkedFile(decided.paths, session.meta.projectRoot, config) };
  return { ...decided, pending };
}

/** A longer list comes from a program, such as find. */
const MAX_FILES = 50;

/** Names a file in scratch with several hard links, one of which may be covered; or empty. */
function linkedFile(paths: readonly string[], projectRoot: string, config: Config): string {
  // A project below scratch is covered itself.
  const inScratch = (path: string): boolean =>
    config.scratch.some((dir) => isWithin(path, dir)) && !isWithin(fromText(path), projectRoot);
  const files = paths.filter(inScratch).slice(0, MAX_FILES);
  const linked = files.find((path) => {
    const found = orNull(() => lstatSync(path));
    return found?.isFile() === true && found.nlink > 1;
  });
  return linked === undefined ? '' : linkText(linked);
}

/** A host command that works on pending files: asks, warns or refuses, as configured. */
async function besidePending(session: HookSession, config: Config, decided: Decision): Promise<Decision> {
  const said = await session.ask('missing', decided.uses);
  if (said === '') return decided;
  const mode = config.hostWithPending;
  if (mode === 'refuse') {
    const text = message('pending-refused', { said });
    return { ...decided, mode: 'refuse', reason: 'host-with-pending', text, ask: '' };
  }
  if (mode === 'warn') return { ...decided, text: decided.ask === '' ? said : decided.text };
  const asked = decided.ask === '' ? said : `${decided.ask} ${said}`;
  return { ...decided, text: said, ask: message('pending-asked', { said: asked }) };
}

/** A host command that discards what cannot be saved: asks or warns. */
async function besideLosses(config: Config, decided: Decision): Promise<Decision> {
  const found = await lookAhead(decided.uses);
  if (found === null) return decided;
  const said = message('not-kept', { ...found });
  if (config.hostWithPending === 'warn') return { ...decided, text: `${decided.text} ${said}`.trim() };
  return { ...decided, ask: message('loss-asked', { said: `${decided.ask} ${said}`.trim() }) };
}

/** bin/trai takes the arguments of `trai NAME --from-prompt` from the permit: they never pass a shell. */
async function permitted({ dir }: HookSession, command: string, facts: Facts): Promise<boolean> {
  const what = ownArguments(command, facts.ownPrograms);
  if (what === null) return false;
  const name = /^([a-z]+) --from-prompt$/.exec(what)?.[1];
  return name === undefined ? await hasGrant(dir, 'permit', what) : (await permitText(dir, name)) !== null;
}

/** Arguments of a call of trai's own program, blanks folded; null for any other command. */
export function ownArguments(command: string, programs: readonly string[]): string | null {
  for (const program of programs) {
    for (const word of [program, `"${program}"`, `'${program}'`]) {
      if (command === word) return '';
      if (command.startsWith(`${word} `)) return foldBlanks(command.slice(word.length));
    }
  }
  return null;
}

export function foldBlanks(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Set by doctor at SessionStart; calls then end with 125, and doctor runs again for each. */
export function rememberUnable({ dir }: HookSession, why: string | null): void {
  if (why === null) rmSync(`${dir}/unable`, { force: true });
  else writeFileSync(`${dir}/unable`, `${why}\n`, { mode: 0o600 });
}

/** The user's own decisions, which hold without a sandbox too. */
const WITHOUT_SANDBOX: ReadonlySet<Decided['reason']> = new Set(['own-program', 'config-off', 'session-off']);

export async function unlessUnable(session: HookSession, decision: Decided): Promise<Decided> {
  if (decision.mode === 'refuse' || decision.usedOneShot || WITHOUT_SANDBOX.has(decision.reason))
    return decision;
  if (!existsSync(`${session.dir}/unable`)) return decision;
  const why = await whyUnable(session.world.stateDir, session.world.env);
  if (why === null) {
    rememberUnable(session, null);
    return decision;
  }
  const text = message('unable', { why });
  return { ...decision, mode: 'refuse', reason: 'unavailable', text, ask: '', uses: [] };
}
