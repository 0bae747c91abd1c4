// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../session/config.ts';
import { decide } from './decide.ts';
import { parseShell } from './shell.ts';
import { allCommands, isPlain } from './shell-facts.ts';
import type { Facts } from './types.ts';

const FACTS: Facts = {
  cwd: '/',
  home: '/home/u',
  pending: false,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: { ...DEFAULT_CONFIG, passthrough: ['git'] },
};

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
    ' <<EOF\n',
    '\nEOF\n',
    'eval ',
    'alias ls=touch',
    '{touch,out}',
    'to\\uch out',
    '\\\n',
  ],
);
const TEXT = fc.array(PIECES, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('decide', () => {
  it('never throws and always knows its mode, whatever the text', () => {
    const modes = ['host', 'sandbox', 'refuse'];
    fc.assert(
      fc.property(fc.oneof(TEXT, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        expect(modes).toContain(decide(text, FACTS).mode);
        expect(modes).toContain(decide(text, { ...FACTS, config: DEFAULT_CONFIG, pending: true }).mode);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never lets a text onto the host because something was put behind it', () => {
    const endings = [
      '; touch x',
      ' && touch x',
      ' | tee x',
      '\ntouch x',
      ' & touch x',
      ' > x',
      ' $(touch x)',
    ];
    fc.assert(
      fc.property(TEXT, fc.constantFrom(...endings), (text, ending) => {
        // Only where the start stands alone is the ending certainly a command of its own.
        if (decide(text, FACTS).mode !== 'host' || /#|<<|\\$/.test(text)) return;
        expect(decide(text + ending, FACTS).mode).not.toBe('host');
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('what is let onto the host, run by real shells', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'trai-decide-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const shells = ['/usr/bin/bash', '/usr/bin/zsh'].filter((shell) => {
    if (!existsSync(shell)) console.log(`not run with ${shell}: it is not installed`);
    return existsSync(shell);
  });

  it.each(shells)('%s writes no file', { timeout: 120_000 }, (shell) => {
    mkdirSync(join(dir, 'w'));
    mkdirSync(join(dir, 'bin'));
    // What git itself writes is wanted; here only the shell and the other programs are on trial.
    writeFileSync(join(dir, 'bin', 'git'), '#!/bin/sh\n', { mode: 0o755 });
    for (const name of ['a', 'b']) writeFileSync(join(dir, 'w', name), `${name}\n`);
    let ran = 0;
    fc.assert(
      fc.property(TEXT, (text) => {
        fc.pre(decide(text, FACTS).mode === 'host');
        ran++;
        const env = { PATH: `${join(dir, 'bin')}:/usr/bin:/bin`, HOME: dir, ZDOTDIR: dir };
        spawnSync(shell, ['-c', text], { cwd: join(dir, 'w'), env, timeout: 5_000, stdio: 'ignore' });
        const made = readdirSync(join(dir, 'w')).filter((name) => name !== 'a' && name !== 'b');
        // Removed before the check, or every text that is tried to shrink this one fails too.
        for (const name of made) rmSync(join(dir, 'w', name), { recursive: true });
        expect(made, text).toEqual([]);
      }),
      { numRuns: 250, maxSkipsPerRun: 2_000 },
    );
    expect(ran).toBeGreaterThan(200);
  });
});

describe('hostile nesting is given up on, not followed', () => {
  const texts: [string, string][] = [
    ['open substitutions', `echo ${'$('.repeat(5_000)}`.slice(0, 10_000)],
    ['closed substitutions', '$('.repeat(3_300) + ')'.repeat(3_300)],
    ['quoted substitutions', '"$('.repeat(3_300)],
    ['process substitutions', '<('.repeat(5_000)],
    ['backticks', '`'.repeat(10_000)],
    ['groups', '{ '.repeat(5_000)],
    ['subshells', '('.repeat(10_000)],
    ['arithmetic', '$(('.repeat(3_300)],
    ['parameters', '${x:-'.repeat(2_000)],
    ['here-documents', 'cat <<a '.repeat(1_200)],
    ['commands', 'a;'.repeat(5_000)],
    ['shells in shells', `${'bash -c "'.repeat(1_000)}ls`],
    ['variables of variables', Array.from({ length: 300 }, (_, i) => `a${i}=$a${i + 1}$b${i}`).join(';')],
  ];
  it.each(texts)('%s', (_, text) => {
    expect(allCommands(parseShell(text)).length).toBeLessThanOrEqual(2_000);
    expect(decide(`touch x; ${text}`, FACTS).mode).toBe('sandbox');
  });

  it.each(['$(', '"$(', '<(', '$(('])('%j, often, is not understood', (opening) => {
    const script = parseShell(`echo ${opening.repeat(2_400)}`);
    expect(isPlain(script)).toBe(false);
  });
});
