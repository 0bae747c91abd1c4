// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
/** Random texts at the border of what may run on the host. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import {
  COMPOSE_GLOBALS,
  CONTAINER_READS,
  FIND_TESTS,
  GH_API_FIELDS,
  GH_API_READS,
  GH_READS,
  GIT_LISTS,
  GIT_READING_VERBS,
  GIT_READS,
  HARMLESS_READERS,
  READER_OPTIONS,
  SYMBOLIC_REF_READS,
} from '../../core/decide/shell/option-tables.ts';

/** What shell texts are made of, with every way to write a file called `out` or to run `touch out`. */
const PIECES = fc.constantFrom(
  ...[
    'ls',
    'cat',
    'echo',
    'find .',
    'sort',
    'uniq',
    'printf',
    'test',
    '[',
    ']',
    'env',
    'command',
    'export',
    'date',
  ],
  ...[
    ' a',
    ' b',
    ' out',
    ' -o',
    ' -',
    ' -v',
    ' --',
    ' -exec',
    ' -delete',
    ' -fprint',
    ' -eq',
    ' 0',
    ' x=1',
    ' %d',
  ],
  ...[' touch out', 'touch out', 'touch', '$(touch out)', '`touch out`', '<(touch out)', "'a[$(touch out)]'"],
  ...['>', '>>', '>|', '&>', '2>', '<', '<<<', '<>', '>&', '2>&1', '/dev/null', 'out', '{fd}', '>(cat)'],
  ...[
    ' < victim',
    '/dev/stdin',
    '/dev/stdout',
    '/dev/fd/0',
    '/dev/fd/1',
    '/proc/self/fd/0',
    ' 3< a',
    '>&3',
    '>&-',
  ],
  ...[';', '&', '&&', '||', '|', '|&', '\n', '!', '(', ')', '{ ', '; }', 'if ', '; then ', '; fi', 'f() { '],
  ...[
    'for x in a; do ',
    '; done',
    'case a in a) ',
    ';; esac',
    'time ',
    '$x',
    '${x}',
    '${x:=a}',
    '$((x))',
    '[[ ',
    ' ]]',
  ],
  ...[
    "'",
    '"',
    '\\',
    '$',
    '`',
    '#',
    '~',
    '*',
    '?',
    '=',
    ' ',
    '(e:touch out:)',
    '*(e:touch out:)',
    '$~x',
    '\t',
    "$'",
    ',',
  ],
  ...[
    'x=touch',
    "x='a[$(touch out)]'",
    "x='path[$(touch out)1]'; ",
    "COLUMNS='path[$(touch out)1]'; ",
    'LINES=x; ',
  ],
  ...[
    '$#path[x]',
    '"$+path[x]"',
    '$y:F:x:h',
    '"$y:gF:x:h"',
    '$xé[x]',
    '$10[x]',
    '~[x]',
    "printf '%d' x",
    '=(touch out)',
  ],
  ...[' <<EOF\n', '\nEOF\n', 'eval ', 'alias ls=touch', '{touch,out}', 'to\\uch out', '\\\n'],
);
export const TEXT = fc.array(PIECES, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** Programs with the options that are accepted, and with all that they themselves know. */
const PROGRAMS: readonly (readonly [name: string, options: readonly string[]])[] = [
  ...Object.entries(READER_OPTIONS)
    .filter(([name]) => /^[a-z0-9]+$/.test(name) && name !== 'sleep')
    .map(([name, line]) => [name, [...tokens(line), ...known(name, '--help')]] as const),
  [
    'find',
    [
      ...FIND_TESTS.flatMap((names) => [...names]),
      '-exec',
      '-ok',
      '-fprint',
      '-fls',
      '-fprintf',
      '-delete',
      '(',
      '!',
    ],
  ],
  ['date', tokens('-u -R -I -d= --date= -s= --set= -r= --debug')],
  ['env', tokens('-0 --null -i -u= -S=')],
  ['printf', ['%s', '%d', '%5.2f', "'%s %d'", '%b', '-v', '%n', 'x', '1']],
  ['test', ['-f', '-e', '-v', '-t', '-eq', '=', '!', '"$x"', '1', 'x']],
  ...Object.entries({ ...GIT_READS, ...GIT_LISTS, 'symbolic-ref': SYMBOLIC_REF_READS }).map(
    ([sub, line]) => [`git ${sub}`, [...tokens(line), ...known('git', sub, '-h')]] as const,
  ),
  ...Object.entries(GIT_READING_VERBS).flatMap(([sub, verbs]) =>
    Object.entries(verbs).map(
      ([verb, line]) =>
        [
          `git ${sub} ${verb}`,
          [...tokens(line), ...known('git', sub, '-h'), 'remove', 'expire', 'add', 'drop'],
        ] as const,
    ),
  ),
  [
    'gh api',
    [
      ...tokens(`${GH_API_READS} ${GH_API_FIELDS}`),
      '-iX',
      '-XDELETE',
      '-X GET',
      '--method=PATCH',
      '--input=a',
      'repos/a/b',
    ],
  ],
  ['gh pr view', [...tokens(GH_READS), '--web', '-w']],
  ['docker compose config', [...tokens(CONTAINER_READS), '-o', '-qo', '--output=', '--lock-image-digests']],
  ['docker compose', [...tokens(COMPOSE_GLOBALS), 'config', 'ps', 'up', '-o', '-qo']],
  ['docker ps', [...tokens(CONTAINER_READS), '-o', '--output=']],
];

const LOG = ['--output=out', '--output out', '--outp=out', '--ext-diff', '-O -- --output=out'];
/** Writing options, in spellings that once passed or that look harmless. */
const SHARP: Readonly<Record<string, readonly string[]>> = {
  'sort': [
    '-o out',
    '-oout',
    '-ro out',
    '--output=out',
    '--outp=out',
    '-k 1 -o out',
    'a -o out',
    '-k -o out',
  ],
  'uniq': ['a out', 'a +out', '-c a out', '- out', '-- a out', '-f 1 a out', 'a -c'],
  'file': ['-C -m a', '-p a', '--compile -m a', '--preserve-date a'],
  'find': ['. -fprint out', 'a -delete', '. -fls out', 'a -exec touch out ;', '. -fprintf out %p', '*'],
  'env': ['touch out', 'x=1 touch out', '-i touch out', '-S "touch out"'],
  ...Object.fromEntries(
    [
      'log',
      'diff',
      'show',
      'diff-tree',
      'whatchanged',
      'stash show',
      'stash list',
      'reflog',
      'reflog show',
      'range-diff',
    ].map((sub) => [`git ${sub}`, LOG]),
  ),
  'git branch': [
    'x',
    '-D topic',
    '--delete topic',
    '-v x',
    '--color x',
    '-m topic y',
    '--del topic',
    '-l -D topic',
    '--sort x y',
  ],
  'git tag': ['x', '-d v1', '-l -d v1', '--del v1', '-m x y', '--sort=x y'],
  'git symbolic-ref': ['LINK refs/heads/main', '-q LINK refs/heads/main', '-m x LINK refs/heads/main'],
  'git remote ': [
    'remove origin',
    '-v remove origin',
    'rename origin y',
    'add y z',
    'set-url origin y',
    '-v add y z',
  ],
  'git reflog ': ['expire --expire=now --all', '-5 expire --expire=now --all', 'delete HEAD@{0}'],
  'git stash list': ['drop', 'clear'],
  'git notes ': ['add -fm x', '--ref y add -m x', 'remove'],
  'git fsck': ['--lost-found', '--lost'],
  'git archive': ['-o out HEAD', '-vo out HEAD', '--output=out HEAD', 'HEAD --output out'],
  'docker compose config': ['-o out', '-qo out', '--output=out', '--lock-image-digests'],
  'gh api': [
    '-iX DELETE a',
    '-XDELETE a',
    'a -f x=y',
    '--input a b',
    '-X GET -X DELETE a',
    '--method PATCH a',
  ],
  'gh pr view': ['--web', '-cw'],
  'git format-patch': ['-1', '-o out -1', '--subject-prefix --stdout -1', '-1 --stdout'],
};

/** Programs with a way to write. */
const ABLE = PROGRAMS.filter(([name]) => !HARMLESS_READERS.has(name));
const UNABLE = PROGRAMS.filter(([name]) => HARMLESS_READERS.has(name));

function tokens(line: string): string[] {
  return line
    .split(/\s+/)
    .flatMap((token) =>
      token.startsWith('--')
        ? [token.replace(/[?~]$/, '=')]
        : [...token.slice(1)].map((letter) => `-${letter}`),
    )
    .filter((token) => /^--?[A-Za-z0-9.]|^--$/.test(token));
}

/** Every option that a program's own help names, those that write included. */
function known(program: string, ...args: string[]): string[] {
  if (program === 'true' || program === 'false' || program === 'type') return [];
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000, cwd: '/' });
  const found = `${stdout ?? ''}\n${stderr ?? ''}`.matchAll(
    /(?<![\w-])(-[A-Za-z0-9]|--[a-z][a-z0-9-]+)(\[?=)?/g,
  );
  return [...found].map(([, name = '', equals = '']) => name + equals.replace('[', ''));
}

