import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { joinPath } from '../../../shared/bytes.ts';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import { undoDiscard } from '../discard/discard.ts';
import { discardPart, lookAtDiscard } from '../discard/discard-part.ts';
import { openDiscard } from '../recover/repair.ts';
import { undoCommit } from '../undo/undo.ts';
import { commitDir, type Phase, phaseAfter, readClosed, readJournal, unfinishedCommit } from './journal.ts';
import type { JournalLine } from './lines.ts';
import { trashDir } from './trash.ts';

let t: TestSession;
afterEach(() => t.remove());

/** The phases of a transaction, each with the line that began it. */
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
  const { n: undo } = await undoCommit(t.ctx, undoRequest(n));
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

it('is told from the ends of a long journal, unless a line is long as well', async () => {
  t = testSession();
  t.inSandbox('echo n > new');
  const { n } = await commitNow(t);
  const dir = commitDir(t.ctx, n);
  const lines = readFileSync(`${dir}/journal.jsonl`, 'utf8').trimEnd().split('\n');
  const told = JSON.stringify({ t: 'refused', entries: [{ path: '/x', message: 'm'.repeat(100_000) }] });
  const at = (i: number) => `${[...lines.slice(0, i), told, ...lines.slice(i)].join('\n')}\n`;
  expect(readClosed(dir)?.after).toEqual(new Set(['dropped']));
  writeFileSync(`${dir}/journal.jsonl`, at(2));
  expect(readClosed(dir)).toEqual({
    at: readJournal(nodePort, t.ctx, n)?.begin.at,
    after: new Set(['dropped']),
  });
  writeFileSync(`${dir}/journal.jsonl`, at(lines.length));
  expect(readClosed(dir)).toBeNull();
  expect(unfinishedCommit(t.ctx)).toBeNull();
});

it('is told from the last lines of a discard, too, without parsing the others', async () => {
  t = testSession();
  t.onHost('echo 1 > a; echo 1 > b');
  t.inSandbox('echo 2 > a; echo 2 > b');
  const list = await scan(t.ctx);
  const chosen = new Set(list.changes.slice(0, 1).map(({ path }) => path));
  const { plan } = await lookAtDiscard(t.ctx, list, chosen);
  const { trash } = discardPart(t.ctx, plan);
  const dir = joinPath(trashDir(t.ctx), trash);
  const isClosed = () => readClosed(dir) !== null;
  expect([isClosed(), openDiscard(t.ctx)]).toEqual([true, null]);
  await undoDiscard(t.ctx, trash);
  expect([isClosed(), openDiscard(t.ctx)]).toEqual([true, null]);
  const journal = `${dir}/journal.jsonl`;
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  // As an interrupted undo leaves it.
  writeFileSync(
    journal,
    `${lines.slice(0, lines.findIndex((line) => line.includes('"reopen"')) + 1).join('\n')}\n`,
  );
  expect([isClosed(), openDiscard(t.ctx)?.name]).toEqual([false, trash]);
});
