import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('after a batch', () => {
  it('the model learns why the client did not find a file that is pending', async () => {
    const s = await make({}, 'mkdir src; echo 1 > src/App.tsx');
    const file_path = s.at('src/App.tsx');
    expect(await s.batch({ tool_name: 'Edit', tool_input: { file_path } })).toBe(
      `trai: Bash created ${s.at('src')}, and that is pending: the file tools do not see it. Edit it with Bash (sed, a here-document, a script), or ask the user to commit it (/trai:commit).`,
    );
    expect(await s.batch({ tool_name: 'Read', tool_input: { file_path } })).toContain(`cat ${file_path}.`);
    expect(await s.uses()).toMatchObject([
      { tool: 'Edit', path: file_path, outcome: 'failed' },
      { tool: 'Read', path: file_path, outcome: 'failed' },
    ]);
  });

  it('so it does for a text that only the pending version has; paths may be relative', async () => {
    const s = await make({ a: '1' }, 'echo 2 > a');
    const file_path = path.relative(t.project, s.at('a'));
    expect(await s.batch({ tool_name: 'Edit', tool_input: { file_path } })).toMatch(
      /^trai: Bash changed .*\/a, and that is pending; .*with Bash/,
    );
  });

  it('nothing is said twice: what PreToolUse said, and a path that several calls name', async () => {
    const s = await make({ a: '1', b: '1' }, 'echo 2 > a; echo 2 > b');
    const read = { tool_name: 'Read', tool_input: { file_path: s.at('a') } };
    await s.send('PreToolUse', { ...read, tool_use_id: 'toolu_said' });
    expect(await s.batch({ ...read, request: 'toolu_said' })).toBe('');
    const edit = { tool_name: 'Edit', tool_input: { file_path: s.at('b') } };
    expect(
      (await s.batch(edit, edit, { tool_name: 'Bash', tool_input: { command: 'ls' } })).split('\n'),
    ).toHaveLength(1);
  });

  it('many paths are not all listed', async () => {
    const s = await make({}, 'for i in 1 2 3 4 5 6 7; do echo > $i; done');
    const all = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      tool_name: 'Edit',
      tool_input: { file_path: s.at(String(n)) },
    }));
    const lines = (await s.batch(...all)).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('trai: and so it is with 2 more.');
  });

  it('a call that has nothing to do with pending changes is not spoken of', async () => {
    const s = await make({ a: '1' }, 'echo 2 > b');
    for (const tool_name of ['Edit', 'Read', 'Write'])
      expect(await s.batch({ tool_name, tool_input: { file_path: s.at('a') } })).toBe('');
  });
});

describe.each(WORLDS)('a search on the host, answered by %s,', (world) => {
  const grep = async (s: Scene, input: object, more: object = {}) =>
    (await s.use('Grep', { pattern: 'x', ...input }, more)).hint;

  it('is told once how much it does not see, and again when that changed', async () => {
    const s = await make(
      { 'd/gone': '1', 'd/a': '1', 'e/a': '1' },
      'rm d/gone; echo 2 > d/new; mkdir d/empty',
      world,
    );
    const told = `trai: this searches the host. 2 pending entries below ${s.at('d')} can be found only with Bash (grep -rn, find).`;
    expect(await grep(s, { path: s.at('d') })).toBe(told);
    expect(await grep(s, { path: s.at('d') })).toBe('');
    expect(await grep(s, { path: s.at('e') })).toBe('');
    // A subagent has not read the model's hint.
    expect(await grep(s, { path: s.at('d') }, { agent_id: 'sub' })).toBe(told);
    await s.bash('echo 3 > d/new');
    expect(await grep(s, { path: s.at('d') })).toBe('');
    await s.bash('rm d/a');
    expect(await grep(s, { path: s.at('d') })).toContain('3 pending entries');
    await s.client.start('compact');
    expect(await grep(s, { path: s.at('d') })).toContain('3 pending entries');
  });

  it('looks at the directory that the tool would take', async () => {
    const s = await make({ 'd/a': '1' }, 'echo 2 > d/new; mkdir only; echo 3 > only/x', world);
    const hint = async (tool: string, input: object) => (await s.use(tool, input, { cwd: s.dir })).hint;
    expect(await hint('Glob', { pattern: `${s.at('d')}/**/*.ts` })).toContain(
      `1 pending entry below ${s.at('d')} `,
    );
    expect(await hint('Glob', { pattern: '*.ts' })).toContain(`2 pending entries below ${s.dir} `);
    expect(await hint('LS', { path: s.at('only') })).toMatch(
      /Bash created .*\/only, and that is pending: search the pending/,
    );
    expect(await hint('Grep', { pattern: 'x', path: '/proc' })).toBe('');
  });

  it('counts no further than it must', async () => {
    const s = await make({}, 'mkdir many; for i in {1..600}; do : > many/$i; done', world);
    expect(await grep(s, { path: s.dir })).toContain('More than 500 pending entries');
  });
});

