/** The popup of a question in a real kitty, on a display that nobody sees. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { processStat } from '../../core/kernel/proc/proc.ts';
import type { QuestionList } from '../../shared/model/question.ts';
import { builtProgram } from '../../testing/cli.ts';
import { removeTree } from '../../testing/remove-tree.ts';
import { TestClient } from '../../testing/server/client.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';

const LIMIT = { timeout: 60_000, interval: 200 };
const missing = ['kitty', 'Xvfb'].find((name) => spawnSync('which', [name]).status !== 0);

interface Window {
  id: number;
  pid: number;
  is_focused: boolean;
}

describe('in a real kitty', { timeout: 240_000 }, () => {
  let t: TestServer;
  let built: Awaited<ReturnType<typeof builtProgram>> | undefined;
  let dir: string;
  let screen: ChildProcess;
  let terminal: ChildProcess;
  let env: Record<string, string>;
  beforeAll(async () => {
    if (missing !== undefined) return;
    built = await builtProgram();
    t = await testServer({ programs: [path.join(built.tree, 'bin/trai')] });
    mkdirSync(path.join(t.home, '.config/trai'), { recursive: true });
    writeFileSync(path.join(t.home, '.config/trai/config.json'), '{"rules": {"popup": true}}');
    dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-kitty-')));
    screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [display] = await once(screen.stdio[3] as Readable, 'data');
    env = {
      PATH: process.env['PATH'] ?? '',
      HOME: t.home,
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: dir,
      DISPLAY: `:${String(display).trim()}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
    };
    const options = ['allow_remote_control=socket-only', 'update_check_interval=0'].flatMap((o) => ['-o', o]);
    // What runs in its window stands for the client.
    const words = ['--config=NONE', ...options, `--listen-on=unix:${dir}/socket`, 'sleep', '600'];
    terminal = spawn('kitty', words, { env, stdio: 'ignore' });
    await vi.waitFor(() => expect(windows()).toHaveLength(1), LIMIT);
  }, 240_000);
  afterAll(async () => {
    for (const one of [terminal, screen])
      if (one?.kill() === true && one.exitCode === null) await once(one, 'close');
    await t?.close();
    built?.remove();
    if (dir !== undefined) removeTree(dir);
  });
  beforeEach((ctx) => {
    if (missing !== undefined) ctx.skip(`${missing} is not installed`);
  });
  afterEach(async () => {
    if (missing === undefined) for (const { id } of await open()) await answer(id, 'leave');
  });

  const kitty = (...words: string[]) =>
    spawnSync('kitty', ['@', `--to=unix:${dir}/socket`, ...words], { env, encoding: 'utf8' }).stdout;
  const windows = (): Window[] => {
    const shown = JSON.parse(kitty('ls') || '[]') as { tabs: { windows: Window[] }[] }[];
    return shown.flatMap(({ tabs }) => tabs.flatMap((tab) => tab.windows));
  };
  const open = async () => ((await (await t.api('/api/questions')).json()) as QuestionList).open;
  const answer = async (question: string, said: string) =>
    await t.api('/api/answer', { question, answer: said, message: null, rule: null });

  /** A question of the client in the first window, and the window of its popup. */
  async function asked(id: string, command: string) {
    const { pid = 0 } = windows()[0] ?? {};
    const who = { 'x-trai-claude-pid': String(pid), 'x-trai-claude-start': processStat(pid)?.start ?? '' };
    const client = new TestClient(t, id);
    await client.send('SessionStart', { source: 'startup' }, { 'x-trai-session': client.id, ...who });
    const event = { tool_name: 'Bash', tool_input: { command }, permission_mode: 'default' };
    const reply = client.send('PermissionRequest', event, { 'x-trai-entry': 'cli', ...who });
    const popup = await vi.waitFor(() => {
      const [, second] = windows();
      expect(second).toMatchObject({ is_focused: true });
      return `id:${second?.id}`;
    }, LIMIT);
    await vi.waitFor(() => expect(kitty('get-text', '--match', popup)).toContain('y once'), LIMIT);
    expect(kitty('get-text', '--match', popup)).toContain(command);
    return { reply, popup };
  }

  it('the popup opens over the client’s window and shows the question, a key answers, and it closes', async () => {
    const { reply, popup } = await asked('kitty-key', './tool "$(id)"; one');
    kitty('send-text', '--match', popup, 'y');
    expect((await reply).text).toContain('"allow"');
    await vi.waitFor(() => expect(windows()).toHaveLength(1), LIMIT);
  });

  it('it closes when a tab answers', async () => {
    const { reply } = await asked('kitty-tab', './tool two');
    const [question] = await open();
    await answer(question?.id ?? '', 'no');
    expect((await reply).text).toContain('"deny"');
    await vi.waitFor(() => expect(windows()).toHaveLength(1), LIMIT);
  });
});
