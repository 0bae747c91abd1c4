import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { ROOT } from '../../../testing/root.ts';
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

it('nor where a link leads to the state directory of a client, whose calls go in once', async () => {
  const session = await testSession(homedir());
  close = [() => session.close()];
  const { base, state, project } = session;
  const link = join(base, 'link');
  symlinkSync(base, link);
  mkdirSync(join(base, '.config/trai'), { recursive: true });
  writeFileSync(join(base, '.config/trai/config.json'), '{"autostart":false}');
  mkdirSync(join(state, 'claude'));
  writeFileSync(join(state, 'claude/c'), 's1');
  const [line, entered] = [join(base, 'line.sh'), join(base, 'entered')];
  const env = {
    HOME: base,
    PATH: '/usr/bin:/bin',
    TRAI_STATE_HOME: join(link, 'state'),
    CLAUDE_ENV_FILE: line,
  };
  const bash = (...args: string[]) => promisify(execFile)('/bin/bash', args, { cwd: project, env });
  await session.call('true');
  const hook = `printf '{"session_id":"c"}' | bash -p "$0"`;
  await bash('-c', hook, join(ROOT, 'hooks/session-start.sh'));
  const enter = join(state, 'bin/0.1.0/enter');
  writeFileSync(enter, readFileSync(enter, 'utf8').replace('\n', `\necho x >> '${entered}'\n`));
  const call = (text: string) => bash('-c', `${readFileSync(line, 'utf8')}: && ${text}`);
  writeFileSync(join(project, 'there'), '0\n');
  const entries = async () => {
    writeFileSync(entered, '');
    expect(await call('cat there')).toEqual({ stdout: '0\n', stderr: '' });
    return readFileSync(entered, 'utf8');
  };
  // Twice where the machine's mounts have just changed, as by another test.
  await expect.poll(entries, { timeout: 30_000 }).toBe('x\n');
  await call('cat there missing; (exec sleep 300) < /dev/null > /dev/null 2>&1 &');
  for (const name of ['there', 'missing']) {
    writeFileSync(join(project, 'new'), '1\n');
    renameSync(join(project, 'new'), join(project, name));
  }
  expect(await call('cat there missing')).toEqual({ stdout: '1\n1\n', stderr: '' });
});
