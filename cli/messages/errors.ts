/** What bin/trai refuses; core/session/messages/errors.ts has the form, and core/ most of the errors that the terminal shows. */
import type { Caller } from '../../core/kernel/proc/caller.ts';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import type { LiveProcess } from '../../shared/model/commit.ts';
import { countText, fullText } from '../../shared/terminal/text.ts';

const quoted = (text: string): string => JSON.stringify(text);

/** Of an argument: what is missing is not cited. */
const instead = (text: string): string => `found ${text === '' ? 'none' : quoted(text)}`;

const anyOf = (choices: readonly string[]): string =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

// bad-usage

export const unknownCommand = (
  name: string,
  meant: string | undefined,
  names: readonly string[],
): TraiError =>
  new TraiError('bad-usage', `expected a command, found ${quoted(name)}`, {
    hint: `${meant === undefined ? '' : `Did you mean: trai ${meant}\n`}Commands: ${names.join(' ')}. What each does: trai help`,
  });

/** @param problem a text below */
export const badUsageOf = (command: string, usage: string, problem: string): TraiError =>
  new TraiError('bad-usage', problem, { hint: `Usage: trai ${usage}\nMore: trai ${command} --help` });

export const USAGE = {
  helpTyped: 'nothing was done',
  noCommand: 'expected a command after --',
  notStartedBy: 'expected the session of a client that bin/trai has started',
  noPath: 'expected a path',
  noAdopted: 'expected the id of the session to continue',
  noTarget: 'expected --patch FILE or --branch NAME',
  twoTargets: 'expected --patch or --branch, found both',
  twoSessions: 'expected --session or --continue, found both',
  twoScopes: 'expected paths, --call or --up-to, found more than one of them',
  emptyWord: 'expected a path or the id of a call, found an empty word',
  unexpected: (word: string) => `unexpected ${quoted(word)}`,
  unexpectedBeside: (option: string, word: string) => `unexpected ${quoted(word)} beside ${option}`,
  wordWithoutEnd: (word: string) => `unexpected ${quoted(word)}: to end a process say --end PID`,
  unknownOption: (option: string) => `unknown option ${quoted(option)}`,
  noValue: (option: string) => `expected a value after ${option}`,
  takesNoValue: (option: string) => `${option} takes no value`,
  noNumber: (option: string, found: string) => `expected a number for --${option}, ${instead(found)}`,
  noChoice: (option: string, choices: readonly string[], found: string) =>
    `expected ${anyOf(choices)} for --${option}, ${instead(found)}`,
  noPid: (found: string) => `expected a process number (PID), ${instead(found)}`,
  noDigits: (found: string) => `expected the six digits that the page shows, ${instead(found)}`,
  noSubcommand: (names: readonly string[], found: string) => `expected ${anyOf(names)}, ${instead(found)}`,
  noScope: (scopes: readonly string[], found: string) => `expected ${anyOf(scopes)}, ${instead(found)}`,
  noList: (found: string) => `expected deny, ask or allow, ${instead(found)}`,
  noTime: (found: string) => `expected 1h, 7d, today or an ISO time, ${instead(found)}`,
  noSource: (found: string) => `expected passthru or settings, ${instead(found)}`,
  noSandboxed: (found: string) => `expected ask or allow, ${instead(found)}`,
  noIndex: (found: string) => `expected the number of a rule, ${instead(found)}`,
  noHash: (found: string) => `expected a hash as listed, or its first 8 digits or more, ${instead(found)}`,
  twoLists: 'expected one of --allow, --ask and --deny, found more',
  onAndOff: 'expected --on or --off, found both',
  noTool: 'expected the name of a tool, or a pattern of names',
  noField: (tool: string) =>
    `expected --field with a pattern for ${quoted(tool)}: it is not a tool whose field is known`,
  noPattern: (pattern: string, why: string) => `expected a pattern, found ${quoted(pattern)}: ${why}`,
  noInput: (found: string) => `expected the tool’s input as JSON, ${instead(found)}`,
  noQuestionNumber: (found: string) => `expected the number of a question, ${instead(found)}`,
  noAnswer: (found: string) => `expected once, session, always, no, never or leave, ${instead(found)}`,
  messageWithNo: '--message goes with the answer no',
  patternWithRule: '--pattern goes with the answers session, always and never',
  noSessionId: (found: string) => `expected the id of a session, ${instead(found)}`,
  manySessions: (start: string, fits: readonly string[]) =>
    `${fits.length} sessions begin with ${start}: ${fits.slice(0, 5).join(', ')}`,
} as const;

