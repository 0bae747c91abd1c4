/** Classifies the simple commands of a text by where they may run. */

import type { PassthroughConfig } from '../../shared/config/config.ts';
import type { Facts, HostUse } from '../../shared/model/decision.ts';
import type { WhyPart } from '../../shared/model/why.ts';
import { hostUse } from './host-use.ts';
import { judgePassthrough } from './passthrough.ts';
import {
  allCommands,
  isPlain,
  type Redirect,
  type Script,
  type SimpleCommand,
  type Word,
} from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';
import { isCompanion, readsOnly } from './shell/readers.ts';
import { ANYWHERE, pathText, type Where, whereabouts } from './shell/where.ts';
import { isGitHarmlessAssignment, isHarmlessAssignment, programOf } from './shell/words.ts';

export type Part =
  | { kind: 'passthrough'; program: string; writes: boolean; use: HostUse | null }
  /** A writing git that may run other programs: host, after the user agrees. */
  | { kind: 'asked'; program: string; because: string; use: HostUse | null }
  | { kind: 'companion'; program: string }
  /** Must see pending files: host only while there are none. */
  | { kind: 'reader'; program: string }
  /** `blocked`: a writing passthrough program whose redirections or assignments keep it from the host. */
  | { kind: 'sandboxed'; program: string; blocked: boolean };

export interface Classified {
  parts: Part[];
  /** False: something was not understood, so nothing may run on the host. */
  plain: boolean;
}

export function classify(script: Script, facts: Pick<Facts, 'config' | 'cwd' | 'home'>): Classified {
  const where = whereabouts(script, facts.cwd, facts.home);
  const parts = allCommands(script).map((command) => partOf(command, facts, where.get(command) ?? ANYWHERE));
  return { parts, plain: isPlain(script) };
}

function partOf(command: SimpleCommand, facts: Pick<Facts, 'config' | 'home'>, where: Where): Part {
  const { config, home } = facts;
  const program = programOf(command) ?? '';
  const args = command.words.slice(1);
  if (config.passthrough.includes(program) && isLiteralName(command))
    return passthroughPart(program, command, where, home);
  const sandboxed: Part = { kind: 'sandboxed', program, blocked: false };
  const writesNothing = command.redirects.every(isHarmlessRedirect);
  if (!command.assignments.every(isHarmlessAssignment) || !writesNothing) return sandboxed;
  if (command.words.length === 0) return { kind: 'companion', program };
  if (program === '') return sandboxed;
  if (isCompanion(program, command)) return { kind: 'companion', program };
  if (config.readOnly.includes(program) && readsOnly(program, args)) return { kind: 'reader', program };
  return sandboxed;
}

function passthroughPart(program: string, command: SimpleCommand, where: Where, home: string): Part {
  const { plain, writes, because } = judgePassthrough(program, command.words.slice(1));
  const writesNothing = command.redirects.every(isHarmlessRedirect);
  const isGit = program === 'git';
  const setter = command.assignments.find(
    (one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)),
  );
  const use = writes ? hostUse(program, command, where, home) : null;
  if (plain && setter === undefined && writesNothing) return { kind: 'passthrough', program, writes, use };
  const asks = isGit && writes && (!plain || setter !== undefined);
  if (asks && writesNothing) {
    return {
      kind: 'asked',
      program,
      because: plain ? `the variable \`${setter?.name ?? ''}\`` : because,
      use,
    };
  }
  return { kind: 'sandboxed', program, blocked: asks || (plain && setter === undefined && writes) };
}

function isLiteralName(command: SimpleCommand): boolean {
  return command.words[0]?.value != null;
}

/**
 * Changes no file: a here-document, a duplicated descriptor, reading a literal path, `/dev/null`. Not
 * `/dev/stdin` and `/dev/fd/N`, which reopen a file even for writing, `/dev/tcp/…`, nor a closed descriptor,
 * whose number the next opened file gets.
 */
export function isHarmlessRedirect({ operator, target, body, assigns }: Redirect): boolean {
  if (assigns) return false;
  if (body !== null) return true;
  if (target === null) return false;
  if (operator === '<<<') return true;
  if (operator === '<&' || operator === '>&') return /^\d$/.test(target.source) || isNull(target);
  if (operator === '<') return isNull(target) || (target.value !== null && !/\/dev\//.test(target.value));
  return isNull(target);
}

function isNull(target: Word): boolean {
  return target.value === '/dev/null';
}

/** Reads a file whose path is known: also `< ~/x` and `< "$HOME/x"`, whose targets are not literal. */
export function readsFile(redirect: Redirect, home: string): boolean {
  const { operator, target, assigns } = redirect;
  if (operator !== '<' || target === null || isNull(target)) return false;
  if (isHarmlessRedirect(redirect)) return true;
  const path = assigns ? null : pathText(target, home);
  return path !== null && !path.startsWith('/dev/');
}

/** For `trai why-host`. */
export function explainParts(
  command: string,
  facts: Pick<Facts, 'config' | 'cwd' | 'home'>,
): { parts: WhyPart[]; plain: boolean } {
  const { parts, plain } = classify(parseShell(command), facts);
  const explained = parts.map(
    (part): WhyPart => ({ program: part.program, kind: part.kind, why: whyPart(part, facts.config) }),
  );
  return { parts: explained, plain };
}

export function whyPart(part: Part, { passthrough, readOnly }: PassthroughConfig): string {
  switch (part.kind) {
    case 'passthrough':
      return `is on the list "passthrough"; this use of it ${part.writes ? 'writes' : 'only reads'}`;
    case 'asked':
      return `is on the list "passthrough", but may run other programs (${part.because}): the user is asked`;
    case 'companion':
      return 'changes no file: it may run beside a program that runs on the host';
    case 'reader':
      return 'is on the list "readOnly", and this use of it only reads';
    case 'sandboxed':
      if (part.blocked)
        return 'is on the list "passthrough", but its own redirections or assignments keep it from the host';
      if (part.program === '') return 'has no literal name, or a path that may be anything';
      if (passthrough.includes(part.program)) return 'is on the list "passthrough", but not in this use';
      if (readOnly.includes(part.program)) return 'is on the list "readOnly", but this use of it may write';
      return 'is on no list';
  }
}
