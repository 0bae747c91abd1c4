/** What `trai COMMAND --help` says: each option and word in a line. */
import type { Command } from './context/read-args.ts';

type Lines = readonly (readonly [word: string, text: string])[];

const SCOPE: Lines = [
  ['PATH…', 'only these paths, each with everything below it'],
  ['--call ID', 'only what that call alone wrote last (trai status --by-call has the ids)'],
  ['--up-to ID', 'only what that call and those before it wrote'],
];

/** By command. Every option that a command takes stands here; a test holds that. */
const LINES: Readonly<Record<string, Lines>> = {
  'status': [['--by-call', 'group the changes by the call that wrote them']],
  'diff': [
    ['PATH', 'only this file or directory'],
    ['--list', 'one line a change, without its content'],
    ['--include-ignored', 'also ignored entries (caches, histories ...)'],
  ],
  'log': [['--last N', 'the newest N calls (default: 50)']],
  'commit': [
    ...SCOPE,
    ['--yes', 'confirms that very many entries are deleted'],
    ['--include-ignored', 'also ignored entries (caches, histories ...)'],
    ['--no-undo', 'keeps no before-images: the commit cannot be undone'],
    ['--conflicts WAY', 'for all conflicts: refuse (the default), keep-host, take-sandbox,'],
    ['', 'merge, merge-markers'],
    ['--keep-host PATH,…', 'conflict: keeps your file; the sandbox’s version stays pending'],
    ['--take-sandbox PATH,…', 'conflict: replaces your file'],
    ['--merge PATH,…', 'conflict: merges both changes of a text, or refuses'],
    ['--merge-markers PATH,…', 'the same, with markers where both changed the same lines'],
  ],
  'discard': [
    ...SCOPE,
    ['--yes', 'confirms; without it, the command only says what would be discarded'],
    ['--end-processes', 'ends the processes of the session first'],
  ],
  'undo': [
    ['--list', 'lists commits and discards, and which can be undone'],
    ['--redo', 'commits again what the last undo made pending'],
    ['--yes', 'confirms that very many entries are deleted'],
    ['--end-processes', 'ends the processes of the session first'],
    ['--conflicts WAY', 'for files that changed since: refuse (the default), keep-host, take-back'],
    ['--keep-host PATH,…', 'changed since: leaves them as they are now'],
    ['--take-back PATH,…', 'changed since: restores what was there before the commit'],
  ],
  'export': [
    ['--patch FILE', 'writes a new file, for: git apply FILE'],
    ['--branch NAME', 'creates a branch with one commit on top of HEAD'],
    ['--message TEXT', 'the message of that commit'],
    ...SCOPE,
    ['--include-ignored', 'also ignored entries (caches, histories ...)'],
  ],
  'adopt': [['ID', 'the earlier session, or the beginning of its id (trai sessions)']],
  'exec': [['-- COMMAND', 'the command and its arguments; no shell interprets them']],
  'explore': [],
  'ps': [['--end [PID…]', 'ends all of them, or these']],
  'why': [['PATH', 'a file or a directory']],
  'why-host': [['CALL', 'an id, or a number: 1 = the newest (the default), 2 = the one before it']],
  'sessions': [],
  'gc': [['--yes', 'removes it; without it, the command only lists it']],
  'passthrough': [],
  'ui': [
    ['NUMBER', 'signs in the tab that shows these six digits'],
    ['--print', 'prints the address, opens no browser'],
  ],
  'doctor': [],
};

const SESSIONS: Readonly<Record<string, string>> = {
  exec: 'the session; a new ID creates one (default: this project’s newest)',
  adopt: 'the session that continues with them',
  sessions: '',
  gc: '',
  doctor: '',
};

export function commandHelp({ name, usage, summary }: Pick<Command, 'name' | 'usage' | 'summary'>): string {
  const session = SESSIONS[name] ?? 'the session (default: this project’s newest)';
  const lines: Lines = [
    ...(LINES[name] ?? []),
    ...(session === '' ? [] : [['--session ID', session] as const]),
    ...(name === 'exec' || name === 'explore' ? [] : [['--json', 'prints JSON'] as const]),
  ];
  const width = Math.max(...lines.map(([word]) => word.length));
  const shown = lines.map(([word, text]) => `  ${word.padEnd(width)}  ${text}`);
  return [`trai ${usage}`, summary, '', ...shown].join('\n');
}
