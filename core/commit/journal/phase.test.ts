import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { undoCommit } from '../undo/undo.ts';
import { type Phase, phaseAfter } from './journal.ts';
import type { JournalLine } from './lines.ts';

let t: TestSession;
afterEach(() => t.remove());

/** The phases of a transaction after each of its lines, every run of the same phase once, with the line that began it. */
function phasesOf(n: number): string[] {
  const text = readFileSync(`${t.ctx.sessionDir}/commits/${n}/journal.jsonl`, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);
  const seen = new Set<string>();
  let phase: Phase = 'staging';
  return lines.flatMap((line) => {
    phase = phaseAfter(phase, line);
    seen.add(line.t);
    // What each phase stands for, by the lines themselves.
    expect(phase === 'staging').toBe(!seen.has('ready') && !seen.has('end'));
    expect(phase === 'closed').toBe(seen.has('end'));
    expect(phase === 'applied').toBe(seen.has('applied') && !seen.has('end'));
    return [`${phase} ${line.t}`];
  });
}

const steps = (n: number): string[] =>
  phasesOf(n).filter((one, i, all) => one.split(' ')[0] !== all[i - 1]?.split(' ')[0]);

it('goes from staging to closed, of a commit and of its undo', async () => {
  t = testSession();
  t.onHost('echo 1 > changed; echo 1 > gone; mkdir d');
  t.inSandbox('echo 2 > changed; rm gone; chmod 700 d; mkdir -p new/in; echo n > new/in/n');
  const { n } = await commitNow(t);
  expect(steps(n)).toEqual([
    'staging begin',
    'ready ready',
    'applying done',
    'applied applied',
    'closed end',
  ]);
  const { n: undo } = await undoCommit(t.ctx, undoRequest(n), false);
  expect(steps(undo)).toEqual(steps(n));
  // What is written afterwards does not open it again.
  expect(phasesOf(n).slice(-2)).toEqual(['closed dropped', 'closed undone']);
});

it('goes from staging to closed at once when it is stopped before anything was touched', async () => {
  t = testSession();
  t.inSandbox('echo n > new');
  const { n } = await commitNow(t, { tools: { cancelled: () => true } });
  expect(steps(n)).toEqual(['staging begin', 'closed end']);
});