const OPERANDS = [
  ...[
    'a',
    'b',
    'out',
    '+out',
    '-',
    '--',
    '.',
    'src',
    'src/*',
    '*',
    '1',
    '-1',
    '+1',
    'HEAD',
    'main',
    'topic',
    'origin',
    "''",
  ],
  ...[
    '"$x"',
    '$x',
    '"$(ls)"',
    '$(echo -o)',
    '-o',
    '-oout',
    '--output=out',
    '--output out',
    '-exec touch out ;',
    '-"$x"',
    '-*',
  ],
  ...['"src/$x"', '~/a', '"*"', 'HEAD:a', "'path[$(touch out)1]'"],
];
const STARTS = [
  '',
  '',
  '',
  '',
  'x=--output=out; ',
  'x=-o; ',
  "x='path[$(touch out)1]'; ",
  'LC_ALL=C ',
  'cd src; ',
  'for x in -o a; do ',
];
const ENDS = [
  ...[
    '',
    '',
    '',
    '',
    ' && ls',
    ' | sort',
    ' | uniq - out',
    ' | head -5',
    ' 2>/dev/null',
    ' > /dev/null 2>&1',
    ' < a',
    ' <<< x',
  ],
  ...[
    ' < victim > /dev/stdin',
    ' 3< victim >&3',
    ' < victim 1>&0',
    ' < victim <> /dev/fd/0',
    ' > out',
    ' >| /dev/null',
    ' &',
  ],
];