const shortHash = (hash: string): string => hash.slice(0, 16);

/** What `trai rules` prints. */
export const RULES = {
  off: 'Permission rules are turned off by the config ("rules": {"enabled": false}).',
  none: 'No rules.',
  uncounted: 'does not count',
  untrusted: (hash: string) =>
    `Its allow rules and directories do not count until you trust them: trai rules trust${hash === '' ? '' : ` ${shortHash(hash)}`}`,
  allowedDirs: (dirs: readonly string[], trusted: boolean) =>
    `allowed directories: ${dirs.join(', ')}${trusted ? '' : ' (do not count)'}`,
  byNone: 'no rule',
  runs: {
    sandbox: 'It would run in the sandbox.',
    host: 'It would run on the host.',
    refuse: 'trai would refuse to run it; see: trai why-host',
  },
  settings: {
    allow: 'Claude Code’s own settings allow it:',
    ask: 'Claude Code’s own settings ask about it, which no rule overrides:',
    deny: 'Claude Code’s own settings deny it, which no rule overrides:',
    pass: 'Claude Code’s own settings do not decide it.',
  },
  verified: (files: number) =>
    files === 0 ? 'There are no rule files.' : `${countText(files, 'rule file')}, nothing found.`,
  added: (rule: string, file: string) => `Added to ${file}\n  ${rule}`,
  changed: (rule: string, file: string) => `Changed in ${file}\n  ${rule}`,
  moved: (rule: string, file: string) => `Moved in ${file}\n  ${rule}`,
  removed: (rule: string, file: string) => `Removed from ${file}\n  ${rule}`,
  noSuggestions: 'No suggestions: nothing was left to Claude Code often enough.',
  wouldHaveSaved: (calls: number, sessions: number, failed: number) =>
    `Would have saved up to ${calls} prompts in ${countText(sessions, 'session')}${failed === 0 ? '' : `; ${failed} of these calls failed`}:`,
  evidence: (
    exits: readonly { rc: number; count: number }[],
    {
      written,
      committed,
      discarded,
      undone,
    }: { written: number; committed: number; discarded: number; undone: number },
  ) => {
    const status = exits.map(({ rc, count }) => `${rc} in ${count}`).join(', ');
    const wrote =
      written === 0
        ? 'no path is known to be written by them alone'
        : `${written} paths written; ${committed} of them committed, ${discarded} discarded, ${undone} undone`;
    return `  ${exits.length === 0 ? '' : `exit status ${status}; `}${wrote}`;
  },
  noDecisions: 'Nothing was decided in that time.',
  matches: (matched: number, looked: number, asked: number, denied: number) =>
    `It matches ${matched} of ${looked} calls; you may have been asked about ${asked} of them, and ${denied} were denied.`,
  sandboxed: {
    ask: 'Calls whose writes all stay pending are left to Claude Code, which may ask ("sandboxed": "ask").',
    allow: 'Calls whose writes all stay pending run without a prompt ("sandboxed": "allow").',
  },
  wouldSave: (saved: number, all: number) =>
    all === 0
      ? 'No shell call of that time was left to Claude Code.'
      : `Of ${all} shell calls that were left to Claude Code, "allow" lets ${saved} run without a prompt${saved === all ? '.' : ', and not:'}`,
  networkOpen: 'The network is open to everything that runs in the sandbox.',
  leftOut: (entry: string, file: string, why: string) => `  left: ${entry} in ${file}: ${why}`,
  importable: (rules: number, dirs: number, known: number) => {
    const parts = [
      ...(rules === 0 ? [] : [countText(rules, 'rule')]),
      ...(dirs === 0 ? [] : [countText(dirs, 'allowed directory', 'allowed directories')]),
    ];
    const what = parts.length === 0 ? 'Nothing new to import' : `${parts.join(' and ')} to import`;
    return `${what}${known === 0 ? '.' : `, ${known} imported before.`}`;
  },
  dismissed: (count: number) =>
    count === 0
      ? 'There is nothing to dismiss.'
      : `Dismissed ${count}; SessionStart does not name them any more.`,
  importWith: (from: string) => `To import them: trai rules import ${from} --yes`,
  turnOn: 'To turn it on: trai rules sandboxed allow --yes',
  written: (file: string) => `Written to ${file}`,
  trusted: (file: string, hash: string) => `Trusted ${file} (SHA-256 ${shortHash(hash)}…)`,
  nothingToTrust: 'Nothing waits to be trusted.',
} as const;

