/** Parts of a discard that can't come back, and parts in or below what nobody may read. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief } from '../../../testing/commit/commit.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { newestTrash, undoDiscard } from './discard.ts';
import { discardPart, lookAtDiscard } from './discard-part.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

async function session(before: string, inside: string): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost(before);
  t.inSandbox(inside);
  await recordBases(t.ctx);
  return t;
}

async function look(t: TestSession, ...names: string[]) {
  const paths = names.map((name) => Buffer.from(`${t.host}/${name}`).toString('latin1') as BytePath);
  return await lookAtDiscard(t.ctx, await scan(t.ctx), new Set(paths));
}

const pending = async (t: TestSession) => brief(await scan(t.ctx), t.host);

describe(`the discard of a selection, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('that is stopped keeps in the trash what can not come back, and says so', async () => {
    const t = await session('echo a > a; echo b > b', 'echo A > a; echo B > b');
    const { plan } = await look(t, 'a', 'b');
    let asked = 0;
    // Something takes the place of the first, when that is out.
    const cancelled = () => {
      if (++asked < 2) return false;
      writeFileSync(`${t.upper}/a`, 'other\n');
      return true;
    };
    expect(() => discardPart(t.ctx, plan, { port: nodePort, cancelled })).toThrow(
      expect.objectContaining({ code: 'not-empty' }),
    );
    expect(await pending(t)).toEqual(['modified a', 'modified b']);
    const trash = await newestTrash(t.ctx);
    expect(trash).not.toBeNull();
    rmSync(`${t.upper}/a`);
    await undoDiscard(t.ctx, trash?.trash ?? '');
    expect(readFileSync(`${t.upper}/a`, 'utf8')).toBe('A\n');
  });

  it('gives a directory that nobody may look into its mode back, or takes all of it to the trash', async (ctx) => {
    if (asRoot) return ctx.skip('root reads everything');
    const t = await session(
      'mkdir -p d/e; echo k > d/e/k',
      'mkdir n n/m; echo 1 > n/m/1; echo K > d/e/k; echo n > d/e/n; chmod 000 n/m d/e',
    );
    const closed = ['meta d/e', 'added n', 'added n/m'];
    expect(await pending(t)).toEqual(closed);
    for (const [name, left] of [
      ['d/e', ['modified d/e/k', 'added d/e/n', 'added n', 'added n/m']],
      ['n/m', ['meta d/e', 'added n']],
      ['n', ['meta d/e']],
    ] as const) {
      const { trash } = discardPart(t.ctx, (await look(t, name)).plan);
      expect(await pending(t)).toEqual(left);
      await undoDiscard(t.ctx, trash);
      expect(await pending(t)).toEqual(closed);
    }
    t.inSandbox('chmod 700 n/m d/e; test "$(cat n/m/1 d/e/k d/e/n | tr "\\n" " ")" = "1 K n "');
  });
});
