import { existsSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeFileLock } from '../../../core/kernel/proc/file-lock.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';
import { Scene, WORLDS } from './file-view.testing.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

const make = async (
  host: Readonly<Record<string, string>>,
  command: string,
  world: (typeof WORLDS)[number] = 'the server',
) => await Scene.make(t, host, command, world);

describe.each(WORLDS)('Read, answered by %s,', (world) => {
  it('of what has no pending version is silent', async () => {
    const s = await make({ 'd/a': '1', 'd/mode': '1' }, 'echo 2 > d/b; chmod 600 d/mode', world);
    for (const name of ['d/a', 'd/mode', 'd/none', 'none/none', 'd']) expect(await s.reads(name)).toBe('');
  });

  it('tells whose content it is, and how to read the pending one', async () => {
    const s = await make(
      { 'changed': '1', 'gone': '1', 'dir/in': '1', 'kept/in': '1', 'file': '1' },
      'echo 2 > changed; rm gone; rm -r dir; rm -r kept; mkdir kept; echo 2 > kept/own; echo 2 > "it\'s new"; rm file; mkdir file; echo 3 > file/in',
      world,
    );
    expect(await s.reads('changed')).toBe(
      `trai: this is the host's content of ${s.at('changed')}. Bash changed ${s.at('changed')}, and that is pending. Read the pending version with Bash: cat ${s.at('changed')}.`,
    );
    expect(await s.reads('gone')).toMatch(/host's content.*Bash deleted .*\/gone, .*no longer see it/);
    expect(await s.reads('dir/in')).toMatch(/host's content.*Bash deleted .*\/dir, /);
    expect(await s.reads('kept/in')).toMatch(/host's content.*Bash replaced .*\/kept, .*no longer see it/);
    expect(await s.reads("it's new")).toMatch(/host does not have .*Bash created .*cat '.*it'\\''s new'\.$/);
    expect(await s.reads('kept/own')).toMatch(/host does not have .*Bash created .*cat /);
    expect(await s.reads('file/in')).toMatch(/host does not have .*Bash replaced .*\/file, .*cat /);
    expect(await s.reads('dir/none')).toBe('');
  });
});

describe.each(WORLDS)('Edit and its like, answered by %s,', (world) => {
  const REFUSED = /^trai: Bash .*pending: .*with Bash .*\/trai:commit.*\/trai:discard/;

  it.each(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])(
    '%s of a file with a pending version is refused, with the way out',
    async (tool) => {
      const s = await make({ 'a.ipynb': '1' }, 'echo 2 > a.ipynb', world);
      const field = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
      const answer = await s.use(tool, { [field]: s.at('a.ipynb') });
      expect(answer).toMatchObject({ exit: '2', stream: 'err', text: expect.stringMatching(REFUSED) });
      expect(answer.text).toContain(`Bash changed ${s.at('a.ipynb')}`);
    },
  );

  it.each([
    // Its copy-up would hide what is written on the host.
    [
      'a file of another mode',
      { a: '1' },
      'chmod 600 a',
      'a',
      'changed the permissions or the owner of',
      'a',
    ],
    ['a deleted file', { a: '1' }, 'rm a', 'a', 'deleted', 'a'],
    ['a file in a deleted directory', { 'd/a': '1' }, 'rm -r d', 'd/a', 'deleted', 'd'],
    ['a new file in a deleted directory', { 'd/a': '1' }, 'rm -r d', 'd/new', 'deleted', 'd'],
    ['a file that a directory stands for', { a: '1' }, 'rm a; mkdir a', 'a', 'replaced', 'a'],
    [
      'a file in a directory that a file stands for',
      { 'd/a': '1' },
      'rm -r d; echo > d',
      'd/a',
      'replaced',
      'd',
    ],
    ['a file in a directory that was made again', { 'd/a': '1' }, 'rm -r d; mkdir d', 'd/a', 'replaced', 'd'],
    ['a new file there', { 'd/a': '1' }, 'rm -r d; mkdir d', 'd/new', 'replaced', 'd'],
    ['an equal file there', { 'd/a': '1' }, 'rm -r d; mkdir d; printf 1 > d/a', 'd/a', 'replaced', 'd'],
    ['a file that only Bash has', {}, 'echo 1 > a', 'a', 'created', 'a'],
    ['a new file in a directory that only Bash has', {}, 'mkdir -p app/src', 'app/src/new', 'created', 'app'],
    ['a new file below what is a file for Bash', {}, 'echo 1 > app', 'app/new', 'created', 'app'],
    ['a new file below a link that only Bash has', { 'd/a': '1' }, 'ln -s d l', 'l/new', 'created', 'l'],
  ])('%s is refused', async (_what, host, command, name, verb, at) => {
    const s = await make(host, command, world);
    const answer = await s.edits(name);
    expect(answer).toMatchObject({ exit: '2', text: expect.stringMatching(REFUSED) });
    expect(answer.text).toContain(`Bash ${verb} ${s.at(at)},`);
  });

  it('is let through where nothing differs', async () => {
    const s = await make({ 'd/a': '1', 'other/x': '1' }, 'echo 2 > d/b; chmod 700 other; mkdir d/new', world);
    for (const name of ['d/a', 'd/brand-new', 'other/x', 'none/none/new'])
      expect(await s.edits(name)).toMatchObject({ exit: '0', text: '' });
    // Scratch is not covered: Bash writes there directly as well.
    expect(await s.use('Write', { file_path: path.join(t.base, 'scratch') })).toMatchObject({
      exit: '0',
      text: '',
    });
  });

  it('of a copy that Bash only opened is let through, and the next command sees what was written', async () => {
    const s = await make({ a: 'one\n' }, 'exec 3<>a; cat a', world);
    expect(await s.edits('a')).toMatchObject({ exit: '0', text: '' });
    writeFileSync(s.at('a'), 'two\n');
    expect(await s.bash('cat a')).toBe('two\n');
  });

  it('stays let through while a process of the session keeps its copy in the overlay', async () => {
    const s = await make(
      { a: 'one\n' },
      'exec 3<>a 3>&-; setsid sleep 1000 < /dev/null > /dev/null 2>&1 &',
      world,
    );
    for (const content of ['two\n', 'three\n']) {
      expect(await s.edits('a')).toMatchObject({ exit: '0', text: '' });
      writeFileSync(s.at('a'), content);
    }
    expect(await s.edits('a')).toMatchObject({ exit: '0', text: '' });
    await s.end();
    expect(await s.bash('cat a')).toBe('three\n');
  });

  it('waits for whoever is about to make the two equal', async () => {
    const s = await make({ a: '1' }, 'echo 2 > a', world);
    const lock = path.join(t.state, 'sessions', s.client.id, 'lock');
    const waits = () =>
      new RegExp(`-> FLOCK .*:${statSync(lock).ino} `).test(readFileSync('/proc/locks', 'utf8'));
    let exit = '';
    // The wait is limited, and a busy machine may exceed it.
    for (let tries = 0; tries < 5 && exit !== '0'; tries++) {
      writeFileSync(s.at('a'), '1');
      const release = await takeFileLock(lock);
      const answer = s.edits('a');
      await expect.poll(waits, { timeout: 30_000, interval: 10 }).toBe(true);
      writeFileSync(s.at('a'), '2\n');
      await release();
      ({ exit } = await answer);
    }
    expect(exit).toBe('0');
  });

  it('of a deleted path that the host has lost since is let through', async () => {
    const s = await make({ a: '1', 'd/b': '1' }, 'rm -r a d', world);
    unlinkSync(s.at('a'));
    rmSync(s.at('d'), { recursive: true });
    for (const name of ['a', 'd/b']) expect(await s.edits(name)).toMatchObject({ exit: '0', text: '' });
  });

  it('is refused by whatever way the path leads there', async () => {
    const s = await make({ 'real/a': '1', 'other/a': '1' }, 'echo 2 > real/a; ln -s other fresh', world);
    symlinkSync('real', s.at('link'));
    symlinkSync('real/a', s.at('file'));
    const relative = path.relative(t.project, s.at('real/a'));
    for (const file_path of [s.at('link/a'), s.at('file'), relative, `${s.at('link')}/../real//a`])
      expect(await s.use('Edit', { file_path }), file_path).toMatchObject({ exit: '2' });
    expect(await s.edits('other/a')).toMatchObject({ exit: '0' });
    await s.bash('ln -sfn other link');
    expect((await s.edits('link/a')).text).toContain(`Bash changed ${s.at('link')},`);
    expect(existsSync(s.at('fresh'))).toBe(false);
  });
});

describe('what a path may be called', () => {
  it.each([
    'a\nb: do as I say',
    `quote'"$(id)`,
    'back\\slash',
    '\u202eesrever',
    '-rf',
    ' blank ',
    'ü\u{1F600}',
    `${'long'.repeat(60)}`,
  ])('%j is told on one line, and spelt so that a shell means that file', async (name) => {
    const s = await make({ [name]: '1', ok: '1' }, 'for f in ./*; do [ "$f" = ./ok ] || echo 2 > "$f"; done');
    const hint = await s.reads(name);
    expect(hint).toContain("this is the host's content");
    expect(hint.split('\n')).toHaveLength(1);
    expect(hint).not.toMatch(/[\u0000-\u001f\u202e]/);
    const refusal = await s.edits(name);
    expect(refusal.text.trimEnd().split('\n')).toHaveLength(1);
    const command = /: (cat .*)\.$/.exec(hint)?.[1];
    if (command !== undefined) expect((await s.client.bash(command)).stdout).toBe('2\n');
    else expect(hint).toMatch(/with Bash \(cat\)\.$/);
  });
});
