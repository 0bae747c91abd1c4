/** Texts of the permission rules for users; callers prefix `trai: `. */
import { messageOf, TraiError } from '../../shared/errors.ts';
import type { RuleDecision, RuleRef } from '../../shared/model/rule.ts';

// What is wrong with a rule file.

export const jsonProblem = (error: unknown): string => `not JSON: ${messageOf(error)}`;

export const repeatedKey = (key: string): string =>
  `an object has the key ${JSON.stringify(key)} twice, and only the last would count`;

export const patternProblem = (at: string, source: string, why: string): string =>
  `${at}: the pattern ${JSON.stringify(source)} cannot be used: ${why}`;

export const unsupportedPattern = (what: string): string => `${what} is not supported`;

export const fileIsLink = (): string => 'it is a symbolic link; put the file itself there';
export const fileIsNoFile = (): string => 'it is not a regular file';
export const fileNoText = (): string => 'it is not UTF-8';
export const fileOfOther = (uid: number): string => `it belongs to uid ${uid}`;
export const fileTooLarge = (most: number, found: number): string =>
  `expected at most ${most} bytes, found ${found}`;
export const fileUnreadable = (code: string): string => `it cannot be read (${code})`;

/** In a status. @param problem with what counts instead */
export const ruleFileProblem = (file: string, problem: string): string =>
  `The rule file ${file} cannot be used: ${problem}; see: trai rules verify`;

export const rulesOff = 'Permission rules are turned off by the config ("rules": {"enabled": false}).';

// Why a call is allowed, asked about or denied. The client shows it to the user, and the model reads a denial.

export const VERDICT = {
  off: 'permission rules are turned off by the config ("rules": {"enabled": false})',
  noRule: 'no permission rule is about this call',
  allowed: 'every part of it is allowed by a permission rule',
  readOnly: 'it only reads, inside the project and the allowed directories',
  sandboxed: 'all that it writes stays pending, and no permission rule is about it',
} as const;

export function ruleWhy(
  decision: RuleDecision,
  { list, index, file, text, reason }: RuleRef,
  segment: string,
): string {
  const rule = `rule ${list}[${index}] of ${file} (${shortened(text)})`;
  const about = segment === '' ? 'this call' : shortened(segment);
  const verb = decision === 'ask' ? 'asks about' : decision === 'deny' ? 'denies' : 'allows';
  return `${rule} ${verb} ${about}${reason === '' ? '' : `: ${reason}`}`;
}

export const brokenWhy = (file: string, problem: string): string =>
  `the rule file ${file} cannot be used (${problem}), and no good version of it is known; so every call is asked about. Repair or remove it; see: trai rules verify`;

export const builtInWhy = (name: string): string =>
  `trai's own rule "${name}" allows it; "rules": {"builtIn": {"remove": ["${name}"]}} in the config turns that off`;

/** @param why one of NOT_ALLOWABLE, or a text in its form */
export const notAllowable = (why: string): string => `no rule may allow it, because ${why}`;

/** @param why one of LEAVING */
export const staysAsked = (why: string): string => `no permission rule is about this call, and ${why}`;

const MOST_SHOWN = 120;

function shortened(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1)}…`;
}

/** Reasons why no rule may allow a command. */
export const NOT_ALLOWABLE = {
  broken: 'it is not understood as a shell text',
  odd: 'it has parts that may run or set anything (a function, arithmetic, an unusual expansion)',
  hidden: 'it has hidden characters, or a program whose name is not plain ASCII',
  alias: 'it defines an alias',
  assignment: 'it sets a variable that may change what runs',
  noProgram: 'it has no literal program',
  wrapper: 'it is run by a program with options that are not known',
  moves: 'it is run in another directory',
  unknownText: 'it runs a text that is not known whole',
  redirect: 'it redirects to what may be anything',
  reads: 'it reads from what may be anything',
  outside: 'it writes to a file that is neither pending nor inside the project or an allowed directory',
} as const;

/** Why a call is asked about although its writes stay pending. */
export const LEAVING = {
  program: (name: string) => `\`${name}\` acts beyond the sandbox`,
  keys: (path: string) => `it names ${path}, a file of keys or passwords`,
  keysBelow: (name: string, path: string) =>
    `\`${name}\` reads everything below ${path}, where files of keys or passwords are`,
  unknown: 'a shell runs a text that is not known before',
} as const;

/** Why an answer to a question can add no allow rule. */
export const PROPOSAL = {
  noCommand: 'no rule can be proposed, because it has no command with a plain name',
} as const;

/** The rule that left a change out, or wants it confirmed. */
export const effectText = (place: string, reason: string): string =>
  reason === '' ? place : `${place}: ${reason}`;