/** What `trai answer` prints. */
export const ANSWER = {
  none: 'No open questions.',
  how: 'Answer one with: trai answer N once|session|always|no|never|leave',
  elsewhere: 'It was settled elsewhere.',
  more: (count: number) => `${count} more wait${count === 1 ? 's' : ''}: up, down`,
  next: 'Any key: the next one. q: quit',
  quit: 'q: quit',
  unmeant: 'Keys count after a second without one. Ctrl-C: quit',
  message: 'What the model is told (Enter: say no with it, Esc: back)',
  keys: 'y once · s in this session · a always · n no · m no, with a message · d never · Esc leave it to Claude Code · q quit',
  keysWithoutAllow: 'y once · n no · m no, with a message · d never · Esc leave it to Claude Code · q quit',
  confirm: (list: string, rule: string, scope: string) => `Adds to the ${list} rules (${scope}): ${rule}`,
  confirmKeys: 'Enter: yes · any other key: back',
} as const;

export const noQuestion = (n: number): TraiError =>
  new TraiError('not-found', `there is no open question ${n}`, { hint: 'See: trai answer --list' });

export const notYetConfirmed = (what: string, undo: string): TraiError =>
  new TraiError('bad-usage', `this discards ${what}`, {
    hint: `Confirm with --yes. You can undo it with: ${undo}`,
  });

export const typedForOther = (command: string, session: string, other: string, line: string): TraiError =>
  new TraiError('bad-usage', `/trai:${command} is about the session that it is typed in, ${session}`, {
    hint: `Nothing was done. For session ${other}, type it there, or run in a terminal: trai ${line}`,
  });

// no-session, not-found

export const SESSION_STARTS =
  'A session starts with trai claude, with claude where the plugin is installed, or with: trai exec --session NAME -- COMMAND.';

export const noSessionHere = (cwd: string): TraiError =>
  new TraiError('no-session', `no session of this project (${cwd})`, {
    hint: `${SESSION_STARTS} All sessions: trai sessions`,
  });

export const noSessionNamed = (id: string, cause?: unknown): TraiError =>
  new TraiError('no-session', `there is no session ${id}`, { hint: 'All sessions: trai sessions', cause });

export const nothingPendingAt = (path: BytePath): TraiError =>
  new TraiError('not-found', `nothing is pending at ${toDisplay(path)}`, { hint: 'See: trai status' });

export const noConflictAt = (path: BytePath): TraiError =>
  new TraiError('not-found', `no conflict at ${toDisplay(path)}`, { hint: 'See: trai status' });

/** @param newest the newest commit, and why it cannot be undone */
export const nothingToUndo = (newest: { n: number; why: string } | undefined): TraiError => {
  const why = newest === undefined || newest.why === '' ? '' : ` (commit ${newest.n}: ${newest.why})`;
  return new TraiError('not-found', `there is nothing to undo in this session${why}`, {
    hint: 'See: trai undo --list',
  });
};

