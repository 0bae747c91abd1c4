/** What `trai COMMAND --help` says: each option and word in a line. */
import type { Command } from './context/read-args.ts';

type Lines = readonly (readonly [word: string, text: string])[];

const SCOPE: Lines = [
  ['PATH…', 'only these paths, each with all below it'],
  ['--call ID', 'only what that call alone wrote last (trai status --by-call has the ids)'],
  ['--up-to ID', 'only what that call and those before it wrote'],
];

/** By command. Every option that a command takes stands here; a test holds that. */
const LINES: Readonly<Record<string, Lines>> = {
  'status': [['--by-call', 'the changes under the calls that wrote them']],
  'diff': [
    ['PATH', 'only this file, or what lies in this directory'],
    ['--list', 'a line for each change, without its content'],
    ['--include-ignored', 'also caches, histories and what else a commit leaves out'],
  ],
  'log': [['--last N', 'so many of the newest calls (50)']],
  'commit': [
    ...SCOPE,
    ['--yes', 'also where very much would be deleted: it is named first'],
    ['--include-ignored', 'also caches, histories and what else is left out otherwise'],
    ['--no-undo', 'keeps nothing of what was there before: it can’t be taken back'],
    ['--conflicts WAY', 'what to do where your files changed, too: refuse (the default), keep-host,'],
    ['', 'take-sandbox, merge, merge-markers'],
    ['--keep-host PATH,…', 'there: leaves yours; the sandbox’s stays pending'],
    ['--take-sandbox PATH,…', 'there: puts the sandbox’s in the place of yours'],
    ['--merge PATH,…', 'there: puts both changes of a text together, or refuses'],
    ['--merge-markers PATH,…', 'the same; where both changed the same lines, with markers'],
  ],
  'discard': [
    ...SCOPE,
    ['--yes', 'does it; without, it says what would be dropped'],
    ['--end-processes', 'ends what runs in the session first'],
  ],
  'undo': [
    ['--list', 'what was committed and discarded, and what can be taken back'],
    ['--redo', 'commits again what the last undo took back'],
    ['--yes', 'also where very much would be deleted: it is named first'],
    ['--end-processes', 'ends what runs in the session first'],
    [
      '--conflicts WAY',
      'what to do where your files changed since: refuse (the default), keep-host, take-back',
    ],
    ['--keep-host PATH,…', 'there: leaves them as they are now'],
    ['--take-back PATH,…', 'there: puts back what was there before the commit'],
  ],
  'export': [
    ['--patch FILE', 'writes a new file, for: git apply FILE'],
    ['--branch NAME', 'makes a new branch with one commit on top of HEAD'],
    ['--message TEXT', 'the message of that commit'],
    ...SCOPE,
    ['--include-ignored', 'also caches, histories and what else a commit leaves out'],
  ],
  'adopt': [['ID', 'the earlier session, or the beginning of its id (trai sessions)']],
  'exec': [['-- COMMAND', 'the command and its arguments, as they are: no shell reads them']],
  'explore': [],
  'ps': [['--end [PID…]', 'ends all of them, or these']],
  'why': [['PATH', 'a file or a directory']],
  'why-host': [['CALL', 'an id, or a number: 1 = the newest (the default), 2 = the one before it']],
  'sessions': [],
  'gc': [['--yes', 'removes it; without, it is only named']],
  'passthrough': [],
  'ui': [
    ['NUMBER', 'signs in the tab that shows these six digits'],
    ['--print', 'prints the address and opens nothing'],
  ],
  'doctor': [],
};

const SESSIONS: Readonly<Record<string, string>> = {
  exec: 'the session; a new ID makes one (default: this project’s newest)',
  adopt: 'the session that goes on with them',
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
