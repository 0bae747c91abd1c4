import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mountSource, sessionContext } from '../../../core/sandbox/context.ts';
import { endProcesses } from '../../../core/sandbox/live.ts';
import { unpackChanges } from '../../../shared/api/packed-changes.ts';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { DirectRunner } from '../../../testing/server/direct-runner.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';
import { HookWorld } from '../../hooks/world/world.ts';
import { HostFollower } from './host-follower.ts';
import { HostWatch } from './host-watch.ts';

let t: TestServer;
let used = 0;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  for (let n = 1; n <= used; n++) await new TestClient(t, `h${n}`).clean();
  await t.close();
});

/** For a busy machine. */
const SOON = { timeout: 30_000 };
const onHost = (name: string): string => path.join(t.project, name);
/** As an editor saves. */
function save(name: string, text: string): void {
  mkdirSync(path.dirname(onHost(name)), { recursive: true });
  writeFileSync(`${onHost(name)}.new~`, text);
  renameSync(`${onHost(name)}.new~`, onHost(name));
}

interface Inside {
  client: TestClient;
  /** In the merged view of the running process. */
  ask(line: string): Promise<string>;
  /** Events that its watchers got. */
  told(): string;
  end(): Promise<void>;
}

/** With a process that watches directories and answers questions about its view. */
async function live(...dirs: string[]): Promise<Inside> {
  const client = new TestClient(t, `h${++used}`);
  await client.start();
  const desk = path.join(t.base, `desk-${client.id}`);
  mkdirSync(desk);
  writeFileSync(
    `${desk}/watch.cjs`,
    `const fs = require('fs'); const { execSync } = require('child_process');
    const say = (text) => fs.appendFileSync('${desk}/told', text);
    say('');
    for (const dir of ${JSON.stringify(dirs)}) fs.watch(dir, (_e, name) => say(dir + '/' + name + '\\n'));
    setInterval(() => {
      if (!fs.existsSync('${desk}/ask')) return;
      const line = fs.readFileSync('${desk}/ask', 'utf8');
      fs.rmSync('${desk}/ask');
      let out = '';
      try { out = execSync(line + ' 2>&1', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }); }
      catch (error) { out = 'failed: ' + error.stdout; }
      fs.writeFileSync('${desk}/out~', out); fs.renameSync('${desk}/out~', '${desk}/out');
    }, 20);`,
  );
  const ran = await client.bash(
    `(${process.execPath} ${desk}/watch.cjs < /dev/null > ${desk}/err 2>&1 &) ; :`,
  );
  expect(ran).toMatchObject({ rc: 0 });
  await expect.poll(() => existsSync(`${desk}/told`), SOON).toBe(true);
  return {
    client,
    told: () => readFileSync(`${desk}/told`, 'utf8'),
    async ask(line) {
      rmSync(`${desk}/out`, { force: true });
      writeFileSync(`${desk}/ask~`, line);
      renameSync(`${desk}/ask~`, `${desk}/ask`);
      await expect.poll(() => existsSync(`${desk}/out`), SOON).toBe(true);
      return readFileSync(`${desk}/out`, 'utf8');
    },
    end: async () => void (await endProcesses(mountSource(t.state, client.id))),
  };
}

async function followed(client: TestClient): Promise<void> {
  await expect.poll(() => t.server.manager.follower.isFollowed(client.id), SOON).toBe(true);
}

const pending = async (client: TestClient): Promise<string[]> => {
  const { found } = await t.server.manager.get(client.id).list.get('now');
  // As root everything is covered, and other programs change files elsewhere.
  const inProject = unpackChanges(found.packed).filter((change) =>
    isWithin(change.path, fromText(t.project)),
  );
  return inProject.map((change) => `${change.kind} ${path.basename(change.path)}`);
};

describe('the user’s own edits', () => {
  it('are seen inside with events, are not pending, and leave the upper when the session is quiet', async () => {
    save('src/a.txt', 'one\n');
    save('src/gone.txt', 'x\n');
    const inside = await live('.', 'src');
    expect(await inside.ask('cat src/a.txt src/gone.txt')).toBe('one\nx\n');
    await followed(inside.client);
    save('src/a.txt', 'two\n');
    await expect.poll(() => inside.ask('cat src/a.txt'), SOON).toBe('two\n');
    await expect.poll(inside.told, SOON).toContain('src/a.txt\n');
    rmSync(onHost('src/gone.txt'));
    await expect.poll(inside.told, SOON).toContain('src/gone.txt\n');
    expect(await inside.ask('ls src')).toBe('a.txt\n');
    save('fresh/deep/b.txt', 'new\n');
    await expect.poll(inside.told, SOON).toContain('./fresh\n');
    expect(await inside.ask('cat fresh/deep/b.txt')).toBe('new\n');
    // The new directory is watched too.
    save('fresh/deep/b.txt', 'newer\n');
    await expect.poll(() => inside.ask('cat fresh/deep/b.txt'), SOON).toBe('newer\n');
    rmSync(onHost('fresh'), { recursive: true });
    await expect.poll(() => inside.ask('ls'), SOON).toBe('src\n');
    expect(await pending(inside.client)).toEqual([]);
    await inside.end();
    await expect.poll(() => t.server.manager.follower.isFollowed(inside.client.id), SOON).toBe(false);
    // At once: a copy-up that stayed would hide this.
    save('src/a.txt', 'three\n');
    expect((await inside.client.bash(': > z; rm z; cat src/a.txt')).stdout).toBe('three\n');
    expect(await pending(inside.client)).toEqual([]);
    expect(t.reported).toEqual([]);
  });

  it('of what the sandbox changed are a conflict, and its version stays', async () => {
    save('b.txt', 'one\n');
    const inside = await live('.');
    await inside.ask('echo mine > b.txt');
    await followed(inside.client);
    save('b.txt', 'host\n');
    save('c.txt', 'a mark that this round is over\n');
    await expect.poll(inside.told, SOON).toContain('c.txt\n');
    expect(await inside.ask('cat b.txt')).toBe('mine\n');
    expect(await pending(inside.client)).toEqual(['modified b.txt']);
    await inside.end();
  });
});

