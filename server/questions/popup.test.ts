/** Popups of the client's terminal: the table of terminals, and a real tmux. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { childrenOf, processLink, processStat } from '../../core/kernel/proc/proc.ts';
import { fromText } from '../../shared/bytes.ts';
import type { QuestionList } from '../../shared/model/question.ts';
import { builtProgram } from '../../testing/cli.ts';
import { removeTree } from '../../testing/remove-tree.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';
import { outerEnvironment, popupIn, trustedProgram } from './popup.ts';

const COMMAND = ['/usr/bin/env', '-i', 'A=x y;', '/p/trai', 'answer', '3'];
const of = (environ: Readonly<Record<string, string>>) => popupIn(new Map(Object.entries(environ)), COMMAND);

describe('which program, by the environment of the client', () => {
  const TMUX = { TMUX: '/tmp/tmux-1000/a,b,4242,0', TMUX_PANE: '%12' };
  const KITTY = { KITTY_LISTEN_ON: 'unix:/run/user/1000/kitty-7', KITTY_WINDOW_ID: '5' };
  const WEZTERM = { WEZTERM_PANE: '2', WEZTERM_UNIX_SOCKET: '/run/user/1000/wezterm/gui-sock-9' };

  it('tmux: on its socket, for its pane; what tmux would take for its own separator is not one', () => {
    expect(of({ ...TMUX, ...KITTY, ...WEZTERM })).toEqual({
      program: 'tmux',
      args: [
        ...['-S', '/tmp/tmux-1000/a,b', 'display-popup', '-E', '-t', '%12', '-w', '80%', '-h', '80%'],
        ...['/usr/bin/env', '-i', 'A=x y\\;', '/p/trai', 'answer', '3'],
      ],
      env: {},
      terminal: 'tmux /tmp/tmux-1000/a,b',
    });
  });

  it('kitty: by its socket, over the window', () => {
    expect(of({ ...KITTY, ...WEZTERM })).toMatchObject({
      program: 'kitty',
      args: [
        ...['@', '--to=unix:/run/user/1000/kitty-7', 'launch', '--type=overlay', '--match=window_id:5'],
        ...COMMAND,
      ],
    });
    expect(of({ KITTY_LISTEN_ON: 'unix:@kitty' })?.args).toEqual([
      ...['@', '--to=unix:@kitty', 'launch', '--type=overlay'],
      ...COMMAND,
    ]);
  });

  it('wezterm: by its socket, below the pane', () => {
    expect(of(WEZTERM)).toMatchObject({
      program: 'wezterm',
      args: ['cli', 'split-pane', '--pane-id', '2', '--bottom', '--percent', '50', '--', ...COMMAND],
      env: { WEZTERM_UNIX_SOCKET: '/run/user/1000/wezterm/gui-sock-9' },
    });
  });

  it.each([
    {},
    { TMUX: 'relative,1,0', TMUX_PANE: '%1' },
    { TMUX: '/tmp/t,1,0' },
    { TMUX: '/tmp/t,1,0', TMUX_PANE: '-Ekill-server' },
    { KITTY_LISTEN_ON: 'tcp:evil.example:1' },
    { KITTY_LISTEN_ON: '--help' },
    { WEZTERM_PANE: '1; x', WEZTERM_UNIX_SOCKET: '/x' },
    { WEZTERM_PANE: '1' },
  ])('none for %o', (environ) => {
    expect(of(environ as Record<string, string>)).toBeNull();
  });
});

it('the environment is that of the next process outside of mount namespaces of its own', async () => {
  const script = 'WHO=inside unshare -rm sleep 600 & wait';
  const { pid: outer = 0 } = spawn('bash', ['-c', script], {
    env: { ...process.env, WHO: 'outside' },
    detached: true,
  });
  try {
    const own = processLink('self', 'ns/mnt');
    const child = () => childrenOf(outer)[0] ?? 0;
    await expect.poll(() => processLink(child(), 'ns/mnt') ?? own).not.toBe(own);
    const inner = child();
    expect(outerEnvironment(inner)?.get('WHO')).toBe('outside');
    expect(outerEnvironment(outer)?.get('WHO')).toBe('outside');
  } finally {
    process.kill(-outer, 'SIGKILL');
  }
});

describe('which programs are started', () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-popup-')));
  });
  afterEach(() => removeTree(dir));
  const at = (name: string) => path.join(dir, name);
  const put = (name: string, mode: number) => {
    writeFileSync(at(name), '');
    chmodSync(at(name), mode);
  };
  const nothing = { view: () => null };

  it('the first that runs and is root’s or the user’s own, by its link too; none that others may write', () => {
    put('plain', 0o644);
    put('open', 0o777);
    put('own', 0o755);
    symlinkSync('own', at('link'));
    symlinkSync('open', at('bad-link'));
    const find = (...names: string[]) => trustedProgram(names.map(at), nothing);
    expect(find('missing', 'plain', 'open', 'bad-link', 'own')).toBe(at('own'));
    expect(find('link')).toBe(at('link'));
    expect(find('missing', 'plain', 'open', 'bad-link')).toBeNull();
    mkdirSync(at('shared'));
    put('shared/own', 0o755);
    expect(find('shared/own')).toBe(at('shared/own'));
    chmodSync(at('shared'), 0o777);
    expect(find('shared/own', 'shared')).toBeNull();
    expect(trustedProgram(['/usr/bin/env'], nothing)).toBe('/usr/bin/env');
  });

  it('none that a call of the session has changed, or may have', () => {
    for (const name of ['host', 'upper']) mkdirSync(at(name));
    put('host/own', 0o755);
    const names = { path: fromText(at('host')), upper: fromText(at('upper')), work: fromText(at('work')) };
    const view = () => ({ sessionDir: dir, excluded: [], coveredDirs: [{ n: 1, ...names }] });
    const find = (session: Parameters<typeof trustedProgram>[1]) => trustedProgram([at('host/own')], session);
    expect(find({ view })).toBe(at('host/own'));
    put('upper/own', 0o755);
    expect(find({ view })).toBeNull();
    const damaged = () => {
      throw new Error('damaged');
    };
    expect(find({ view: damaged })).toBeNull();
  });
});

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe('in a real tmux', { timeout: 120_000 }, () => {
  let t: TestServer;
  let built: Awaited<ReturnType<typeof builtProgram>>;
  let client: TestClient;
  let dir: string;
  let count = 0;
  beforeAll(async () => {
    built = await builtProgram();
    t = await testServer({ programs: [path.join(built.tree, 'bin/trai')] });
    mkdirSync(path.join(t.home, '.config/trai'), { recursive: true });
    writeFileSync(path.join(t.home, '.config/trai/config.json'), '{"rules": {"popup": true}}');
  }, 120_000);
  afterAll(async () => {
    await t.close();
    built.remove();
  });

  const tmux = (socket: 'inner' | 'outer', ...args: string[]) => {
    const env = { PATH: process.env['PATH'], HOME: t.home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
    const argv = ['-S', path.join(dir, socket), '-f', '/dev/null', ...args];
    return spawnSync('tmux', argv, { env, encoding: 'utf8' });
  };
  const screen = () => tmux('outer', 'capture-pane', '-p').stdout;
  const sees = async (pattern: RegExp) =>
    await vi.waitFor(() => expect(screen()).toMatch(pattern), { timeout: 60_000, interval: 100 });
  const isOpen = async () => ((await (await t.api('/api/questions')).json()) as QuestionList).open;

  /** A process in a pane of tmux, which a terminal shows, stands for the client. */
  beforeEach(async () => {
    dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai popup;')));
    const inner = path.join(dir, 'inner');
    tmux('inner', 'new-session', '-d', '-x', '100', '-y', '40', 'sleep', '600');
    tmux('outer', 'new-session', '-d', '-x', '100', '-y', '40', 'tmux', '-S', inner, 'attach');
    await vi.waitFor(() => expect(tmux('inner', 'list-clients').stdout).not.toBe(''), { timeout: 30_000 });
    client = new TestClient(t, `popup-${++count}`);
    await client.send('SessionStart', { source: 'startup' }, { 'x-trai-session': client.id, ...who() });
  });
  afterEach(async () => {
    for (const { id } of await isOpen()) await answer(id, 'leave');
    for (const socket of ['outer', 'inner'] as const) tmux(socket, 'kill-server');
    removeTree(dir);
  });

  const who = () => {
    const pid = tmux('inner', 'display-message', '-p', '#{pane_pid}').stdout.trim();
    return { 'x-trai-claude-pid': pid, 'x-trai-claude-start': processStat(Number(pid))?.start ?? '' };
  };
  const answer = async (question: string, said: string) =>
    await t.api('/api/answer', { question, answer: said, message: null, rule: null });
  const ask = (command: string, headers = {}) =>
    client.send(
      'PermissionRequest',
      { tool_name: 'Bash', tool_input: { command }, permission_mode: 'default' },
      { 'x-trai-entry': 'cli', ...who(), ...headers },
    );

  it('a popup opens and shows the question, y answers, and it closes', async (ctx) => {
    if (!hasTmux) ctx.skip('there is no tmux');
    const reply = ask('./tool "$(touch /tmp/x)"; one');
    await sees(/\.\/tool "\$\(touch \/tmp\/x\)"; one[\s\S]*y once/);
    tmux('outer', 'send-keys', 'y');
    expect((await reply).text).toContain('"allow"');
    await vi.waitFor(() => expect(screen()).not.toMatch(/tool/), { timeout: 30_000, interval: 100 });
  });

  it('what is being typed when it opens answers nothing', async (ctx) => {
    if (!hasTmux) ctx.skip('there is no tmux');
    const typing = setInterval(() => tmux('outer', 'send-keys', 'y'), 100);
    const reply = ask('./tool typed');
    await sees(/\.\/tool typed/).finally(() => clearInterval(typing));
    await sees(/y once/);
    expect(await isOpen()).toHaveLength(1);
    tmux('outer', 'send-keys', 'n');
    expect((await reply).text).toContain('"deny"');
  });

  it('it closes when a tab answers first, and the next question has the next popup', async (ctx) => {
    if (!hasTmux) ctx.skip('there is no tmux');
    const replies = [ask('./tool one'), ask('./tool two')];
    await sees(/\.\/tool one/);
    await expect.poll(isOpen).toHaveLength(2);
    const [first, second] = await isOpen();
    await answer(first?.id ?? '', 'no');
    await sees(/\.\/tool two[\s\S]*y once/);
    await answer(second?.id ?? '', 'once');
    await vi.waitFor(() => expect(screen()).not.toMatch(/tool/), { timeout: 30_000, interval: 100 });
    expect((await Promise.all(replies)).map(({ text }) => /allow|deny/.exec(text)?.[0])).toEqual([
      'deny',
      'allow',
    ]);
  });

  it('none opens for a process that SessionStart has not attached', async (ctx) => {
    if (!hasTmux) ctx.skip('there is no tmux');
    tmux('inner', 'split-window', '-d', 'sleep', '601');
    const [, other = ''] = tmux('inner', 'list-panes', '-F', '#{pane_pid}').stdout.trim().split('\n');
    const start = processStat(Number(other))?.start ?? '';
    void ask('./tool other', { 'x-trai-claude-pid': other, 'x-trai-claude-start': start });
    await expect.poll(isOpen).toHaveLength(1);
    const reply = ask('./tool own');
    await sees(/\.\/tool own/);
    expect(screen()).not.toMatch(/tool other/);
    const own = (await isOpen()).find(({ input }) => input['command'] === './tool own');
    await answer(own?.id ?? '', 'once');
    await reply;
  });
});
