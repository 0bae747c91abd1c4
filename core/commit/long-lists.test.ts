/** A list of a journal may be longer than what one call takes as arguments, about 120,000. */
import { afterEach, expect, it } from 'vitest';
import type { BytePath } from '../../shared/bytes.ts';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { appendBases, readBaseFile } from '../overlay/base-file.ts';
import { applyAll } from './apply/apply.ts';
import { forgetMoved } from './apply/cleanup.ts';
import { beginTransaction, type Journal, readJournal } from './journal/journal.ts';
import { TreePacker, type Unit } from './journal/unit.ts';

const MANY = 300_000;

const open: TestSession[] = [];
const journals: Journal[] = [];
afterEach(() => {
  for (const journal of journals.splice(0)) journal.close();
  for (const t of open.splice(0)) t.remove();
});

interface Scene {
  t: TestSession;
  journal: Journal;
  paths: BytePath[];
  unit: Unit;
}

/** A transaction with one unit of so many entries. */
function scene(): Scene {
  const t = testSession();
  open.push(t);
  const begin = { revision: 'r', live: false, leftOut: [], kept: 0, ignored: 0, reversible: true };
  const journal = beginTransaction(nodePort, t.ctx, begin);
  journals.push(journal);
  const paths = Array.from({ length: MANY }, (_, i) => `${t.host}/d/${i}` as BytePath);
  const packer = new TreePacker(`${t.host}/d` as BytePath, 'dir:493:0:0:0:1:1:1:1:1:1');
  for (const path of paths) packer.looked(path, 'file');
  const unit: Unit = {
    t: 'unit',
    i: 0,
    kind: 'move-to-host',
    path: `${t.host}/d` as BytePath,
    born: 'dir:1:1:1',
    tree: packer.done(),
    groups: [],
    bytes: 0,
  };
  journal.add(unit);
  journal.add({ t: 'ready', units: 1 });
  return { t, journal, paths, unit };
}

it('of directories above, and of what was refused, is written and read', () => {
  const { t, journal, paths } = scene();
  journal.add({ t: 'above', entries: paths.map((path) => ({ path, id: null })) });
  journal.addSynced({ t: 'refused', entries: paths.map((path) => ({ path, message: 'm' })) });
  const record = readJournal(nodePort, t.ctx, journal.record.n);
  expect([record?.above.length, record?.refused.length]).toEqual([MANY, MANY]);
});

it('of what a stopped commit has not applied is reported', async () => {
  const { t, journal } = scene();
  journal.add({ t: 'abandon', why: 'cancelled' });
  const { report } = await applyAll({
    port: nodePort,
    ctx: t.ctx,
    journal,
    onProgress: undefined,
    startedAt: 0,
    unfinished: new Map(),
  });
  expect(report.notApplied.length).toBe(MANY);
});

it('of bases that end with a directory that was moved is forgotten', () => {
  const { t, journal, paths } = scene();
  const base = { state: 'absent' } as const;
  const file = readBaseFile(t.ctx);
  appendBases(
    t.ctx,
    file,
    paths.map((path) => [path, { path, base, listed: false }]),
  );
  journal.add({ t: 'done', i: 0 });
  forgetMoved(nodePort, t.ctx, journal.record);
  expect(readBaseFile(t.ctx).records.size).toBe(0);
});