it('where nobody watches, a running process sees the host’s changes from the next prompt on, and may build on them', async () => {
  const outside = mkdtempSync(path.join(homedir(), 'trai-prompt-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const [file, next] = [path.join(outside, 'f'), path.join(outside, 'next')];
  writeFileSync(file, 'one\n');
  const inside = await live('.');
  expect(await inside.ask(`cat ${file}`)).toBe('one\n');
  await followed(inside.client);
  writeFileSync(next, 'two\n');
  renameSync(next, file);
  const since = Date.now();
  await inside.client.send('UserPromptSubmit', { prompt: 'look' });
  await expect.poll(() => inside.ask(`cat ${file}`), SOON).toBe('two\n');
  const looks = path.join(t.state, 'sessions', inside.client.id, 'overlay/.base-looks');
  const latest = () => /(\d+) \d+\n$/.exec(existsSync(looks) ? readFileSync(looks, 'utf8') : '')?.[1];
  await expect.poll(() => Number(latest() ?? 0), SOON).toBeGreaterThanOrEqual(since);
  await inside.ask(`sleep 0.1; echo more >> ${file}`);
  const { found } = await t.server.manager.get(inside.client.id).list.get('now');
  const mine = unpackChanges(found.packed).filter((change) => isWithin(change.path, fromText(outside)));
  expect(mine.map(({ kind, conflict }) => [kind, conflict])).toEqual([['modified', null]]);
  await inside.end();
  expect(t.reported).toEqual([]);
});

describe('Claude’s own tools, and commands on the host', () => {
  it('an Edit is seen at once, also where nobody watches', async () => {
    save('node_modules/dep/d.js', 'one\n');
    const inside = await live('node_modules/dep');
    expect(await inside.ask('cat node_modules/dep/d.js')).toBe('one\n');
    save('node_modules/dep/d.js', 'two\n');
    const tool_input = { file_path: onHost('node_modules/dep/d.js') };
    await inside.client.send('PostToolUse', { tool_name: 'Edit', tool_use_id: 'toolu_e', tool_input });
    expect(await inside.ask('cat node_modules/dep/d.js')).toBe('two\n');
    await expect.poll(inside.told, SOON).toContain('node_modules/dep/d.js\n');
    expect(await pending(inside.client)).toEqual([]);
    await inside.end();
  });

  it('without a server, too: by whoever runs the hook', async () => {
    save('node_modules/alone/a.js', 'one\n');
    const inside = await live('node_modules/alone');
    expect(await inside.ask('cat node_modules/alone/a.js')).toBe('one\n');
    save('node_modules/alone/a.js', 'two\n');
    const world = new HookWorld({ stateDir: t.state, env: { HOME: t.home }, programs: [] });
    const session = await world.session(inside.client.id);
    if (session === null) expect.fail('the session is there');
    await session.hostChanged([fromText(onHost('node_modules/alone/a.js'))]);
    expect(await inside.ask('cat node_modules/alone/a.js')).toBe('two\n');
    await inside.end();
    await session.hostChanged([fromText(onHost('node_modules/alone/gone'))]);
    expect((await world.session(inside.client.id))?.meta.off).toBe(null);
  });

  it('after a command that ran on the host everything is looked up anew', async () => {
    save('node_modules/one', '1\n');
    const inside = await live('.');
    expect(await inside.ask('ls node_modules; cat node_modules/two')).toContain('No such file');
    await followed(inside.client);
    save('node_modules/two', '2\n');
    expect((await inside.client.bash('git --version')).rc).toBe(0);
    await expect.poll(() => inside.ask('cat node_modules/two'), SOON).toBe('2\n');
    await inside.end();
  });
});

it('the next call sees what the host has changed since of a file outside the project that was committed meanwhile', async () => {
  const outside = mkdtempSync(path.join(homedir(), 'trai-follow-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const at = (name: string) => path.join(outside, name);
  const names = ['modified', 'renamed', 'deleted', 'mode', 'pending'];
  for (const name of ['modified', 'deleted', 'pending']) writeFileSync(at(name), 'host 0\n');
  const inside = await live('.');
  const { client } = inside;
  await followed(client);
  await client.bash(`cd ${outside}; for f in ${names.slice(0, 4).join(' ')}; do echo box > $f; done`);
  const { revision } = await listOf(t, client);
  const order = { scope: { kind: 'all' }, revision, includeIgnored: false, conflicts: 'refuse', choices: {} };
  const body = { ...order, yes: false, typedCount: null };
  const report = await t.api(`/api/sessions/${client.id}/commit`, body);
  expect(report.status).toBe(200);
  expect(readFileSync(at('mode'), 'utf8')).toBe('box\n');
  await client.bash(`echo box > ${at('pending')}`);
  for (const [text, mode] of [
    ['host 1', 0o600],
    ['host 22', 0o640],
  ] as const) {
    for (const name of ['modified', 'new', 'pending']) writeFileSync(at(name), `${text}\n`);
    renameSync(at('new'), at('renamed'));
    rmSync(at('deleted'), { force: true });
    chmodSync(at('mode'), mode);
    const { stdout } = await client.bash(`cd ${outside}; cat ${names.join(' ')} 2>&1; stat -c %a mode`);
    expect(stdout).toMatch(
      new RegExp(`^${text}\\n${text}\\ncat: .*deleted.*\\nbox\\nbox\\n${mode.toString(8)}\\n$`),
    );
    const { changes } = await listOf(t, client);
    const listed = changes.filter((change) => isWithin(change.path, fromText(outside)));
    expect(listed.map((change) => change.path)).toEqual([fromText(at('pending'))]);
    // Whether its base record exists by then does not matter here.
    expect(listed[0]?.conflict).toMatch(/^(host-changed|unknown-base)$/);
  }
  await inside.end();
  expect(t.reported).toEqual([]);
});

describe('limits', () => {
  it('of directories: the session is told once, what is near the root is watched', async () => {
    for (const name of ['p/1/2/3/x', 'q/x']) save(name, 'one\n');
    const inside = await live('.', 'q');
    const context = async (id: string) => await sessionContext(t.state, id, { HOME: t.home });
    const notices: unknown[] = [];
    const follower = new HostFollower({
      runner: new DirectRunner(),
      context,
      log: (_session, event) => void notices.push(event),
      report: (thrown) => expect.fail(String(thrown)),
      quiet: () => undefined,
      limit: 4,
    });
    try {
      await follower.look(inside.client.id);
      await follower.look(inside.client.id);
      expect(notices).toMatchObject([{ t: 'notice', code: 'watch-limit' }]);
      expect(JSON.stringify(notices)).toContain('more than 4 directories');
    } finally {
      await follower.close();
    }
    await inside.end();
  });
});

describe('the watch', () => {
  it('leaves out what is ignored, follows renames, and takes names of any bytes', async () => {
    const root = path.join(t.base, 'watched');
    for (const dir of ['a/b', 'node_modules/x', '.git/y', 'cache/z'])
      mkdirSync(path.join(root, dir), { recursive: true });
    const odd = Buffer.concat([Buffer.from(`${root}/a/`), Buffer.from([0xff, 0x0a])]);
    mkdirSync(odd);
    const seen = new Set<string>();
    const watch = new HostWatch({
      ctx: { projectRoot: fromText(root), home: fromText(t.home), ignore: ['cache/'], excluded: [] },
      limit: 100,
      changed: (paths) =>
        paths.forEach((one) => void seen.add(Buffer.from(one, 'latin1').toString('latin1'))),
      limited: () => expect.fail('no limit was expected'),
    });
    await watch.start();
    try {
      expect(watch.directories).toBe(4);
      writeFileSync(path.join(root, 'node_modules/x/f'), '');
      writeFileSync(path.join(root, '.git/y/f'), '');
      writeFileSync(path.join(root, 'cache/z/f'), '');
      writeFileSync(Buffer.concat([odd, Buffer.from('/f')]), '');
      renameSync(path.join(root, 'a/b'), path.join(root, 'moved'));
      const at = (name: string): string => Buffer.from(`${root}/${name}`).toString('latin1');
      await expect.poll(() => seen.has(at('moved')) && seen.has(at('a/b')), SOON).toBe(true);
      writeFileSync(path.join(root, 'moved/f'), '');
      await expect.poll(() => seen.has(at('moved/f')), SOON).toBe(true);
      await expect.poll(() => seen.has(`${odd.toString('latin1')}/f`), SOON).toBe(true);
      expect([...seen].filter((one) => /node_modules|\.git|cache\//.test(one))).toEqual([]);
      expect(watch.directories).toBe(4);
    } finally {
      watch.close();
    }
    expect(watch.directories).toBe(0);
  });
});
