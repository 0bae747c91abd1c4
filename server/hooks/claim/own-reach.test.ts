import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGrant } from '../../../core/session/grants.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { reachedOwn } from './own-reach.ts';

describe('a command that names', () => {
  let base = '';
  const own = (): string => path.join(base, 'home/.local/state/trai');
  beforeAll(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-own-')));
    mkdirSync(path.join(own(), 'sessions'), { recursive: true });
    symlinkSync('home/.local', path.join(base, 'local'));
    writeFileSync(path.join(own(), 'server.json'), '');
    symlinkSync(path.join(own(), 'server.json'), path.join(base, 'file'));
    mkdirSync(path.join(base, 'other/state/trai'), { recursive: true });
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const reached = (name: string, whole: boolean): boolean =>
    reachedOwn({ paths: [path.join(base, name)], trees: whole ? [path.join(base, name)] : [] }, [own()]) !==
    null;

  it.each([
    'home/.local/state/trai/server.json',
    'home/.local/state/trai',
    'home/.local/state/trai/',
    'home/x/../.local/state/trai/a',
    'local/state/trai/server.json',
    'file',
    'home/.local/st*/tr?i/x',
    'home/*/*/[s-u]rai',
    'lo*/state/trai/x',
    'fi*',
  ])('%s reaches it', (name) => {
    expect(reached(name, false)).toBe(true);
  });

  it.each(['home', 'home/.local/state', 'local', '', 'ho*', '*'])('%s does so with what is below', (name) => {
    expect(reached(name, true)).toBe(true);
    expect(name === '*' || reached(name, false) === false).toBe(true);
  });

  it.each([
    'other',
    'other/state/trai',
    'home/.local/state/other',
    'home/.local/state/tra',
    'oth*',
    'nowhere/*',
  ])('%s does not', (name) => {
    expect(reached(name, true)).toBe(false);
  });
});

describe('a call', () => {
  let t: TestServer;
  let n = 0;
  beforeAll(async () => {
    t = await testServer();
  });
  afterAll(async () => {
    await new TestClient(t, 'any').clean();
    await t.close();
  });
  const secret = (): string => t.server.hook;

  it.for([
    'cat S/server.json',
    'grep -rh . B',
    'cd B && cat state/server.json',
    'cat B/st*/server.json',
    'ln -s S/server.json l; cat l',
    'cat < S/server.json',
    'git diff --no-index /dev/null S/server.json',
    'git hash-object S/server.json; git --no-pager grep --no-index . -- S',
    'sudo cat S/server.json',
    'sudo grep -r . B',
    'docker build S',
    'docker run -v S:/s x cat /s/server.json',
    'docker ps; cat S/server.json',
    'docker compose -f S/server.json config',
    'cat "/proc/$PPID/root/S/server.json"',
    'python3 -c "print(open(\'S/server.json\').read())"',
  ])('%j does not get what hooks are believed by', async (text, ctx) => {
    if (process.getuid?.() === 0 && text.includes('/proc/'))
      return ctx.skip('root may look into every process of its user namespace (docs/limits.md)');
    const command = text.replaceAll('S', t.state).replaceAll(/\bB\b/g, t.base);
    expect(readFileSync(path.join(t.state, 'server.json'), 'utf8')).toContain(secret());
    const client = new TestClient(t, `reads-${++n}`);
    await client.start();
    const { stdout, stderr } = await client.bash(command);
    expect(stdout + stderr).not.toContain(secret());
    // The same with a passthrough.
    await openGrant(path.join(t.state, 'sessions', client.id), { kind: 'passthrough' });
    const again = await client.shell(command);
    expect(again.stdout + again.stderr).not.toContain(secret());
  });

  it('that is not hidden from is refused where it names them, and says why', async () => {
    const client = new TestClient(t, 'named');
    await client.start();
    const asked = await client.pre(client.newRequest(), `sudo cat ${t.state}/server.json`);
    expect(asked).toMatchObject({ exit: '2', stream: 'err' });
    expect(asked.text).toContain(`\`sudo\` would reach ${t.state} on the host`);
    expect(await client.shell(`sudo cat ${t.state}/server.json`)).toMatchObject({ rc: 125, stdout: '' });
    expect((await client.log()).map((call) => call['reason'])).toContain('own-directories');
  });

  it('of trai’s own program reaches them', async () => {
    const client = new TestClient(t, 'own');
    await client.start();
    writeFileSync(path.join(t.base, 'ran'), '');
    const { stderr } = await client.shell('/opt/trai/bin/trai status');
    // The program does not exist here; it was looked up on the host.
    expect(stderr).toContain('/opt/trai/bin/trai: No such file');
    expect(await client.log()).toMatchObject([{ mode: 'host', reason: 'own-program' }]);
  });
});
