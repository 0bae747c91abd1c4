import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../core/decide/decide.ts';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { firstSeed, runsOf } from '../runs.ts';
import { HostRun } from './host-run.ts';
import { READER_TEXT, TEXT } from './host-texts.ts';

const FACTS: Facts = {
  cwd: '/',
  home: '/home/u',
  pending: false,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: DEFAULT_CONFIG,
};

/** Texts that each shell runs. */
const RUNS = runsOf(400);
const SEED = firstSeed();
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
      'docker compose -pout --ansi never -fout config',
    ];
    const found = run.writers(shell, [...reading, ...writing.flatMap((text) => [text, 'git diff'])]);
    expect(found.map((line) => line.replace(/ changed .*/, ''))).toEqual(
      writing.map((text) => JSON.stringify(text)),
    );
    for (const text of writing) expect(isReader(text), text).toBe(false);
  });
});

/** Accepted alone, and beside a reader, where a text that writes is refused. */
function isReader(text: string): boolean {
  return decide(text, FACTS).mode === 'host' && decide(`${text}\ndiff a a`, FACTS).mode === 'host';
}