/** How an option may be written: whole, abbreviated, with a value, in a cluster. */
function spelled(option: string): fc.Arbitrary<string> {
  const name = option.replace(/=$/, '');
  if (!/^-/.test(name)) return fc.constant(name);
  const whole = [name, `${name} out`, `${name} "$x"`, `${name} --`];
  if (!name.startsWith('--'))
    return fc.constantFrom(name, name, name, ...whole, `${name}out`, `${name}o out`, `${name}1`);
  return fc.constantFrom(
    name,
    name,
    ...whole,
    `${name}=out`,
    `${name}="$x"`,
    `${name}=1`,
    name.slice(0, -1),
    name.slice(0, 6),
  );
}

/** One command of a program that reads, in a form that may also write. */
export const READER_TEXT = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ABLE) },
    { weight: 1, arbitrary: fc.constantFrom(...UNABLE) },
  )
  .chain(([program, options]) => {
    const own = options.length === 0 ? ['-a'] : options;
    const any = fc.oneof(fc.constantFrom(...own).chain(spelled), fc.constantFrom(...OPERANDS));
    const sharp = SHARP[program] ?? own;
    const words = fc.oneof(
      fc.array(any, { maxLength: 4 }),
      fc.constantFrom(...sharp).map((word) => [word]),
      fc.tuple(any, fc.constantFrom(...sharp)),
    );
    return fc
      .tuple(fc.constantFrom(...STARTS), words, fc.constantFrom(...ENDS))
      .map(([start, chosen, end]) => {
        const text = start + [program.trim(), ...chosen].join(' ') + end;
        return start.startsWith('for') ? `${text}; done` : text;
      });
  });
