/** One entry that can't be worked on keeps no other from being committed, taken back or discarded. */
import { readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  brief,
  commitNow,
  mergedSnapshot,
  quickLook,
  snapshot,
  undoRequest,
} from '../../../testing/commit/commit.ts';
import { hasPython } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { undoCommit } from '../undo/undo.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const GOOD = 'mkdir p; echo old > p/modified; echo old > p/deleted; echo old > meta; chmod 644 meta';
const INSIDE =
  'echo new > p/modified; rm p/deleted; echo new > p/added; mkdir n; echo new > n/x; chmod 600 meta';

async function scene(before: string, inside: string): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost(`${GOOD}; ${before}`);
  t.inSandbox(`${INSIDE}; ${inside}`);
  await recordBases(t.ctx);
  return t;
}

/** All that is not below `bad`. */
const others = (dir: string) => [...quickLook(dir)].filter(([path]) => !isBad(path));
const isBad = (path: string) => /(^|\/)bad(\/|$)/.test(path);

type Method = keyof FsPort;
const METHODS = Object.keys(nodePort) as Method[];

/** A port whose calls of `method` (null = none) fail for `bad` on the host; `met` collects the methods. */
function failing(t: TestSession, method: Method | null, code: string): { port: FsPort; met: Set<Method> } {
  const met = new Set<Method>();
  const port: Partial<Record<Method, unknown>> = {};
  const bad = `${t.host}/bad`;
  for (const name of METHODS) {
    const real = nodePort[name] as (...args: unknown[]) => unknown;
    port[name] = (...args: unknown[]) => {
      const paths = name === 'append' ? [] : args.filter((arg) => typeof arg === 'string').map(resolved);
      if (paths.some((path) => path === bad || path.startsWith(`${bad}/`))) {
        met.add(name);
        if (name === method) throw Object.assign(new Error(`${code}: injected`), { code });
      }
      return real(...args);
    };
  }
  return { port: port as unknown as FsPort, met };
}

/** With a descriptor's own path in its place. */
function resolved(path: string): string {
  const fd = /^\/proc\/self\/fd\/\d+/.exec(path)?.[0];
  return fd === undefined ? path : readlinkSync(fd, 'latin1') + path.slice(fd.length);
}

const SHAPES: [string, string, string][] = [
  ['a new file', ':', 'echo new > bad'],
  ['a new directory', ':', 'mkdir bad; echo new > bad/x; ln -s x bad/l'],
  ['a changed file', 'echo old > bad', 'echo new > bad'],
  ['a changed link', 'ln -s old bad', 'ln -sfn new bad'],
  ['a deleted file', 'echo old > bad', 'rm bad'],
  ['a deleted directory', 'mkdir bad; echo old > bad/x', 'rm -r bad'],
  ['a directory that became a file', 'mkdir bad; echo old > bad/x', 'rm -r bad; echo new > bad'],
  ['a file that became a directory', 'echo old > bad', 'rm bad; mkdir bad; echo new > bad/x'],
  ['the mode of a file', 'echo old > bad; chmod 644 bad', 'chmod 600 bad'],
  ['the mode of a directory', 'mkdir -m 755 bad', 'chmod 700 bad'],
];
const CODES = ['EACCES', 'EPERM', 'ENAMETOOLONG', 'EINVAL', 'EOVERFLOW'];

