import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { bundleProgram, finished, runTogether } from '../../testing/log/test-child.ts';
import { testState } from '../../testing/state-dir.ts';
import { collect } from '../jobs/disk.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { sessionDir } from './dirs.ts';
import { metaPath, readMeta, updateMeta, writeMeta } from './meta-file.ts';
import { ensureSession, findSession, listSessions, newestOfProject } from './store.ts';

const states = testState('store');
afterAll(states.remove);
let state = '';
beforeEach(() => {
  state = states.next();
});

const cwd = fromText('/');
const project = (id: string) => ({ root: cwd, id: id.repeat(16) });
const make = (id: string, projectId = 'a', now = new Date()) =>
  ensureSession(state, id, { cwd, project: project(projectId), now });

describe('ensureSession', () => {
  it('makes a whole session that only the user can read, once', async () => {
    const first = await make('s1');
    const again = await make('s1', 'b');
    expect([first.created, again.created]).toEqual([true, false]);
    expect(again.meta).toEqual(first.meta);
    const dir = sessionDir(state, 's1');
    expect(readdirSync(dir).sort()).toEqual([
      'calls.jsonl',
      'commits',
      'grants',
      'meta.json',
      'overlay',
      'plan',
      'requests',
      'run',
    ]);
    for (const name of ['.', 'overlay', 'grants']) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o700);
    for (const name of ['meta.json', 'calls.jsonl'])
      expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(state, 'sessions'))).toEqual(['s1']);
  });

  it('makes one session when many ask at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => make('s1')));
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(readdirSync(join(state, 'sessions'))).toEqual(['s1']);
    expect(readdirSync(join(state, 'overlays'))).toHaveLength(1);
  });

  it('what a killed creation has left is removed by a collection, one under way is not', async () => {
    const program = await bundleProgram(
      states.top,
      'create',
      `
      import { readSync } from 'node:fs';
      import { ensureSession } from '#/core/session/store.ts';
      const [, , state = '', id = ''] = process.argv;
      const files = () => (process.stdout.write('begun'), readSync(0, Buffer.alloc(1)), {});
      await ensureSession(state, id, { cwd: '/', files });
    `,
    );
    const create = async (id: string) => {
      const child = spawn(process.execPath, [program, state, id]);
      await once(child.stdout, 'data');
      return child;
    };
    const [dead, alive] = [await create('dead.1'), await create('alive')];
    dead.kill('SIGKILL');
    await once(dead, 'exit');
    for (const dir of ['sessions', 'overlays']) expect(readdirSync(join(state, dir))).toHaveLength(2);
    await collect(state, [], { items: [] });
    expect(readdirSync(join(state, 'sessions'))).toEqual([expect.stringMatching(/^\.new\.alive\./)]);
    expect(readdirSync(join(state, 'overlays'))).toEqual([expect.stringMatching(/^alive\./)]);
    const end = finished(alive);
    alive.stdin.end('x');
    expect(await end).toMatchObject({ code: 0, stderr: '' });
    await collect(state, [], { items: [] });
    expect(readdirSync(join(state, 'sessions'))).toEqual(['alive']);
    expect(readdirSync(join(state, 'sessions/alive/overlay'))).toEqual([]);
  });

  it('a collection takes no overlay from a session that a process which it cannot see completes', async () => {
    await make('s1');
    const made = sessionDir(state, 's1');
    const named = join(state, 'sessions/.new.s1.999999999-1.abcdef');
    renameSync(made, named);
    const { readlink } = nodePort;
    const look = vi.spyOn(nodePort, 'readlink').mockImplementation((link) => {
      const target = readlink(link);
      if (existsSync(named)) renameSync(named, made);
      return target;
    });
    onTestFinished(() => look.mockRestore());
    await collect(state, [], { items: [] });
    expect(look).toHaveBeenCalled();
    expect(existsSync(join(made, 'overlay'))).toBe(existsSync(made));
    expect(readdirSync(join(state, 'overlays'))).toHaveLength(existsSync(made) ? 1 : 0);
  });

  it('leaves nothing where there can be no overlay, and says so', async () => {
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, 'overlays'), '');
    await expect(make('s1')).rejects.toMatchObject({ code: 'io' });
    expect(readdirSync(join(state, 'sessions'))).toEqual([]);
  });

  it('leaves a session whose meta.json is damaged as it is, and says so', async () => {
    await make('s1');
    writeFileSync(metaPath(sessionDir(state, 's1')), '{');
    await expect(make('s1')).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(metaPath(sessionDir(state, 's1')), 'utf8')).toBe('{');
  });
});

