import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytePath } from '../../shared/bytes.ts';
import type { ConflictReason } from '../../shared/model/change.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { scan } from '../scan/scan.ts';
import { readBases, recordBases } from './bases.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

/** Relative path and reason of every conflict; other changes as `kind path`. */
async function outcome(): Promise<string[]> {
  const { changes } = await scan(s.ctx);
  return changes.map(({ path, kind, conflict }) => `${conflict ?? kind} ${path.slice(s.host.length + 1)}`);
}

/** Longer than the kernel's coarse clock takes to move on. */
const tick = 'sleep 0.05';

describe(`base records, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  type Row = { name: string; host: string; sandbox: string; later: string; expected: string[] };
  const rows: Row[] = [
    {
      name: 'nothing happened',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'true',
      expected: ['modified f'],
    },
    {
      name: 'the host wrote it',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'echo c > f',
      expected: ['host-changed f'],
    },
    {
      name: 'the host wrote the same bytes as long, with the old time',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'touch -r f ../t; echo c > f; touch -r ../t f',
      expected: ['host-changed f'],
    },
    {
      name: 'the host came to the same content: nothing is pending',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'echo b > f',
      expected: [],
    },
    {
      name: 'the host removed it',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'rm f',
      expected: ['host-deleted f'],
    },
    { name: 'both removed it', host: 'echo a > f', sandbox: 'rm f', later: 'rm f', expected: [] },
    {
      name: 'the host made the name too',
      host: 'true',
      sandbox: 'echo b > f',
      later: 'echo c > f',
      expected: ['host-created f'],
    },
    {
      name: 'deleted, and the host wrote it',
      host: 'echo a > f',
      sandbox: 'rm f',
      later: 'echo c > f',
      expected: ['host-changed f'],
    },
    {
      name: 'a directory deleted, and the host wrote deep below it',
      host: 'mkdir -p d/e; echo a > d/e/f; echo b > d/g',
      sandbox: 'rm -rf d',
      later: 'echo new > d/e/new; echo c > d/e/f',
      expected: ['deleted d', 'deleted d/e', 'host-changed d/e/f', 'host-new-below d/e/new', 'deleted d/g'],
    },
    {
      name: 'a directory made again, and the host wrote into what it hides',
      host: 'mkdir -p d/e; echo a > d/e/f; echo b > d/g',
      sandbox: 'rm -rf d; mkdir d; echo x > d/x',
      later: 'echo new > d/e/new; echo c > d/g; echo y > d/x',
      expected: [
        'dir-replaced d',
        'deleted d/e',
        'deleted d/e/f',
        'host-new-below d/e/new',
        'host-changed d/g',
        'host-created d/x',
      ],
    },
    {
      name: 'a file in place of a directory, and the host wrote below',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'rm -rf d; echo x > d',
      later: 'echo new > d/new',
      expected: ['replaced d', 'deleted d/f', 'host-new-below d/new'],
    },
    {
      name: 'a directory in place of a file: nothing is in the way of what it holds',
      host: 'echo a > d',
      sandbox: 'rm d; mkdir d; echo x > d/x',
      later: 'true',
      expected: ['replaced d', 'added d/x'],
    },
    {
      name: 'a directory in place of a file that the host has changed since',
      host: 'echo a > d',
      sandbox: 'rm d; mkdir d; echo x > d/x',
      later: 'echo longer > d',
      expected: ['host-changed d', 'added d/x'],
    },
    {
      name: 'the host removed the directory of an added and a changed file',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'echo b > d/f; echo n > d/new',
      later: 'rm -rf d',
      expected: ['host-deleted d', 'host-deleted d/f', 'host-parent-gone d/new'],
    },
    {
      name: 'the host removed a directory that the sandbox only touched',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'touch d/f',
      later: 'rm -rf d',
      expected: [],
    },
    {
      name: 'a host chmod of a directory that was only touched is not a pending change',
      host: 'mkdir -m 755 d; echo a > d/f',
      sandbox: 'echo b > d/f',
      later: 'chmod 700 d',
      expected: ['modified d/f'],
    },
    {
      name: 'the host put a link in place of a directory that was only touched',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'exec 3<>d/f',
      later: 'rm -rf d; ln -s /etc d',
      expected: [],
    },
    {
      name: 'the host put a link in place of a directory with a new file: the link is never followed',
      host: 'mkdir d ../e; echo a > d/f; echo z > ../e/new',
      sandbox: 'echo n > d/new',
      later: 'rm -rf d; ln -s ../e d',
      expected: ['host-changed d', 'host-parent-gone d/new'],
    },
    {
      name: 'the host put a directory in place of an untouched copy',
      host: 'echo a > f',
      sandbox: 'exec 3<>f',
      later: 'rm f; mkdir f; echo x > f/x',
      expected: [],
    },
    {
      name: 'the host put a directory in place of a changed file',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'rm f; mkdir f; echo x > f/x',
      expected: ['host-changed f', 'host-new-below f/x'],
    },
    {
      name: 'the host removed a directory that got another mode',
      host: 'mkdir -m 755 d',
      sandbox: 'chmod 700 d',
      later: 'rmdir d',
      expected: ['host-deleted d'],
    },
    {
      name: 'both gave the directory a mode',
      host: 'mkdir -m 755 d; echo a > d/f',
      sandbox: 'chmod 750 d',
      later: 'chmod 700 d',
      expected: ['host-changed d'],
    },
    {
      name: 'an untouched copy does not stand against a later host change',
      host: 'echo a > f',
      sandbox: 'exec 3<>f',
      later: 'echo longer > f',
      expected: [],
    },
    {
      name: 'an untouched binary copy neither',
      host: `printf 'a\\0b' > f`,
      sandbox: 'exec 3<>f',
      later: `printf 'a\\0c' > f`,
      expected: [],
    },
    {
      name: 'a link changed on both sides',
      host: 'ln -s a l',
      sandbox: 'ln -sfn b l',
      later: 'ln -sfn c l',
      expected: ['host-changed l'],
    },
    {
      name: 'one file of a repository makes all of it conflict',
      host: 'mkdir .git; echo a > .git/HEAD; echo b > .git/index',
      sandbox: 'echo c > .git/HEAD; echo d > .git/index',
      later: 'echo e > .git/HEAD',
      expected: ['host-changed .git/HEAD', 'host-changed .git/index'],
    },
  ];
  test.each(rows)('recorded: $name', async ({ host, sandbox, later, expected }) => {
    s.onHost(`${host}; ${tick}`);
    s.inSandbox(sandbox);
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${tick}; ${later}`);
    expect(await outcome()).toEqual(expected);
    // A later pass finds nothing new and judges the same.
    expect(await recordBases(s.ctx)).toEqual({ added: 0 });
    expect(await outcome()).toEqual(expected);
  });

  test('what the host removed before the first record is no new entry when overlayfs calls it a copy', async () => {
    s.onHost(`mkdir -p d/e; echo a > d/e/f; echo a > f; ${tick}`);
    s.inSandbox('echo b > d/e/f; echo n > d/new; echo b > f; echo n > new');
    s.onHost('rm -rf d f');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    expect(await outcome()).toEqual([
      ...['host-deleted d', 'host-deleted d/e', 'host-deleted d/e/f', 'host-parent-gone d/new'],
      ...['host-deleted f', 'added new'],
    ]);
  });

  test('a directory is the host’s as it was at the copy-up, though a name was made in it during the call', async () => {
    s.onHost(`mkdir d; echo old > d/f; ${tick}`);
    await recordBases(s.ctx);
    const began = Date.now();
    const live = await s.live('cat d/f > /dev/null; echo ready; read || true; echo x >> d/f; echo ready');
    s.onHost(`${tick}; echo > d/other; ${tick}`);
    await live.stop();
    await recordBases(s.ctx, { earliestCall: began });
    const bases = await readBases(s.ctx);
    expect(['d', 'd/f'].map((name) => bases.lookup(bytePath(`${s.host}/${name}`)).state)).toEqual([
      'known',
      'known',
    ]);
  });

  test.each([
    ['wrote', 'echo theirs > f', 'mv other f'],
    ['wrote', 'echo theirs > f', 'mv f aside; mv other f; mv aside other'],
    ['changed the mode of', 'chmod 601 f', 'mv other f'],
    ['wrote', 'echo theirs > f', 'rm f; mkdir f; mv other f/x'],
  ])(
    'what the host %s under a copy is unseen when another copy replaces that: %s, %s',
    async (_, host, replace) => {
      s.onHost(`echo mine > f; echo other > other; ${tick}`);
      await recordBases(s.ctx);
      const began = Date.now();
      const live = await s.live(`ln f hides; echo ready; read || true; ${replace}; echo ready; sleep 0.3`);
      s.onHost(`${tick}; ${host}; ${tick}`);
      await live.stop();
      await recordBases(s.ctx, { earliestCall: began });
      expect(await outcome()).toContain('unknown-base f');
    },
  );

  test.each([
    ['made anew', 'echo c > t; mv t f', ['unknown-base f']],
    ['removed', 'rm f', ['unknown-base f']],
  ])(
    'a copy hides what the host writes in place, also when it is %s later in the call',
    async (_, then, expected) => {
      s.onHost(`echo a > f; ${tick}`);
      const began = Date.now();
      const live = await s.live(`echo b > f; echo ready; read || true; ${then}`);
      s.onHost(`${tick}; echo host > f; ${tick}`);
      await live.stop();
      await recordBases(s.ctx, { earliestCall: began });
      expect(await outcome()).toEqual(expected);
    },
  );

  test('a directory that was only touched at first and removed later: what the host made in it is named', async () => {
    s.onHost(`mkdir d; echo a > d/f; ${tick}`);
    s.inSandbox('echo b > d/new');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${tick}; echo host > d/new; ${tick}`);
    s.inSandbox('rm -rf d; echo x > d');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    expect(await outcome()).toEqual(['replaced d', 'deleted d/f', 'host-new-below d/new']);
  });

  test('what the host makes in a directory that the sandbox has made again is never taken for seen', async () => {
    s.onHost(`mkdir -p d/e; echo a > d/e/f; ${tick}`);
    s.inSandbox('rm -rf d; mkdir d; echo b > d/f');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${tick}; echo host > d/e/new; echo host > d/x; ${tick}`);
    const began = Date.now();
    s.inSandbox('mkdir -p t/e; echo c > t/x; mv d old; mv t d');
    await recordBases(s.ctx, { earliestCall: began });
    const found = await outcome();
    expect(found).toContain('host-new-below d/e/new');
    expect(found).toContain('host-created d/x');
  });

  test('the names of one file are in conflict together', async () => {
    s.onHost(`echo a > f; ${tick}`);
    s.inSandbox('echo b > f; ln f g; ln f h; echo x > other');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    expect(await outcome()).toEqual(['modified f', 'added g', 'added h', 'added other']);
    s.onHost(`${tick}; echo c > f`);
    expect(await outcome()).toEqual(['host-changed f', 'host-changed g', 'host-changed h', 'added other']);
  });

  test('a database is in conflict when the host has written to its log', async () => {
    s.onHost(`echo a > x.db; echo a > x.db-wal; echo a > y.db; ${tick}`);
    s.inSandbox('echo b > x.db; echo b > y.db');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    expect(await outcome()).toEqual(['modified x.db', 'modified y.db']);
    s.onHost(`${tick}; echo c > x.db-wal`);
    expect(await outcome()).toEqual(['host-changed x.db', 'modified y.db']);
  });

  const unrecorded: [name: string, host: string, sandbox: string, later: string, expected: string[]][] = [
    ['a host change after the copy', 'echo a > f', 'echo b > f', 'echo c > f', ['unknown-base f']],
    [
      'a host change below a deleted directory',
      'mkdir d; echo a > d/f',
      'rm -rf d',
      'echo c > d/f',
      ['deleted d', 'unknown-base d/f'],
    ],
  ];
  test.each(unrecorded)(
    'before the first pass, %s is a conflict',
    async (_name, host, sandbox, later, expected) => {
      s.onHost(`${host}; ${tick}`);
      s.inSandbox(sandbox);
      s.onHost(`${tick}; ${later}`);
      const wanted: ConflictReason = 'unknown-base';
      expect(await outcome()).toEqual(expected);
      await recordBases(s.ctx);
      expect(await outcome()).toEqual(expected);
      expect(expected.some((line) => line.startsWith(wanted))).toBe(true);
    },
  );

  test('a deletion in the mount of an earlier one counts from the last pass, as whiteouts share one inode', async () => {
    s.onHost(`echo a > f; echo a > g; ${tick}`);
    const live = await s.live('rm f; echo ready; read || true; rm g');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${tick}; echo b > g; ${tick}`);
    await live.stop();
    // The whiteout's inode is older than the host's change of g, which may have been seen.
    await recordBases(s.ctx);
    expect(await outcome()).toEqual(['deleted f', 'unknown-base g']);
  });

  type Swap = { name: string; host: string; before?: string; after?: string; expected: string[] };
  const swaps: Swap[] = [
    {
      name: 'put another directory in its place after the copy',
      host: 'mkdir d d2; echo old > d/f; echo v2 > d2/f',
      after: 'mv d d.old; mv d2 d',
      expected: ['unknown-base d/f'],
    },
    {
      name: 'put another directory further up after the copy',
      host: 'mkdir -p d/e d2/e; echo old > d/e/f; echo v2 > d2/e/f',
      after: 'mv d d.old; mv d2 d; touch d/new',
      expected: ['unknown-base d/e/f'],
    },
    {
      name: 'put another directory in its place before the copy, after the sandbox had looked',
      host: 'mkdir d d2; echo old > d/f; echo v2 > d2/f',
      before: 'mv d d.old; mv d2 d',
      expected: ['unknown-base d/f'],
    },
    {
      name: 'put another file in its place before the copy, after the sandbox had looked',
      host: 'mkdir d; echo old > d/f; echo v2 > f2',
      before: 'mv f2 d/f',
      expected: ['unknown-base d/f'],
    },
    {
      name: 'wrote it in place before the copy, and made a name elsewhere',
      host: 'mkdir d; echo old > d/f',
      before: 'echo v2 > d/f; echo > other',
      // Seen, but another file's copy-up, moved over an earlier one, would look the same.
      expected: ['unknown-base d/f'],
    },
  ];
  test.each(swaps)('in one call, the host $name', async ({ host, before, after, expected }) => {
    s.onHost(`${host}; ${tick}`);
    await recordBases(s.ctx);
    const began = Date.now();
    const live = await s.live(
      'cat f d/f d/e/f >/dev/null 2>&1 || true; echo ready; read || true; ! test -e d/e/f || cd d/e; test -e f || cd d; echo x >> f; echo ready; sleep 0.3',
    );
    s.onHost(`${tick}; ${before ?? 'true'}; ${tick}`);
    await live.stop();
    s.onHost(`${tick}; ${after ?? 'true'}`);
    // Without a record only the copy's times tell; the pass finds what happened before it.
    if (after !== undefined) expect(await outcome()).toEqual(expected);
    await recordBases(s.ctx, { earliestCall: began });
    expect(await outcome()).toEqual(expected);
  });

  test.each([
    ['deleted', 'rm -r d'],
    ['replaced', 'rm -r d; ln -s . d'],
  ])(
    'what came into a directory that the sandbox had made anew was never seen when that is %s',
    async (_, then) => {
      s.onHost(`mkdir d m; echo old > d/f; echo old > m/f; ${tick}`);
      s.inSandbox('cp -a d t; rm -r d; mv t d; touch m/f');
      await recordBases(s.ctx, { earliestCall: Date.now() - 60_000 });
      s.onHost(`${tick}; echo new > d/n; echo new > m/n; ${tick}`);
      const began = Date.now();
      s.inSandbox(`${then}; rm -r m`);
      await recordBases(s.ctx, { earliestCall: began });
      const found = await outcome();
      expect(found).toContain('unknown-base d/n');
      expect(found).toContain('deleted m/n');
    },
  );

  test('a file that the host replaced before the call that changed it was seen, also in a live session', async () => {
    s.onHost(`mkdir d; echo old > d/f; echo v2 > d/f2; ${tick}`);
    await recordBases(s.ctx);
    s.onHost(`${tick}; mv d/f2 d/f; ${tick}`);
    const at = new Date().toISOString();
    writeFileSync(
      `${s.ctx.sessionDir}/calls.jsonl`,
      `${JSON.stringify({ v: 1, t: 'call.started', at, call: 'c1', pid: 1, mode: 'sandbox' })}\n`,
    );
    s.onHost(tick);
    s.inSandbox('echo x >> d/f');
    await recordBases(s.ctx, { earliestCall: Date.now() - 60_000 });
    expect(await outcome()).toEqual(['modified d/f']);
  });
});
