import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/exec.ts';

const FILES: Record<string, string> = {
  'README.md': '# Greeter\n\nSays hello, politely.\n',
  'package.json': '{\n  "name": "greeter",\n  "version": "1.0.0",\n  "type": "module"\n}\n',
  'src/greet.js': [
    "import { capitalise } from './util.js';",
    '',
    'export function greet(name) {',
    "  if (!name) return 'Hello!';",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the demo's own source text
    '  return `Hello, ${capitalise(name)}!`;',
    '}',
    '',
  ].join('\n'),
  'src/util.js': 'export const capitalise = (word) => word[0].toUpperCase() + word.slice(1);\n',
  'docs/old-notes.md': '# Notes\n\nNobody has read these since the first release.\n',
  'scripts/deploy.sh': '#!/bin/sh\necho "deploying"\n',
  'scripts/make-icons.sh': [
    '#!/bin/sh',
    'mkdir -p icons',
    'i=1',
    'while [ "$i" -le 60 ]; do',
    '  printf \'<svg viewBox="0 0 16 16"><circle cx="8" cy="8" r="%d"/></svg>\\n\' $((i % 8 + 1)) >"icons/icon-$i.svg"',
    '  i=$((i + 1))',
    'done',
    'echo "60 icons written"',
    '',
  ].join('\n'),
  '.gitignore': 'node_modules/\nicons/\n',
};

export interface DemoCommand {
  /** What a user should see it as. */
  title: string;
  command: string;
  /** The exit status that it is made to end with. */
  status: number;
}

/** What an agent might do in an afternoon, small. Each runs through the real launcher. */
export const DEMO_COMMANDS: readonly DemoCommand[] = [
  { title: 'an edit', command: "sed -i 's/Hello/Good morning/' src/greet.js", status: 0 },
  { title: 'a generator', command: 'sh scripts/make-icons.sh', status: 0 },
  { title: 'a delete', command: 'rm docs/old-notes.md', status: 0 },
  {
    title: 'a rename',
    command: "mv src/util.js src/words.js && sed -i 's/util.js/words.js/' src/greet.js",
    status: 0,
  },
  { title: 'a mode change', command: 'chmod +x scripts/deploy.sh', status: 0 },
  {
    title: 'a command that fails half-way',
    command:
      'mkdir -p build && echo "half a bundle" >build/bundle.tmp && echo "error: no entry point" >&2 && exit 3',
    status: 3,
  },
];

/** Runs on while the dashboard is open: the session is live until it ends. */
export const LONG_COMMAND: DemoCommand = {
  title: 'a long one, in the background for a minute',
  command: 'for i in $(seq 1 60); do echo "$i" >>build/progress.log; sleep 1; done',
  status: 0,
};

/** Writes a small repository into an empty directory. */
export async function makeProject(dir: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
  chmodSync(path.join(dir, 'scripts/make-icons.sh'), 0o755);
  const identity = [
    '-c',
    'user.name=demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'commit.gpgsign=false',
  ];
  // Without git the demo works all the same; the project is then the directory itself.
  await run('git', ['init', '-q', '.'], { cwd: dir, output: 'ignore' });
  await run('git', ['add', '.'], { cwd: dir, output: 'ignore' });
  await run('git', [...identity, 'commit', '-q', '-m', 'First version'], { cwd: dir, output: 'ignore' });
}
