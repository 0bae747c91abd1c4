// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { HostRun } from '../../testing/decide/host-run.ts';
import { READER_TEXT, TEXT } from '../../testing/decide/host-texts.ts';
import { decide } from './decide.ts';
import { allCommands, isPlain } from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';

const FACTS: Facts = {
  cwd: '/',
  home: '/home/u',
  pending: false,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: { ...DEFAULT_CONFIG, passthrough: ['git'] },
};

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

/** Texts that each shell runs. */
const RUNS = Number(process.env['TRAI_PROPERTY_RUNS'] ?? 1_000);
const SEED = Number(process.env['TRAI_SEED'] ?? randomInt(2 ** 30));
const SHELLS = ['/usr/bin/bash', '/usr/bin/zsh'];

describe('what is let onto the host as a reader, run by real shells with the real programs', () => {
  let run: HostRun;
  beforeAll(() => {
    run = new HostRun();
  });
  afterAll(() => run.remove());

  it.each(SHELLS)(
    '%s: whatever is accepted changes nothing in the whole tree',
    { timeout: 600_000 },
    (shell) => {
      if (!existsSync(shell)) return console.log(`not run with ${shell}: it is not installed`);
      const texts: string[] = [];
      for (let seed = SEED; texts.length < RUNS; seed++) {
        const made = [
          ...fc.sample(READER_TEXT, { seed, numRuns: 2_000 }),
          ...fc.sample(TEXT, { seed, numRuns: 1_000 }),
        ];
        texts.push(...made.filter(isReader));
      }
      expect(run.writers(shell, texts.slice(0, RUNS)), `TRAI_SEED=${SEED}`).toEqual([]);
    },
  );

  it.each(SHELLS)('%s: a write is seen, also one in the middle of others', { timeout: 600_000 }, (shell) => {
    if (!existsSync(shell)) return console.log(`not run with ${shell}: it is not installed`);
    const writing = [
      'touch out',
      'touch ~/out',
      'echo v > victim',
      'chmod +x a',
      'touch -r a a',
      'rm b',
      'echo hi < victim > /dev/stdin',
      'uniq a +out',
      'sort -ro out a',
      'find a -fprint out',
      'git branch x',
      'git remote -v remove origin',
      'git symbolic-ref LINK refs/heads/main',
      'git log --output=out',
      'gh api -iX DELETE repos/a/b',
      'gh api repos/a/b -f a=b',
      'docker compose config -qo out',
    ];
    const reading = [
      'ls',
      'git status',
      'cat a',
      'gh api -X GET repos/a/b -f a=b',
      'docker compose -f x config',
    ];
    const found = run.writers(shell, [...reading, ...writing.flatMap((text) => [text, 'git diff'])]);
    expect(found.map((line) => line.replace(/ changed .*/, ''))).toEqual(
      writing.map((text) => JSON.stringify(text)),
    );
    for (const text of writing) expect(isReader(text), text).toBe(false);
  });
});

/** Accepted, and beside a reader too: that is refused to what writes. */
function isReader(text: string): boolean {
  const facts = { ...FACTS, config: DEFAULT_CONFIG };
  return decide(text, facts).mode === 'host' && decide(`${text}\ndiff a a`, facts).mode === 'host';
}

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
