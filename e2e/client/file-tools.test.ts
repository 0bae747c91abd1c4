/** Claude's own file tools beside pending changes: what the model reads of it on the real client, and what is not written. */
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { edit, read, told, tool, write } from './conversation.ts';
import { bash, type Reply } from './mock-api.ts';
import type { ClaudeRun } from './stream.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'NotebookEdit', 'Grep', 'Glob'];
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: TOOLS } }, ...options });
  open.push(bench);
  return bench;
}

/** One run of steps; `host` are the project's files before it. */
async function play(
  host: Readonly<Record<string, string>>,
  steps: readonly Reply[],
  args: readonly string[] = [],
): Promise<{ bench: Bench; run: ClaudeRun; texts: string[] }> {
  const bench = await makeBench({ scenarios: { play: steps } });
  for (const [name, content] of Object.entries(host)) bench.write(`project/${name}`, content);
  const run = await bench.claude('SCENARIO:play', { args });
  return { bench, run, texts: run.results.map((result) => result.text) };
}

describe('Read', () => {
  test('of a file with a pending version gives the host’s content and says so; other files pass in silence', async () => {
    const { bench, texts } = await play({ 'a.txt': 'host\n', 'b.txt': 'same\n', 'gone.txt': 'here\n' }, [
      bash('echo pending > a.txt; chmod 600 b.txt; rm gone.txt'),
      read('b.txt'),
      read('a.txt'),
      read('gone.txt'),
    ]);
    expect(texts[2]).toContain('host');
    const file = path.join(bench.project, 'a.txt');
    expect(told(bench)).toEqual([
      expect.stringContaining(
        `PreToolUse:Read hook additional context: trai: this is the host's content of ${file}. Bash changed ${file}, and that is pending. Read the pending version with Bash: cat ${file}.`,
      ),
      expect.stringMatching(/host's content of .*gone\.txt\. Bash deleted .*commands no longer see it\./),
    ]);
  });

  test('of a file that is only pending fails, and the model learns once why, and how to read it', async () => {
    const { bench, run } = await play({}, [
      bash('mkdir src; echo 1 > src/new.txt'),
      read('src/new.txt'),
      read('src/none.txt'),
    ]);
    expect(run.results.map((result) => result.error)).toEqual([false, true, true]);
    const file = path.join(bench.project, 'src/new.txt');
    expect(told(bench)).toEqual([expect.stringContaining(`with Bash: cat ${file}.`)]);
  });
});

describe('Edit and Write', () => {
  test.each<[string, Record<string, string>, string, readonly Reply[], string]>([
    [
      'a changed file',
      { 'a.txt': 'one\n' },
      'echo two > a.txt',
      [read('a.txt'), edit('a.txt', 'one', 'three')],
      'changed',
    ],
    // The copy in the overlay would go on hiding what is written on the host.
    [
      'a file of another mode',
      { 'a.txt': 'one\n' },
      'chmod 600 a.txt',
      [read('a.txt'), edit('a.txt', 'one', 'three')],
      'changed the permissions or the owner of',
    ],
    [
      'a changed file, whole',
      { 'a.txt': 'one\n' },
      'echo two > a.txt',
      [read('a.txt'), write('a.txt', 'three\n')],
      'changed',
    ],
    [
      'a deleted file',
      { 'a.txt': 'one\n' },
      'rm a.txt',
      [read('a.txt'), edit('a.txt', 'one', 'three')],
      'deleted',
    ],
    [
      'a file below a deleted directory',
      { 'd/a.txt': '1\n' },
      'rm -r d',
      [write('d/b.txt', 'new\n')],
      'deleted',
    ],
    [
      'a directory that was made again',
      { 'd/a.txt': '1\n' },
      'rm -r d; mkdir d',
      [write('d/b.txt', 'new\n')],
      'replaced',
    ],
    ['a file that only Bash has', {}, 'echo 1 > b.txt', [write('b.txt', 'two\n')], 'created'],
    [
      'a directory that only Bash has',
      {},
      'mkdir -p app/src; : > app/x',
      [write('app/src/b.txt', 'new\n')],
      'created',
    ],
    ['a name for which Bash has a file', {}, ': > app', [write('app/b.txt', 'new\n')], 'created'],
    ['what Bash would make an Edit of', {}, 'mkdir app', [edit('app/b.txt', '', 'new\n')], 'created'],
  ])(
    '%s is not written on the host, and the model learns the way out',
    async (_what, host, command, steps, verb) => {
      const { bench, run } = await play(host, [bash(command), ...steps]);
      const last = run.results.at(-1);
      expect(last?.error).toBe(true);
      expect(last?.text).toMatch(new RegExp(`trai: Bash ${verb} .*pending.*with Bash.*/trai:commit`));
      for (const name of ['a.txt', 'd/a.txt', 'd/b.txt', 'b.txt', 'app', 'app/src/b.txt', 'app/b.txt'])
        expect(bench.read(name), name).toBe(host[name] ?? null);
      const uses = bench.log().filter((event) => event['t'] === 'file');
      expect(uses.at(-1)).toMatchObject({ outcome: 'refused' });
    },
  );

  test('a notebook with a pending version is not written either', async () => {
    const cell = {
      cell_type: 'code',
      id: 'c1',
      source: 'one',
      metadata: {},
      outputs: [],
      execution_count: null,
    };
    const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    const { bench, run } = await play(
      { 'n.ipynb': notebook },
      [
        bash('sed -i s/one/two/ n.ipynb'),
        read('n.ipynb'),
        tool('NotebookEdit', 'n.ipynb', { cell_id: 'c1', new_source: 'three' }),
      ],
      ['--tools', TOOLS.join(',')],
    );
    expect(run.results.at(-1)?.text).toMatch(/trai: Bash changed .*n\.ipynb/);
    expect(bench.read('n.ipynb')).toBe(notebook);
  });

  test('an Edit that the client ends by itself is explained after the batch', async () => {
    const { bench, run } = await play({ 'old.txt': 'one\n' }, [
      bash('mkdir src; echo 1 > src/App.tsx; echo two > old.txt'),
      edit('src/App.tsx', '1', '2'),
      read('old.txt'),
      edit('old.txt', 'two', 'three'),
    ]);
    expect(run.results.map((result) => result.error)).toEqual([false, true, false, true]);
    const [missed, hint, absent] = told(bench);
    expect(missed).toMatch(
      /PostToolBatch hook additional context: trai: .*Bash created .*\/src, and that is pending.*Edit it with Bash.*ask the user to commit/,
    );
    expect(hint).toContain("this is the host's content");
    expect(absent).toMatch(/PostToolBatch hook .*Bash changed .*old\.txt, and that is pending/);
    expect(told(bench)).toHaveLength(3);
  });

  test('go through where nothing is pending, and where Bash only opened the file; Bash sees what they wrote', async () => {
    const { bench, run, texts } = await play({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'd/c.txt': '1\n' }, [
      bash('exec 3<>a.txt; echo 2 > d/new.txt'),
      read('a.txt'),
      edit('a.txt', 'one', 'two'),
      read('b.txt'),
      edit('b.txt', 'one', 'two'),
      write('d/mine.txt', 'mine\n'),
      write('fresh/deep/own.txt', 'own\n'),
      bash('cat a.txt b.txt d/mine.txt d/new.txt fresh/deep/own.txt'),
    ]);
    expect(run.results.filter((result) => result.error)).toEqual([]);
    expect(texts.at(-1)).toBe('two\ntwo\nmine\n2\nown');
    expect([bench.read('a.txt'), bench.read('d/mine.txt')]).toEqual(['two\n', 'mine\n']);
    expect(told(bench)).toEqual([]);
    const uses = bench.log().filter((event) => event['t'] === 'file' && event['outcome'] === 'asked');
    expect(uses.map((event) => event['tool'])).toEqual(['Read', 'Edit', 'Read', 'Edit', 'Write', 'Write']);
  });

  test('without a server it is the same', async () => {
    const bench = await makeBench({
      scenarios: {
        node: [
          bash('echo two > a.txt; mkdir src; echo 1 > src/b.txt'),
          read('a.txt'),
          edit('a.txt', 'one', 'three'),
          edit('src/b.txt', '1', '2'),
        ],
      },
    });
    bench.write('.config/trai/config.json', '{"server":{"autostart":false}}');
    bench.write('project/a.txt', 'one\n');
    const run = await bench.claude('SCENARIO:node');
    expect(run.results[2]?.text).toContain('trai: Bash changed');
    expect(bench.read('a.txt')).toBe('one\n');
    expect(told(bench)).toEqual([
      expect.stringContaining("this is the host's content"),
      expect.stringContaining('and that is pending: the file tools do not see it'),
    ]);
  });

  test('a subagent is told and refused like the model itself', async () => {
    const heard = (text: string) =>
      bench.api.requests.some((request) => JSON.stringify(request.messages).includes(text));
    const agent = { description: 'an agent', prompt: 'SCENARIO:sub', subagent_type: 'general-purpose' };
    const bench = await makeBench({
      settings: { permissions: { allow: [...TOOLS, 'Agent'] } },
      scenarios: {
        main: async ({ step }) => {
          // Agents work in the background, and -p leaves when the conversation ends.
          if (step === 2) await bench.until(() => heard('the agent is done'));
          return [bash('echo two > a.txt'), { tool: 'Agent', input: agent }][step] ?? null;
        },
        sub: ({ step }) =>
          [read('a.txt'), edit('a.txt', 'one', 'three'), bash('echo the agent is done')][step] ?? null,
      },
    });
    bench.write('project/a.txt', 'one\n');
    await bench.claude('SCENARIO:main');
    expect(heard("PreToolUse:Read hook additional context: trai: this is the host's content of")).toBe(true);
    expect(
      heard(`trai: Bash changed ${path.join(bench.project, 'a.txt')}, and that is pending: the file tools`),
    ).toBe(true);
    expect(bench.read('a.txt')).toBe('one\n');
    const uses = bench.log().filter((event) => event['t'] === 'file');
    expect(uses.map((event) => [event['tool'], event['outcome'], event['agent'] !== ''])).toEqual([
      ['Read', 'asked', true],
      ['Edit', 'refused', true],
    ]);
  });

  test('through a link, the file is looked at that the tool would write', async () => {
    const bench = await makeBench({
      scenarios: {
        link: [bash('echo two > real/a.txt'), read('link/a.txt'), edit('link/a.txt', 'one', 'three')],
      },
    });
    bench.write('project/real/a.txt', 'one\n');
    await bench.sh('ln -s real link');
    const run = await bench.claude('SCENARIO:link');
    expect(run.results.at(-1)?.text).toMatch(/trai: Bash changed .*\/real\/a\.txt/);
    expect(bench.read('real/a.txt')).toBe('one\n');
  });
});

test('Grep and Glob, where the client has them, say once what they do not see', async () => {
  const grep = { tool: 'Grep', input: { pattern: 'needle', path: '$PROJECT/d' } };
  const { bench } = await play(
    { 'd/a.txt': 'needle\n' },
    [
      grep,
      bash('echo needle > d/b.txt; echo needle > d/c.txt'),
      grep,
      grep,
      { tool: 'Glob', input: { pattern: '**/*.txt', path: '$PROJECT/d' } },
      bash('rm d/c.txt'),
      grep,
    ],
    ['--tools', TOOLS.join(',')],
  );
  const dir = path.join(bench.project, 'd');
  expect(told(bench)).toEqual([
    expect.stringMatching(
      new RegExp(`PreToolUse:Grep .*this searches the host\\. 2 pending entries below ${dir} `),
    ),
    expect.stringMatching(
      new RegExp(`PreToolUse:Grep .*this searches the host\\. 1 pending entry below ${dir} `),
    ),
  ]);
});