export const noSuchProcesses = (pids: readonly number[], session: string): TraiError =>
  new TraiError(
    'not-found',
    `${pids.join(', ')} ${pids.length === 1 ? 'is no process' : 'are no processes'} of session ${session}; nothing was ended`,
    { hint: 'See: trai ps' },
  );

/** Empty without any. @param own processes of Claude Code itself */
export function clientStays(own: readonly Pick<LiveProcess, 'pid'>[]): string {
  const pids = own.map(({ pid }) => pid);
  return pids.length === 0
    ? ''
    : `Claude Code itself goes on (${pids.join(', ')}). To end it: trai ps --end ${pids.join(' ')}`;
}

export const noHostCalls = (session: string, pid: number): TraiError =>
  new TraiError(
    'live',
    `Claude Code itself runs in session ${session} (process ${pid}): no call of it can run on the host`,
    {
      hint: 'Run the command in a terminal outside.',
    },
  );

// needs-permit, forbidden

const DOES: Readonly<Record<string, string>> = { ps: 'end processes', answer: 'answer questions' };

export function needsPermit(name: string, { kind, found }: Pick<Caller, 'kind' | 'found'>): TraiError {
  const by = kind === 'unknown' ? `asked by ${found}` : 'started by Claude';
  return new TraiError(
    'needs-permit',
    `only the user may ${DOES[name] ?? name}: this was ${by}, and the user has not typed it`,
    { hint: `Ask the user to type /trai:${name}, or to run \`trai ${name}\` in a terminal of their own.` },
  );
}

export const needsTerminal = ({ found }: Pick<Caller, 'found'>): TraiError =>
  new TraiError('needs-permit', `only the user may change permission rules: this was asked by ${found}`, {
    hint: 'Ask the user to run the command in a terminal of their own.',
  });

export const needsYes = (): TraiError =>
  new TraiError('needs-permit', 'expected a terminal, to show what the box will see and to ask', {
    hint: 'Nothing was started. Without a terminal say --yes; --dry-run prints what the box would see.',
  });

export const onlyUserRemoves = (found: string): TraiError =>
  new TraiError('needs-permit', `only the user may remove what is kept: this was asked by ${found}`, {
    hint: 'Ask the user to run `trai gc --yes` in a terminal of their own.',
  });

// io, no-space, not-entered

const NOT_STARTED = 'the server did not start';

export const stateNotWritable = (path: string, cause: unknown): TraiError =>
  new TraiError('io', `${NOT_STARTED}: this user may not write to the state directory`, {
    path,
    hint: 'Make it writable for this user, or set TRAI_STATE_HOME to a directory on a local disk that is. More: trai doctor',
    cause,
  });

export const portTaken = (port: string, config: string | null): TraiError =>
  new TraiError('io', `${NOT_STARTED}: another program has port ${port}`, {
    path: config ?? undefined,
    hint: 'The config names that port (server.port): name another, or 0 for any. Until then calls take the slower Node path, and nothing is lost.',
  });

export const noSpaceForServer = (state: string): TraiError =>
  new TraiError('no-space', NOT_STARTED, { hint: fullText(state) });

/** Before anything ran. */
export const noRoomToEnter = (state: string, cause: unknown): TraiError =>
  new TraiError('not-entered', `the session could not be entered: ${messageOf(cause)}`, {
    cause,
    hint: fullText(state),
  });

/** The same, for an error of the system. */
export const notEntered = (cause: unknown): TraiError =>
  new TraiError('not-entered', messageOf(cause), { cause, hint: 'Nothing was started. See: trai doctor' });

export const serverNotStarted = (why: string, log: string): TraiError =>
  new TraiError('io', `${NOT_STARTED}${why === '' ? '' : `: ${why}`}`, {
    path: log,
    hint: `Look at the end of ${log}, and at: trai doctor`,
  });

export const bashNotStarted = (cause: unknown): TraiError =>
  new TraiError('not-entered', `bash could not be started: ${messageOf(cause)}`);
