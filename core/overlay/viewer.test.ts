import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type BytePath, bytePath } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { openViewer, type Viewer } from './viewer.ts';

const open: TestSession[] = [];
const viewers: Viewer[] = [];
afterEach(async () => {
  for (const viewer of viewers.splice(0)) await viewer.close();
  for (const made of open.splice(0)) made.remove();
});

async function viewed(s: TestSession): Promise<(name: string) => string> {
  open.push(s);
  const viewer = await openViewer(s.ctx);
  viewers.push(viewer);
  return (name) => viewer.pathOf(bytePath(`${s.host}/${name}`));
}

describe(`the viewer, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  for (const stateInside of [false, true]) {
    test(`shows the merged view with the state directory ${stateInside ? 'inside' : 'outside'} the place`, async () => {
      const s = testSession({ stateInside });
      s.onHost('mkdir d e; echo host > d/x; echo host > e/x; echo host > f');
      s.inSandbox('rm -rf d f; mkdir d; echo new > d/y; echo more >> e/x');
      const at = await viewed(s);
      expect(existsSync(at('d/x'))).toBe(false);
      expect(existsSync(at('f'))).toBe(false);
      expect(readFileSync(at('d/y'), 'utf8')).toBe('new\n');
      expect(readFileSync(at('e/x'), 'utf8')).toBe('host\nmore\n');
      expect(existsSync(`${s.host}/d/x`)).toBe(true);
    });
  }

  test('stands beside a live mount, and does not keep the next call from mounting', async () => {
    const s = testSession();
    const live = await s.live('echo 1 > new; echo ready; read');
    const at = await viewed(s);
    expect(readFileSync(at('new'), 'utf8')).toBe('1\n');
    await live.stop();
    s.inSandbox('echo 2 > second');
    expect(existsSync(`${s.upper}/second`)).toBe(true);
  });

  test('a place with an empty upper is the host itself, without a process', async () => {
    const s = testSession();
    const at = await viewed(s);
    expect(at('x')).toBe(`${s.host}/x`);
  });

  test('is gone after close', async () => {
    const s = testSession();
    s.inSandbox('echo > f');
    const at = await viewed(s);
    expect(lstatSync(at('f')).isFile()).toBe(true);
    await viewers[0]?.close();
    expect(existsSync(at('f'))).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['a file', 'echo >'],
    ['a link to where it is', 'ln -s "$1.away"'],
  ])('a place that the host has removed shows what is pending in it, with %s there', async (_, put) => {
    const s = testSession();
    s.onHost('mkdir d; echo host > d/x');
    s.inSandbox('echo new > d/y; echo new > f');
    renameSync(s.host, `${s.host}.away`);
    if (put !== '') execFileSync('bash', ['-ec', `${put} "$0"`, s.host, s.host]);
    const at = await viewed(s);
    expect(readFileSync(at('d/y'), 'utf8')).toBe('new\n');
    expect(readFileSync(at('f'), 'utf8')).toBe('new\n');
    expect(existsSync(at('d/x'))).toBe(false);
    await viewers.pop()?.close();
    rmSync(s.host, { force: true });
    renameSync(`${s.host}.away`, s.host);
  });

  test('a place that can not be mounted is an error that names the reason', async () => {
    const s = testSession();
    s.inSandbox('echo > f');
    open.push(s);
    s.onHost('rm ../state/sessions/s1/overlay/9/l; ln -s /nowhere ../state/sessions/s1/overlay/9/l');
    const failed = await openViewer(s.ctx).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TraiError);
    expect(failed).toMatchObject({ code: 'unsupported', message: expect.stringContaining('mount') });
  });

  test('the innermost place decides where a path is looked at', async () => {
    const s = testSession();
    s.onHost('mkdir inner; echo host > inner/x');
    s.inSandbox('echo > f');
    const path = bytePath(`${s.host}/inner`);
    const empty: BytePath = bytePath(`${s.ctx.sessionDir}/overlay/8/u`);
    s.onHost('mkdir -p ../state/sessions/s1/overlay/8/u');
    s.ctx.coveredDirs.push({ n: 8, path, upper: empty, work: empty });
    const at = await viewed(s);
    expect(at('inner/x')).toBe(`${s.host}/inner/x`);
    expect(at('f')).toMatch(/^\/proc\/\d+\/root\//);
  });
});