it('a session that begins is told how file tools and Bash differ, and what is pending from earlier', async () => {
  const s = await make({ a: '1' }, 'echo 2 > a; mkdir app; echo 3 > app/b');
  const said = JSON.parse((await s.client.start('resume')).text).hookSpecificOutput.additionalContext;
  expect(said).toContain('The file tools (Read, Edit, Write, Grep, Glob) work on the host');
  const at = (name: string) => `${s.client.id}/${name}`;
  expect(said).toContain(
    `This session has 3 pending changes from earlier: ${at('a')}, ${at('app')}, ${at('app/b')}.`,
  );
});

describe('what is kept of it', () => {
  it('the log has every use: path, what became of it, what was told', async () => {
    const s = await make({ a: '1', b: '1' }, 'echo 2 > a');
    await s.reads('a');
    await s.reads('b');
    await s.edits('a');
    await s.edits('b');
    expect(await s.uses()).toMatchObject([
      { tool: 'Read', path: s.at('a'), outcome: 'asked', text: expect.stringContaining('Bash changed') },
      { tool: 'Read', path: s.at('b'), outcome: 'asked', text: '' },
      { tool: 'Edit', path: s.at('a'), outcome: 'refused', text: expect.stringContaining('Bash changed') },
      { tool: 'Edit', path: s.at('b'), outcome: 'asked', text: '' },
    ]);
  });

  it('so it has a use that trai refuses for its own files', async () => {
    const s = await make({}, 'true');
    await s.use('Read', { file_path: `${t.state}/server.json` });
    await s.use('Grep', { pattern: 'x', path: t.state });
    expect(await s.uses()).toMatchObject([
      { tool: 'Read', path: `${t.state}/server.json`, outcome: 'refused' },
      { tool: 'Grep', path: t.state, outcome: 'refused' },
    ]);
  });

  it('nothing is said in a session that is off, or before its first call', async () => {
    const fresh = new Scene(t);
    await fresh.client.start();
    expect(await fresh.edits('a')).toMatchObject({ exit: '0', text: '' });
    expect(await fresh.use('Grep', { pattern: 'x' })).toMatchObject({ exit: '0', text: '' });
    const s = await make({ a: '1' }, 'echo 2 > a');
    writeFileSync(path.join(t.state, `sessions/${s.client.id}/off`), 'turned off\n');
    expect(await s.edits('a')).toMatchObject({ exit: '0', text: '' });
    expect(await s.reads('a')).toBe('');
  });

  it('when the overlay can not be read, a Read goes on and a Write does not', async () => {
    const s = await make({ a: '1' }, 'echo 2 > a');
    const places = path.join(t.state, `sessions/${s.client.id}/overlay/places.json`);
    const before = readFileSync(places);
    writeFileSync(places, before.toString().replace(t.project, `${t.project}-other`));
    expect(await s.reads('a')).toBe('');
    expect(await s.edits('a')).toMatchObject({
      exit: '2',
      text: expect.stringContaining('could not be decided'),
    });
    writeFileSync(places, before);
    t.reported.length = 0;
  });
});