/** The patterns of an effect rule that take too long. */
export const effectSlow = (place: string): string =>
  `${place}: its patterns take too long, so it counts for every path`;

export const effectsUnknown = (file: string, problem: string): string =>
  `the rule file ${file} cannot be used (${problem}), and no good version of it is known, so its effects are not known`;

/** Both the plugin and trai judge each call. */
export const PASSTHRU = {
  on: 'the passthru plugin is on and decides about calls, too',
  which:
    'Of both answers the stricter counts: deny, then ask, then allow. trai rules import passthru takes its rules over, /plugin turns it off.',
} as const;

/** What `trai rules verify` finds. */
export const FINDING = {
  lastGood: 'its last good version stays in force',
  neverGood: 'no good version of it is known, so every call is asked about',
  untrusted: 'its allow rules and directories do not count until you trust them: trai rules trust',
  auto: '"auto" counts in your own rules.json only, so this is ignored',
  relative: (dir: string) => `${JSON.stringify(dir)} is not absolute, so it does not count`,
  duplicate: (place: string) => `the same rule as ${place}`,
  conflict: (place: string) => `contradicts the same rule in another list, ${place}`,
  shadowed: (place: string) => `never reached behind ${place}, which is about all calls of these tools`,
  unused: 'decided nothing in the last 90 days',
  expired: (until: string) => `expired on ${until}`,
  noMode: 'counts in no mode: name one in "modes", or remove the key',
  unknownMode: (unknown: readonly string[], known: readonly string[]) =>
    `Claude Code has no permission mode ${unknown.map((mode) => JSON.stringify(mode)).join(', ')} that trai knows: ${known.join(', ')}`,
  untried: (count: number) =>
    `${count === 1 ? 'one test was' : `${count} tests were`} not tried, because those before took too long`,
  slowEffect: 'its patterns take too long on some paths, and then it counts for every path',
  slow: (pattern: string) => `the pattern ${JSON.stringify(pattern)} takes too long on some texts`,
  noMatch: (call: string) => `does not match its own test ${shortened(call)}`,
  match: (call: string) => `matches ${shortened(call)}, which its own test says it must not`,
} as const;

/** Why an entry of Claude Code's settings is left by an import. */
export const IMPORT = {
  notUnderstood: 'it has no meaning that a rule could have',
  glob: 'it is a glob with brackets or an exception',
  contradicts: 'a rule in another list decides otherwise about the same calls',
  relative: 'it is relative to the directory in which Claude Code works',
  local: 'it holds in this project only, and a rule of yours would hold in all',
  relativeDir:
    'it is relative to the directory in which Claude Code works, and only absolute directories count',
  localDir: 'it holds in this project only, and an allowed directory of yours would hold in all',
} as const;

// Errors of changes.

export const ruleFileUnusable = (file: string, problem: string): TraiError =>
  new TraiError('corrupt', `the rule file cannot be used: ${problem}`, {
    path: file,
    hint: 'Nothing was changed. Repair the file first; see: trai rules verify',
  });

/** Unlike repeatedKey, of a key without a meaning. */
export const ruleFileRepeats = (file: string, key: string): TraiError =>
  new TraiError(
    'corrupt',
    `an object of the rule file has the key ${JSON.stringify(key)} twice, and one would be lost`,
    {
      path: file,
      hint: 'Nothing was changed. Give the two different names first.',
    },
  );

export const ruleFileChanged = (file: string): TraiError =>
  new TraiError('stale-revision', 'the rule file was changed meanwhile', {
    path: file,
    hint: 'Nothing was changed. Look again.',
  });

/** @param hash of a project's rule file, or its first characters */
export const contentChanged = (hash: string): TraiError =>
  new TraiError(
    'stale-revision',
    `no rule file of this project has the content with the SHA-256 ${hash} now`,
    {
      hint: 'It does not count. Look again: trai rules list',
    },
  );

export const noSuchRule = (file: string, at: string, count: number): TraiError =>
  new TraiError('not-found', `there is no rule ${at}; the list has ${count}`, {
    path: file,
    hint: 'See: trai rules list',
  });

export const wouldBreak = (file: string, findings: readonly { at: string; text: string }[]): TraiError =>
  new TraiError(
    'bad-input',
    `the change was refused: ${findings.map(({ at, text }) => `${at} ${text}`.trim()).join('; ')}`,
    {
      path: file,
      hint: 'Nothing was changed.',
    },
  );

export const rulesBusy = (cause: TraiError, seconds: number): TraiError =>
  new TraiError('busy', `the rules were being changed for ${seconds} seconds`, {
    path: cause.path,
    hint: 'Nothing was changed. Try again in a moment.',
    cause,
  });
