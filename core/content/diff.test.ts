import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytePath } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import type { DiffModel } from '../../shared/model/diff.ts';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { scan } from '../scan/scan.ts';
import { diffEntry } from './diff.ts';
import { languageOf } from './language.ts';
import { readSide } from './sides.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

async function changeOf(name: string): Promise<Change> {
  const change = (await scan(s.ctx)).changes.find((one) => one.path === bytePath(`${s.host}/${name}`));
  if (change === undefined) throw new Error(`${name} is not in the list`);
  return change;
}

async function diff(host: string, sandbox: string, load = false): Promise<DiffModel> {
  s.onHost(host);
  s.inSandbox(sandbox);
  return diffEntry(s.ctx, await changeOf('f'), { load });
}

describe('the diff of one entry', () => {
  test('a changed line has its context and numbers', async () => {
    const model = await diff(`printf 'a\\nb\\nc\\n' > f`, `printf 'a\\nB\\nc\\n' > f`);
    expect(model).toMatchObject({
      kind: 'text',
      added: 1,
      removed: 1,
      oldTotal: 3,
      newTotal: 3,
      approximate: false,
    });
    if (model.kind !== 'text') throw new Error(model.kind);
    expect(model.hunks[0]?.lines.map((line) => `${line.kind} ${line.text}`)).toEqual([
      'context a',
      'removed b',
      'added B',
      'context c',
    ]);
  });

  test('new, deleted and emptied files have one side', async () => {
    expect(await diff('true', 'echo a > f')).toMatchObject({
      kind: 'text',
      added: 1,
      removed: 0,
      oldTotal: 0,
    });
    s.inSandbox('rm f');
    expect(await diff('echo a > f', 'rm f')).toMatchObject({
      kind: 'text',
      added: 0,
      removed: 1,
      newTotal: 0,
    });
    s.inSandbox('echo > g');
    expect(await diff('true', ': > f')).toMatchObject({ kind: 'text', added: 0, removed: 1 });
  });

  test('an empty new file is an empty diff, not an omitted one', async () => {
    expect(await diff('true', ': > f')).toMatchObject({ kind: 'text', hunks: [], newTotal: 0 });
  });

  test('text over the automatic limit is collapsed until it is asked for', async () => {
    const model = await diff('true', 'seq 401 > f');
    expect(model).toMatchObject({ kind: 'collapsed', newLines: 401, oldBytes: 0 });
    expect(await diffEntry(s.ctx, await changeOf('f'), { load: true })).toMatchObject({
      kind: 'text',
      added: 401,
    });
  });

  test('one changed line of a long file is shown at once', async () => {
    expect(await diff('seq 5000 > f', 'sed -i s/^2500$/x/ f')).toMatchObject({
      kind: 'text',
      added: 1,
      removed: 1,
    });
  });

  test('above the limits there are sizes and a head, asked for or not', async () => {
    expect(await diff('echo a > f', 'seq 20001 > f', true)).toMatchObject({
      kind: 'omitted',
      reason: 'too-large',
      oldBytes: 2,
    });
    s.inSandbox('yes 0123456789 | head -c 600000 > f');
    const model = await diffEntry(s.ctx, await changeOf('f'), { load: true });
    expect(model).toMatchObject({ kind: 'omitted', reason: 'too-large', newBytes: 600_000 });
    expect(model.kind === 'omitted' && model.head[0]).toBe('0123456789');
  });

  const binaries: [name: string, make: string, mime: string | null][] = [
    ['a NUL byte', `printf 'a\\0b' > f`, null],
    ['invalid UTF-8', `printf 'a\\xff' > f`, null],
    ['invalid UTF-8 far behind', `(seq 3000; printf '\\xff') > f`, null],
    ['a PNG', `printf '\\x89PNG\\r\\n\\x1a\\n\\0' > f`, 'image/png'],
    ['UTF-16 with a mark', `printf '\\xff\\xfea\\0' > f`, 'text/plain; charset=utf-16'],
  ];
  test.each(binaries)('%s is binary, with sizes and hashes', async (_name, make, mime) => {
    const model = await diff('echo text > f', make);
    expect(model).toMatchObject({ kind: 'binary', mime, oldBytes: 5, oldSha256: null });
    expect(model.kind === 'binary' && model.newSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('multi-byte text across the edge of what is sniffed stays text', async () => {
    expect(await diff('true', `perl -e 'print "a" x 8191, "\\xc3\\xa4\\n"' > f`)).toMatchObject({
      kind: 'text',
    });
  });

  test('a sparse 10 GB file is answered by its size', async () => {
    expect(await diff('echo a > f', 'truncate -s 10G f')).toMatchObject({
      kind: 'binary',
      newBytes: 10 * 2 ** 30,
      newSha256: null,
    });
  });

  test('links show their targets, also where the other side is a file', async () => {
    expect(await diff('ln -s a f', 'ln -sfn b f')).toMatchObject({
      kind: 'symlink',
      oldTarget: 'a',
      newTarget: 'b',
    });
    s.inSandbox('rm f; echo > f');
    expect(await diffEntry(s.ctx, await changeOf('f'))).toMatchObject({
      kind: 'symlink',
      oldTarget: 'a',
      newTarget: null,
    });
  });

  test('modes, directories and FIFOs have notes', async () => {
    expect(await diff('echo > f; chmod 644 f', 'chmod 755 f')).toMatchObject({
      kind: 'meta',
      notes: ['mode 0644 → 0755'],
    });
    s.inSandbox('mkfifo -m 600 p; mkdir -m 700 d');
    expect(await diffEntry(s.ctx, await changeOf('p'))).toMatchObject({
      notes: ['new FIFO, mode 0600'],
    });
    expect(await diffEntry(s.ctx, await changeOf('d'))).toMatchObject({
      notes: ['new directory, mode 0700'],
    });
  });

  test('a FIFO that takes the place of a listed file is not waited for', async () => {
    s.inSandbox('echo > f');
    const change = await changeOf('f');
    s.inSandbox('rm f; mkfifo f');
    expect(await diffEntry(s.ctx, change)).toMatchObject({ kind: 'omitted', reason: 'changed' });
    const path = bytePath(`${s.upper}/f`);
    const fifo = lstatEntry(path);
    if (fifo === null) throw new Error('no FIFO');
    expect(await readSide(path, fifo, path)).toMatchObject({ reason: 'special' });
    // A FIFO replaces the file between lstat and open.
    expect(await readSide(path, { ...fifo, type: 'file', size: 10 }, path)).toMatchObject({
      reason: 'changed',
    });
  });

  test('a file that grew, or was replaced, after it was listed is never shown half', async () => {
    s.inSandbox('seq 10 > f');
    const path = bytePath(`${s.upper}/f`);
    const entry = lstatEntry(path);
    if (entry === null) throw new Error('no file');
    appendFileSync(path, 'more\n');
    expect(await readSide(path, entry, path)).toMatchObject({ reason: 'changed' });
  });

  test('a link that takes the place of the host file is not followed', async () => {
    s.onHost('echo secret > ../secret; echo a > f');
    const path = bytePath(`${s.host}/f`);
    const entry = lstatEntry(path);
    if (entry === null) throw new Error('no file');
    s.onHost('ln -sfn ../secret f');
    expect(await readSide(path, entry, path)).toMatchObject({ reason: 'unreadable' });
  });

  test('an endless file is read up to what it says to be', async (ctx) => {
    const path = bytePath(`/proc/${process.pid}/mem`);
    const entry = lstatEntry(path);
    if (entry === null) return ctx.skip('there is no /proc/PID/mem here');
    expect(await readSide(path, entry, path)).toEqual({ state: 'text', text: '', bytes: 0 });
  });

  test('the etag stays while both sides do, and moves with each', async () => {
    const first = await diff('echo a > f', 'echo b > f');
    expect((await diffEntry(s.ctx, await changeOf('f'))).etag).toBe(first.etag);
    s.onHost('echo c > f');
    expect((await diffEntry(s.ctx, await changeOf('f'))).etag).not.toBe(first.etag);
  });
});

test('a language is told by the name, and no name breaks the table', () => {
  expect(
    ['/a/x.ts', '/a/Makefile', '/a/.bashrc', '/a/x.constructor', '/a/.ts', '/a/__proto__'].map((path) =>
      languageOf(bytePath(path)),
    ),
  ).toEqual(['typescript', 'makefile', 'bash', null, 'typescript', null]);
});
