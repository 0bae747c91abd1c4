import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { type ClaudeRun, parseRun } from './stream.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** Words that start a client from a Bash call; its stream goes to a file of the project. */
const inner = (bench: Bench, prompt: string, more = ''): string =>
  `'${bench.program}' -p '${prompt}' --plugin-dir '${bench.plugin}' --output-format stream-json --verbose ${more} > inner.jsonl; echo "inner ended with $?"`;

const MOUNTS = "grep -c ' - overlay trai:' /proc/self/mountinfo";

interface Nested {
  bench: Bench;
  outer: ClaudeRun;
  /** The client that was started inside. */
  inside: ClaudeRun;
}

/** A session whose one call starts another client, with another look at the mounts before and after. */
async function nested(
  prompt: string,
  options: { more?: string; before?: string; bench?: BenchOptions } = {},
): Promise<Nested> {
  let made: Bench | null = null;
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read'] } },
    scenarios: {
      outer: ({ step }) =>
        made === null
          ? null
          : ([
              bash(`sh -c "${MOUNTS}"`),
              bash((options.before ?? '') + inner(made, prompt, options.more)),
              bash('cat made-inside'),
            ][step] ?? null),
      inside: [
        bash('echo inside > made-inside; cd sub 2>/dev/null; pwd'),
        bash(`sh -c "${MOUNTS}"`),
        { tool: 'Write', input: { file_path: '$PROJECT/written-inside', content: 'by Write\n' } },
        bash('cat made-inside written-inside'),
      ],
    },
    ...options.bench,
  });
  made = bench;
  open.push(bench);
  const outer = await bench.claude('SCENARIO:outer');
  expect(outer.results[1]?.text).toContain('inner ended with');
  const out = (await bench.pending('inner.jsonl')) ?? '';
  return { bench, outer, inside: parseRun({ code: 0, out, err: '' }) };
}

/** What the client's SessionStart hooks told the user. */
function systemMessages(run: ClaudeRun): string[] {
  return run.out.split('\n').flatMap((line) => {
    const said = /"systemMessage\\?":\\?"((?:[^"\\]|\\.)*?)\\?"/.exec(line)?.[1];
    return line.includes('SessionStart') && said !== undefined ? [said] : [];
  });
}

test('a client that is started in a call runs in the sandbox of that session, with all its tools', async () => {
  const { bench, outer, inside } = await nested('SCENARIO:inside');
  expect(outer.results.map((result) => result.text)).toEqual([
    expect.stringMatching(/^[1-9]\d*$/),
    'inner ended with 0',
    'inside',
  ]);
  expect(inside.results.map((result) => result.text)).toEqual([
    bench.project,
    // No second overlay over the first.
    outer.results[0]?.text,
    expect.stringContaining('written-inside'),
    'inside\nby Write',
  ]);
  expect([bench.read('made-inside'), bench.read('written-inside')]).toEqual([null, null]);
  expect([await bench.pending('made-inside'), await bench.pending('written-inside')]).toEqual([
    'inside\n',
    'by Write\n',
  ]);
  expect(bench.sessions()).toEqual([outer.session]);
  expect(inside.session).not.toBe(outer.session);
  expect(systemMessages(inside)).toEqual([
    `trai: this client runs inside the sandbox of session ${outer.session}, which covers it: what it writes is pending there.`,
  ]);
});

test.each(['status', 'commit'])(
  '/trai:%s of such a client says where to type it, and does nothing',
  async (name) => {
    const { bench, outer, inside } = await nested(`/trai:${name}`, { before: 'echo 1 > one; ' });
    expect(outer.results[1]?.text).toBe('inner ended with 0');
    expect(inside.out).toContain(`Type /trai:${name} in the client of that session`);
    expect(inside.out).toContain(`trai ${name} --session ${outer.session}`);
    expect([bench.read('one'), await bench.pending('one')]).toEqual([null, '1\n']);
    expect(bench.log().filter((event) => event['t'] === 'commit' || event['t'] === 'grant')).toEqual([]);
  },
);

test('one that goes on with the conversation outside runs its calls, and the client outside goes on', async () => {
  const { outer, inside } = await nested('SCENARIO:inside', { more: '--resume "$CLAUDE_CODE_SESSION_ID"' });
  expect(inside.session).toBe(outer.session);
  expect(inside.results.at(-1)?.text).toBe('inside\nby Write');
  expect(outer.results.at(-1)?.text).toBe('inside');
});

test('one with another home is covered as well', async () => {
  const { bench, outer, inside } = await nested('SCENARIO:inside', {
    before: 'mkdir home; export HOME=$PWD/home; ',
    more: '--allowedTools Bash Write',
  });
  expect(inside.results.map((result) => result.text)).toEqual([
    bench.project,
    outer.results[0]?.text,
    expect.stringContaining('written-inside'),
    'inside\nby Write',
  ]);
  expect(systemMessages(inside)).toHaveLength(1);
  expect(await bench.pending('meta.json')).toBeNull();
});
