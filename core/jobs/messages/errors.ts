/** Why an action on a session is refused; core/session/messages/errors.ts has the form. */
import { bytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { LiveProcess, Told } from '../../../shared/model/commit.ts';
import { countText } from '../../../shared/terminal/text.ts';

// bad-input, not-found

export const adoptsItself = (session: string): TraiError =>
  new TraiError('bad-input', `session ${session} cannot adopt its own changes`, {
    hint: `Name the session that continues with them: trai adopt ${session} --session NEW. All sessions: trai sessions`,
  });

interface OfProject {
  id: string;
  projectRoot: string;
}

const rootOf = ({ projectRoot }: OfProject): string => toDisplay(bytePath(projectRoot));

export const otherProject = (from: OfProject, to: OfProject): TraiError =>
  new TraiError(
    'bad-input',
    `session ${from.id} belongs to another project (${rootOf(from)}) than session ${to.id} (${rootOf(to)})`,
    { hint: 'Commit it from there, or adopt it in a session of that project.' },
  );

export const nothingPending = (session: string): TraiError =>
  new TraiError('not-found', `nothing is pending in session ${session}`);

export const notOneCall = (id: string, session: string, found: number): TraiError =>
  new TraiError(
    'not-found',
    `expected one call ${JSON.stringify(id)} in session ${session}, found ${found === 0 ? 'none' : `${found} of them`}`,
    { hint: 'See: trai log. Without an id the newest call is meant; 2 = the one before it.' },
  );

export const nothingToDiscard = (cannot: readonly Told[]): TraiError =>
  new TraiError('not-found', `nothing of it can be dropped alone: ${cannot[0]?.why ?? ''}`, {
    paths: cannot.map(({ path, why }) => `${toDisplay(path)}: ${why}`),
  });

// stale-revision

/** The context is of an earlier overlay, which may number its covered directories differently. */
export class MovedOn extends TraiError {
  constructor() {
    super('stale-revision', 'the session has adopted the changes of another one since', {
      hint: 'Review them, then repeat.',
    });
  }
}

// live, not-empty

export const UNTIL_QUIET = 'Wait until they are done, or end them.';
export const UNTIL_QUIET_TO_DISCARD =
  'Discard and end what runs (trai discard --yes --end-processes), or wait until it is done. See also: trai ps';
export const UNTIL_QUIET_TO_UNDO =
  'Undo and end what runs (trai undo --end-processes), or wait until it is done. See also: trai ps';
export const UNTIL_CLIENT_ENDS =
  'Claude Code itself runs in this session (trai claude): end it first. What is pending stays.';
export const UNTIL_QUIET_TO_ADOPT = 'Wait until it is done, or end it. Nothing was moved.';

/** @param hint one of those above */
export function isLive(processes: readonly LiveProcess[], hint: string, session = 'this session'): TraiError {
  const [first] = processes;
  const count = countText(processes.length, 'process', 'processes');
  const what = first === undefined ? 'is busy' : `is live, with ${count} running: ${first.command}`;
  return new TraiError('live', `${session} ${what}`, {
    hint,
    paths: processes.map(({ pid, command }) => `${pid} ${command}`),
    data: { processes: processes.length },
  });
}

export const clientIsOpen = (session: string, pid: number): TraiError =>
  new TraiError('live', `a Claude client is open in session ${session} (process ${pid})`, {
    hint: 'Go on there, or close it first. Nothing was moved.',
  });

export const clientIsHere = (session: string, pid: number): TraiError =>
  new TraiError('live', `Claude Code already runs in session ${session} (process ${pid})`, {
    hint: 'Go on there, or end it first. Without --session and --continue, a start has a session of its own.',
  });

export const clientStateLocked = (lock: string, seconds: number): TraiError =>
  new TraiError('busy', `the client’s lock of ~/.claude.json was not free within ${seconds} seconds`, {
    path: lock,
    hint: `Another client has ${lock}. What Claude Code counted in the session goes to ~/.claude.json at the next start of trai claude in that session.`,
  });

export const adopterHasChanges = (session: string): TraiError =>
  new TraiError('not-empty', `session ${session} has pending changes of its own`, {
    hint: 'Commit or discard them first, or adopt in a new session. Nothing was moved.',
  });

// no-program

export const noClient = (looked: readonly string[]): TraiError =>
  new TraiError('no-program', 'expected the program claude, found none', {
    hint: `Looked on PATH and for ${looked.join(' and ')}. Install Claude Code, or add its directory to PATH. Nothing was started.`,
  });
