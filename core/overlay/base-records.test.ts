import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BytePath, bytePath } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { parseBaseLines } from '../../shared/model/base-record.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { scan } from '../scan/scan.ts';
import { confirmBases, readBaseFile } from './base-file.ts';
import { rebase } from './base-of.ts';
import { readBases, recordBases } from './bases.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

const at = (name: string): BytePath => bytePath(`${s.host}/${name}`);
const baseFile = () => readFileSync(`${s.ctx.sessionDir}/overlay/base.jsonl`, 'latin1');

/** Relative path and reason of every conflict; other changes as `kind path`. */
async function outcome(): Promise<string[]> {
  const { changes } = await scan(s.ctx);
  return changes.map(({ path, kind, conflict }) => `${conflict ?? kind} ${path.slice(s.host.length + 1)}`);
}

/** Longer than the kernel's coarse clock takes to move on. */
const tick = 'sleep 0.05';

describe(`the file of base records, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  test('text is kept for merging, by its hash; binary is not', async () => {
    s.onHost(`echo kept > f; printf 'a\\0' > b; ${tick}`);
    s.inSandbox('echo changed > f; echo changed > b');
    await recordBases(s.ctx);
    const base = (await readBases(s.ctx)).lookup(at('f'));
    if (base.state !== 'known' || base.sha256 === undefined) throw new Error(base.state);
    expect(base.blob).toBe(true);
    const blob = `${s.ctx.sessionDir}/overlay/blobs/${base.sha256}`;
    expect(readFileSync(blob, 'utf8')).toBe('kept\n');
    expect(statSync(blob).mode & 0o777).toBe(0o600);
    expect((await readBases(s.ctx)).lookup(at('b'))).not.toHaveProperty('blob');
  });

  test('a new tree needs one record, and everything in it is known to be new', async () => {
    s.inSandbox('mkdir -p n/a/b; echo > n/a/b/c; echo > n/x');
    expect(await recordBases(s.ctx)).toEqual({ added: 1 });
    s.onHost('mkdir -p n/a/b; echo 1 > n/a/b/c');
    expect(await outcome()).toEqual(['host-created n/a/b/c', 'added n/x']);
  });

  test('records of entries that left the upper are dropped, with what was listed below them', async () => {
    s.onHost(`mkdir d; echo a > d/f; echo b > g; ${tick}`);
    s.inSandbox('rm -rf d; echo c > g');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    expect((await readBases(s.ctx)).lookup(at('d/f')).state).toBe('known');
    s.onHost('rm -rf ../state/sessions/s1/overlay/9/u/*');
    await recordBases(s.ctx);
    const bases = await readBases(s.ctx);
    expect(['d', 'd/f', 'g'].map((name) => bases.lookup(at(name)).state)).toEqual(['none', 'none', 'none']);
  });

  test('a directory recorded as touched and made again later keeps what was recorded and lists the rest', async () => {
    s.onHost(`mkdir d; echo a > d/f; echo b > d/g; ${tick}`);
    s.inSandbox('echo changed > d/f');
    await recordBases(s.ctx);
    s.onHost(`${tick}; echo host > d/f; ${tick}`);
    s.inSandbox('rm -rf d; mkdir d; echo x > d/x');
    await recordBases(s.ctx);
    s.onHost('echo new > d/new');
    expect(await outcome()).toEqual([
      'dir-replaced d',
      'host-changed d/f',
      'deleted d/g',
      'host-new-below d/new',
      'added d/x',
    ]);
  });

  test('after a commit that leaves the entries in place, rebase makes the host the base', async () => {
    s.inSandbox('mkdir n; echo > n/x');
    await recordBases(s.ctx);
    s.onHost('mkdir n; echo > n/x');
    await rebase(s.ctx, [at('n'), at('n/x')]);
    s.inSandbox('echo more > n/x; echo > n/y');
    await recordBases(s.ctx);
    expect(await outcome()).toEqual(['modified n/x', 'added n/y']);
  });

  test('torn and foreign lines are skipped, and the next record is not swallowed by one', async () => {
    s.onHost(`echo a > f; echo a > g; ${tick}`);
    s.inSandbox('echo b > f');
    await recordBases(s.ctx);
    appendFileSync(
      `${s.ctx.sessionDir}/overlay/base.jsonl`,
      '{"v":2,"x":1}\nnull\n[]\n{"v":1,"path":"/x","state":"kn',
    );
    s.inSandbox('echo b > g');
    expect(await recordBases(s.ctx)).toEqual({ added: 1 });
    const bases = await readBases(s.ctx);
    expect([bases.lookup(at('f')).state, bases.lookup(at('g')).state]).toEqual(['known', 'known']);
  });

  test('names are bytes in the records too', async () => {
    s.onHost(`echo a > $'n\\xff\\n"'; ${tick}`);
    s.inSandbox(`echo b > $'n\\xff\\n"'`);
    await recordBases(s.ctx);
    expect((await readBases(s.ctx)).lookup(`${s.host}/n\xff\n"` as BytePath).state).toBe('known');
    expect([...parseBaseLines(baseFile()).records.keys()]).toEqual([`${s.host}/n\xff\n"`]);
  });

  test('the last pass is on record, and what is appended between two passes leaves it', async () => {
    const pass = () => readBaseFile(s.ctx).lastPassNs;
    expect(pass()).toBe(0n);
    s.inSandbox('echo b > f');
    const before = BigInt(Date.now() - CLOCK_TICK_MS) * 1_000_000n;
    await recordBases(s.ctx);
    const first = pass();
    expect(first).toBeGreaterThanOrEqual(before);
    s.onHost('echo c > g');
    await rebase(s.ctx, [at('f'), at('g')]);
    expect(pass()).toBe(first);
    confirmBases(s.ctx, Number(first / 1_000_000n) + 5);
    expect(pass()).toBe(first + 5_000_000n);
  });

  test('without its record no pass is known, whatever the time of the file is', async () => {
    s.inSandbox('echo b > f');
    await recordBases(s.ctx);
    const record = `${s.ctx.sessionDir}/overlay/.base-pass`;
    for (const text of ['', '17', '1e3', '12345678901234567890']) {
      writeFileSync(record, text);
      expect(readBaseFile(s.ctx).lastPassNs).toBe(text === '17' ? 17_000_000n : 0n);
    }
    rmSync(record);
    expect(readBaseFile(s.ctx).lastPassNs).toBe(0n);
  });

  test('the file is written anew when it is mostly dead lines', async () => {
    s.inSandbox('for i in $(seq 3000); do : > n$i; done');
    await recordBases(s.ctx);
    s.onHost('find ../state/sessions/s1/overlay/9/u -type f -delete');
    await recordBases(s.ctx);
    expect(baseFile()).toBe('');
    expect(existsSync(`${s.ctx.sessionDir}/overlay/base.jsonl`)).toBe(true);
  });
});