describe('meta.json', () => {
  it.each<[string, (dir: string) => void, string]>([
    ['missing', (dir) => rmSync(metaPath(dir)), 'corrupt'],
    ['empty, as after a crash without fsync', (dir) => writeFileSync(metaPath(dir), ''), 'corrupt'],
    [
      'that of another session',
      (dir) => writeFileSync(metaPath(dir), readFileSync(metaPath(dir), 'utf8').replace('"s1"', '"s2"')),
      'corrupt',
    ],
    [
      'a symlink',
      (dir) => {
        rmSync(metaPath(dir));
        symlinkSync('/etc/passwd', metaPath(dir));
      },
      'corrupt',
    ],
    [
      'a directory',
      (dir) => {
        rmSync(metaPath(dir));
        mkdirSync(metaPath(dir));
      },
      'corrupt',
    ],
    ['gone with its session', (dir) => rmSync(dir, { recursive: true }), 'no-session'],
  ])('is reported when %s', async (_name, damage, code) => {
    await make('s1');
    const dir = sessionDir(state, 's1');
    damage(dir);
    await expect(readMeta(dir)).rejects.toMatchObject({ code });
    await expect(updateMeta(dir, (meta) => meta)).rejects.toMatchObject({ code });
  });

  it('is replaced as a whole, with the same rights, and leaves no temporary file', async () => {
    const { meta } = await make('s1');
    const dir = sessionDir(state, 's1');
    await writeMeta(dir, { ...meta, off: 'by the user' });
    expect((await readMeta(dir)).off).toBe('by the user');
    expect(statSync(metaPath(dir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is not replaced by something that could not be read back', async () => {
    const { meta } = await make('s1');
    const dir = sessionDir(state, 's1');
    await expect(writeMeta(dir, { ...meta, id: '..' })).rejects.toMatchObject({ code: 'internal' });
    expect(await readMeta(dir)).toEqual(meta);
  });

  it('loses no change when processes update it at the same time', async () => {
    await make('s1');
    const dir = sessionDir(state, 's1');
    const program = await bundleProgram(
      states.top,
      'update',
      `
      import { updateMeta } from '#/core/session/meta-file.ts';
      const [, , dir = '', name = ''] = process.argv;
      for (let i = 0; i < 10; i++) {
        await updateMeta(dir, (meta) => ({ ...meta, configProblems: [...meta.configProblems, name + i] }));
      }
    `,
    );
    const results = await runTogether(
      program,
      ['a', 'b', 'c'].map((name) => [dir, name]),
    );
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    const { configProblems } = await readMeta(dir);
    expect(new Set(configProblems).size).toBe(30);
  });
});

describe('listing', () => {
  it('is empty before anything was made', async () => {
    expect(await listSessions(state)).toEqual({ sessions: [], broken: [] });
  });

  it('gives the newest first, the broken apart, and passes over what is no session', async () => {
    await make('old', 'a', new Date('2026-01-01'));
    await make('new', 'a', new Date('2026-01-03'));
    await make('other', 'b', new Date('2026-01-04'));
    mkdirSync(join(state, 'sessions', 'empty'));
    writeFileSync(join(state, 'sessions', 'a-file'), '');
    mkdirSync(join(state, 'sessions', '.new.x.1'));
    const { sessions, broken } = await listSessions(state);
    expect(sessions.map(({ id }) => id)).toEqual(['other', 'new', 'old']);
    expect(broken.map(({ id, error }) => [id, error.code])).toEqual([
      ['a-file', 'corrupt'],
      ['empty', 'corrupt'],
    ]);
    expect((await newestOfProject(state, 'a'.repeat(16)))?.id).toBe('new');
    expect(await newestOfProject(state, 'f'.repeat(16))).toBeNull();
  });

  it('finds the newest session of the project of a directory', async () => {
    const dir = join(state, '..', 'project');
    mkdirSync(dir);
    await ensureSession(state, 'here', { cwd: fromText(dir) });
    await make('elsewhere');
    expect((await findSession(state, { cwd: fromText(dir) }))?.id).toBe('here');
  });
});
