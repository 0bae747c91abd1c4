/** What boxes of made-up projects keep: listed, sized, and moved to the trash. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { undoLine } from '../../shared/terminal/box.ts';
import { makeInstance } from '../box/instance.ts';
import { STAYS } from '../box/messages/errors.ts';
import * as diskUse from '../commit/retention/disk-use.ts';
import { updateMeta } from '../session/meta-file.ts';
import { projectOf } from '../session/project.ts';
import { ensureSession } from '../session/store.ts';
import { type BoxPlace, collectInstances, instanceSize, sizedInstances } from './boxes.ts';

let base: string;
let at: BoxPlace;
beforeEach(() => {
  // A name that is no ASCII: it must survive the line for a shell.
  base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-bøxes ’-')));
  at = { stateDir: join(base, 'state'), env: { HOME: base } };
  mkdirSync(at.stateDir, { mode: 0o700 });
  // An empty directory may be a mount point without its disk.
  mkdirSync(join(base, 'projects/stays'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

/** A project with an instance and, with a name, a session in a box. */
async function made(name: string, session?: string): Promise<{ dir: string; instance: string; id: string }> {
  const dir = join(base, 'projects', name);
  mkdirSync(dir, { recursive: true });
  const project = projectOf(fromText(dir));
  if (session !== undefined) {
    await ensureSession(at.stateDir, session, { cwd: fromText(dir), project });
    const sessionDir = join(at.stateDir, 'sessions', session);
    await updateMeta(sessionDir, (meta) => ({ ...meta, levels: ['claude', 'box'] }));
  }
  return { dir, instance: makeInstance(at.stateDir, project), id: project.id };
}

const byId = async () => new Map((await sizedInstances(at)).instances.map((one) => [one.id, one]));

describe('the list', () => {
  it('has project, sessions, last use and size of each', async () => {
    const one = await made('one', 's1');
    const other = await made('other');
    writeFileSync(join(one.instance, 'cache/npm/big'), Buffer.alloc(100_000));
    const found = await byId();
    expect(found.get(one.id)).toMatchObject({
      ...{ root: fromText(one.dir), sessions: ['s1'], state: 'used', running: false },
    });
    expect(found.get(one.id)?.bytes).toBeGreaterThan(100_000 + (found.get(other.id)?.bytes ?? 0) / 2);
    expect(found.get(other.id)?.sessions).toEqual([]);
  });

  it('is empty where no box ever ran', async () => {
    expect(await sizedInstances(at)).toEqual({ instances: [], dir: join(at.stateDir, 'box') });
  });
});

describe('a size', () => {
  const count = () => vi.spyOn(diskUse, 'sizeOnDisk');

  it('is counted again after a box ran, and not before', async () => {
    const { instance } = await made('one');
    const counted = count();
    const first = await instanceSize(instance, false);
    writeFileSync(join(instance, 'cache/npm/later'), Buffer.alloc(50_000));
    expect(await instanceSize(instance, false)).toBe(first);
    expect(counted).toHaveBeenCalledTimes(1);
    utimesSync(join(instance, 'run'), new Date(), new Date(Date.now() + 5_000));
    expect(await instanceSize(instance, false)).toBeGreaterThan(first + 40_000);
  });

  it('that was counted while a box ran is not believed when it has ended', async () => {
    const { instance } = await made('one');
    const counted = count();
    await instanceSize(instance, true);
    await instanceSize(instance, true);
    expect(counted).toHaveBeenCalledTimes(1);
    await instanceSize(instance, false);
    expect(counted).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['no JSON', () => '{'],
    ['of another version', (kept: object) => JSON.stringify({ ...kept, v: 2 })],
    ['without a number', (kept: object) => JSON.stringify({ ...kept, bytes: '7' })],
    ['of the future', (kept: object) => JSON.stringify({ ...kept, at: Date.now() + 1e9, bytes: 7 })],
    ['of last week', (kept: object) => JSON.stringify({ ...kept, at: Date.now() - 7e8, bytes: 7 })],
  ])('is counted where the record is damaged or old: %s', async (_name, damaged) => {
    const { instance } = await made('one');
    const bytes = await instanceSize(instance, false);
    const file = join(instance, 'size.json');
    writeFileSync(file, damaged(JSON.parse(readFileSync(file, 'utf8'))));
    expect(await instanceSize(instance, false)).toBeGreaterThanOrEqual(bytes);
  });

  it('is not noted down behind a link in the place of an instance', async () => {
    await made('one');
    const outside = join(base, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(at.stateDir, 'box/0123456789abcdef'));
    expect((await byId()).get('0123456789abcdef')).toMatchObject({ state: 'unsure', why: STAYS.foreign });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('collecting', () => {
  it('takes exactly the named ones whose project is gone, and the line brings one back', async () => {
    const [gone, other, there] = [await made('gone', 's1'), await made('other'), await made('there')];
    for (const { dir } of [gone, other]) rmSync(dir, { recursive: true });
    const none = 'f'.repeat(16);
    const did = await collectInstances(at, { ids: [gone.id, there.id, none], dry: false });
    expect(did.taken).toMatchObject([{ id: gone.id, root: fromText(gone.dir) }]);
    expect(did.left).toEqual([
      { id: there.id, why: STAYS.used },
      { id: none, why: STAYS.away },
    ]);
    expect([gone, other, there].map(({ instance }) => existsSync(instance))).toEqual([false, true, true]);
    const [taken] = did.taken;
    if (taken === undefined) throw new Error('nothing was taken');
    const run = spawnSync('bash', ['-c', undoLine(taken, did.dir)]);
    expect([run.status, existsSync(gone.instance)]).toEqual([0, true]);
  });

  it('without names is about all, and a dry run moves nothing', async () => {
    const gone = await made('gone');
    rmSync(gone.dir, { recursive: true });
    const unsure = await made('disk/p');
    rmSync(join(base, 'projects/disk'), { recursive: true });
    const dry = await collectInstances(at, { ids: null, dry: true });
    expect(dry.taken).toMatchObject([{ id: gone.id, at: '' }]);
    expect(dry.left.map(({ id }) => id)).toEqual([unsure.id]);
    expect(existsSync(gone.instance)).toBe(true);
  });

  it('counts nothing before all are moved: meanwhile a box could begin in one that was found gone', async () => {
    const all = [await made('one'), await made('two'), await made('three')];
    for (const { dir } of all) rmSync(dir, { recursive: true });
    const there: boolean[] = [];
    vi.spyOn(diskUse, 'sizeOnDisk').mockImplementation(async () => {
      there.push(...all.map(({ instance }) => existsSync(instance)));
      return 7;
    });
    const { taken } = await collectInstances(at, { ids: null, dry: false });
    expect(taken.map(({ bytes }) => bytes)).toEqual([7, 7, 7]);
    expect(there).toEqual(Array(9).fill(false));
  });

  it('leaves one that a new box has made again, and says so', async () => {
    const gone = await made('gone');
    rmSync(gone.dir, { recursive: true });
    const { taken, dir } = await collectInstances(at, { ids: [gone.id], dry: false });
    const again = await made('gone');
    const [one] = taken;
    if (one === undefined) throw new Error('nothing was taken');
    expect(spawnSync('bash', ['-c', undoLine(one, dir)]).status).not.toBe(0);
    expect(readdirSync(again.instance)).not.toContain(`box.${gone.id}`);
    expect(existsSync(one.at)).toBe(true);
  });
});