describe(`units fail alone, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(SHAPES)('in a commit of %s, whatever call fails', async (_, before, inside) => {
    const whole = await scene(before, inside);
    const seen = failing(whole, null, '');
    expect(await commitNow(whole, { tools: { port: seen.port } })).toMatchObject({
      failed: [],
    });
    const after = snapshot(whole.host);
    expect(seen.met.size).toBeGreaterThan(0);
    for (const [i, method] of [...seen.met].entries()) {
      const code = CODES[i % CODES.length] ?? 'EACCES';
      const t = await scene(before, inside);
      const report = await commitNow(t, { tools: { port: failing(t, method, code).port } });
      const about = `${code} of ${method}`;
      expect(others(t.host), about).toEqual(others(whole.host));
      const wrong = report.failed
        .map(({ path }) => path.slice(t.host.length + 1))
        .filter((path) => !isBad(path));
      expect(wrong, about).toEqual([]);
      expect((await commitNow(t)).failed, about).toEqual([]);
      expect(untimed(snapshot(t.host)), about).toBe(untimed(after));
      expect(brief(await scan(t.ctx), t.host), about).toEqual([]);
    }
  });

  it.each(SHAPES)('in the undo of a commit of %s, whatever call fails', async (_, before, inside) => {
    const whole = await scene(before, inside);
    const seen = failing(whole, null, '');
    await commitNow(whole);
    expect(await undoCommit(whole.ctx, undoRequest(), { port: seen.port })).toMatchObject({
      failed: [],
    });
    const after = snapshot(whole.host);
    const pending = brief(await scan(whole.ctx), whole.host);
    expect(seen.met.size).toBeGreaterThan(0);
    for (const [i, method] of [...seen.met].entries()) {
      const code = CODES[i % CODES.length] ?? 'EACCES';
      const t = await scene(before, inside);
      await commitNow(t);
      const report = await undoCommit(t.ctx, undoRequest(), { port: failing(t, method, code).port });
      const about = `${code} of ${method}`;
      expect(others(t.host), about).toEqual(others(whole.host));
      const wrong = report.failed
        .map(({ path }) => path.slice(t.host.length + 1))
        .filter((path) => !isBad(path));
      expect(wrong, about).toEqual([]);
      await undoCommit(t.ctx, undoRequest()).catch((error: unknown) => {
        expect(error, about).toMatchObject({ code: 'not-found' });
      });
      expect(untimed(snapshot(t.host)), about).toBe(untimed(after));
      expect(brief(await scan(t.ctx), t.host), about).toEqual(pending);
    }
  });
});

describe('units that really fail', () => {
  it.each([
    ['a new file', ':', 'echo new > bad; chmod 000 bad'],
    ['a file in a new directory', ':', 'mkdir bad; echo new > bad/x; echo > bad/y; chmod 000 bad/x'],
    ['a file that was changed', 'echo old > bad', 'echo new > bad; chmod 000 bad'],
    ['a file that was replaced', 'echo old > bad; chmod 000 bad', 'rm bad; echo new > bad'],
    ['a file that was deleted', 'echo old > bad; chmod 000 bad', 'rm bad'],
    ['two names of one file', ':', 'mkdir bad; echo new > bad/x; ln bad/x bad/y; chmod 000 bad/x'],
    [
      'write-only, in a directory without a write bit',
      ':',
      'mkdir bad; echo > bad/x; chmod 200 bad/x; chmod 555 bad',
    ],
  ])('an own file that nobody may read is committed and taken back: %s', async (_, before, inside) => {
    const t = await scene(before, inside);
    const [host, listed] = [snapshot(t.host), brief(await scan(t.ctx), t.host)];
    const view = hasPython ? mergedSnapshot(t) : '';
    expect((await commitNow(t)).failed).toEqual([]);
    // Not by a rename as a whole: copied.
    t.onHost('[ ! -d bad ] || touch bad');
    const report = await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
    expect(report.failed).toEqual([]);
    expect(snapshot(t.host)).toBe(host);
    expect(brief(await scan(t.ctx), t.host)).toEqual(listed);
    if (hasPython) expect(untimed(mergedSnapshot(t))).toBe(untimed(view));
  });

  it('what the host has closed since stays, is named, and the rest is taken back', async (ctx) => {
    if (asRoot) return ctx.skip('no directory is closed to root');
    const t = await scene(
      'mkdir bad3; echo old > bad3/x',
      'mkdir -p bad bad2; echo > bad/x; echo > bad2/x; echo new > bad3/x',
    );
    const was = Object.fromEntries(others(t.host));
    await commitNow(t);
    t.onHost('chmod 000 bad; chmod 300 bad2; chmod 500 bad3');
    const report = await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
    expect(
      report.failed
        .map(({ path }) => path.slice(t.host.length + 1))
        .filter((path) => !/^bad2?(\/|$)/.test(path)),
    ).toEqual([]);
    expect(report.failed.length).toBeGreaterThan(0);
    t.onHost('chmod 700 bad bad2; chmod 755 bad3');
    const now = Object.fromEntries(others(t.host));
    for (const [path, text] of Object.entries(was)) expect(now[path], path).toBe(text);
    expect(now['p/added']).toBeUndefined();
  });
});

const untimed = (text: string) => text.replace(/ mtime=-?\d+(?= |$)/gm, '');
