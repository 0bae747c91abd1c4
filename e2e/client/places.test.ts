import { afterEach, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash } from './mock-api.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

test('the files that a client with a config directory of its own rewrites are neither listed nor committed', async () => {
  const written = ['CLAUDE.md', 'hooks/x.sh', 'projects/p/memory/M.md'];
  const own = ['projects/p/t.jsonl', 'history.jsonl', 'plugins/data/d', '.claude.json.tmp'];
  const bench = await Bench.open({
    scenarios: {
      config: [
        // By a name that the client does not recognise as its own directory, which it would ask about.
        bash(
          `cd "$(dirname "$PWD")"; for f in ${[...written, ...own].join(' ')}; do mkdir -p "con$(echo f)/$(dirname $f)"; echo x > "con$(echo f)/$f"; done`,
        ),
      ],
    },
  });
  open.push(bench);
  const dir = `${bench.home}/conf`;
  bench.write('conf/settings.json', JSON.stringify({ permissions: { allow: ['Bash'] } }));
  const run = await bench.claude('SCENARIO:config', { env: { CLAUDE_CONFIG_DIR: dir } });
  expect(run.results[0]?.error, run.results[0]?.text).toBe(false);
  // A terminal knows nothing of that directory.
  const trai = (words: string) => bench.sh(`"$0"/bin/trai ${words}`, { words: [bench.plugin ?? ''] });
  const changes = JSON.parse((await trai('diff --list --json')).out) as { path: string }[];
  const files = changes.map((change) => change.path.slice(dir.length + 1));
  expect(written.filter((name) => !files.includes(name))).toEqual([]);
  expect(own.filter((name) => files.includes(name))).toEqual([]);
  expect((await trai('commit --yes')).code).toBe(0);
  expect([...written, ...own].filter((name) => bench.read(`${dir}/${name}`) === 'x\n')).toEqual(written);
});
