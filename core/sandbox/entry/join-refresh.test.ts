import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close) await one();
  close = [];
});

it.each([
  ['a scratch directory', undefined],
  ['$HOME, with the state directory', homedir()],
])(
  'names that a live overlay has looked up do not outlast a change on the host, project in %s',
  async (_, under) => {
    const session: TestSession = await testSession(under, 'a project\\');
    const outside = mkdtempSync(join(homedir(), 'trai-join-'));
    close = [() => session.close(), async () => rmSync(outside, { recursive: true })];
    const dirs = [session.project, outside];
    const put = (text: string, names: readonly string[]) => {
      for (const name of dirs.flatMap((dir) => names.map((one) => join(dir, one)))) {
        writeFileSync(`${name}.new`, text);
        renameSync(`${name}.new`, name);
      }
    };
    const show = 'cat there missing; cd "$OUTSIDE"; cat there missing';
    const env = { ...process.env, OUTSIDE: outside };
    put('0\n', ['there']);
    const first = await session.call(`${show}; (exec sleep 300) < /dev/null > /dev/null 2>&1 &`, { env });
    expect(first.stdout).toBe('0\n0\n');
    put('1\n', ['there', 'missing']);
    const next = `${show}; echo w > written; cd -; echo w > written`;
    expect(await session.call(next, { env })).toMatchObject({
      rc: 0,
      stdout: expect.stringMatching(/^(1\n){4}/),
    });
    const kinds = session.log().map(({ t, overlay }) => `${t} ${overlay ?? ''}`.trim());
    expect(kinds.filter((kind) => /started|joined/.test(kind))).toEqual([
      'call.started mounted',
      'call.started mounted',
      'call.joined',
    ]);
    const written = await session.call('cat written "$OUTSIDE/written"', { env });
    expect(written).toMatchObject({ rc: 0, stdout: 'w\nw\n' });
  },
);
