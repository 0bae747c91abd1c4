/** A dev server that Claude started in the background reloads on Claude's edits and on the user's own. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash } from './mock-api.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});

/** The bench has a network of its own. */
const PORT = 5173;
const vite = pathToFileURL(
  path.join(path.dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'dist/node/index.js'),
);

/** The dev server, and a page that is open on it: it loads the modules and writes down what it is told. */
const DEV = `
import fs from 'node:fs';
import { createServer } from '${vite}';
const say = (text) => fs.appendFileSync('told.log', text + '\\n');
const server = await createServer({ root: process.cwd(), configFile: false, logLevel: 'error', cacheDir: '.vite', optimizeDeps: { noDiscovery: true },
  server: { host: '127.0.0.1', port: ${PORT}, strictPort: true } });
await server.listen();
const load = async () => {
  for (const name of ['main.js', 'dep.js']) {
    const text = await (await fetch('http://127.0.0.1:${PORT}/src/' + name + '?t=' + Date.now())).text();
    say(name + ' is ' + (/"(said .*?)"/.exec(text)?.[1] ?? 'something'));
  }
};
const page = new WebSocket('ws://127.0.0.1:${PORT}/', 'vite-hmr');
page.onmessage = async ({ data }) => {
  const message = JSON.parse(data);
  if (message.type !== 'connected') say('told ' + message.type);
  await load();
  if (message.type === 'connected') say('ready');
};
`;

test('vite tells its page of an Edit by Claude, and of the user’s own edit on the host', async () => {
  const wait = (text: string) =>
    `for i in $(seq 600); do grep -q '${text}' told.log && break; sleep 0.1; done`;
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash', 'Read', 'Edit'] } },
    scenarios: {
      dev: [
        bash(
          `setsid nohup ${process.execPath} --experimental-websocket dev.mjs > dev.log 2>&1 < /dev/null & ${wait('ready')}; cat told.log dev.log`,
        ),
        { tool: 'Read', input: { file_path: '$PROJECT/src/dep.js' } },
        {
          tool: 'Edit',
          input: { file_path: '$PROJECT/src/dep.js', old_string: 'said first', new_string: 'said second' },
        },
        bash(`${wait('dep.js is said second')}; cat told.log src/dep.js`),
      ],
    },
  });
  open.push(bench);
  bench.write('project/package.json', '{"type":"module"}');
  bench.write('project/dev.mjs', DEV);
  bench.write('project/index.html', '<script type="module" src="/src/main.js"></script>');
  bench.write(
    'project/src/main.js',
    "import { text } from './dep.js';\nconsole.log(text);\nimport.meta.hot.accept();\n",
  );
  const dep = (word: string) => `export const text = "said ${word}";\n`;
  bench.write('project/src/dep.js', dep('first'));

  const run = await bench.claude('SCENARIO:dev');
  const texts = run.results.map((result) => result.text);
  expect(texts[0]).toContain('dep.js is said first\nready');
  expect(texts[3]).toMatch(/told (update|full-reload)[\s\S]*dep\.js is said second/);
  expect(bench.read('src/dep.js')).toBe(dep('second'));
  const told = async () => (await bench.pending('told.log')) ?? '';
  const before = await told();

  // The client has gone, the dev server runs on.
  bench.write('project/src/dep.js', dep('third'));
  await bench.until(async () => (await told()).includes('dep.js is said third'));
  expect((await told()).slice(before.length)).toMatch(/told (update|full-reload)/);

  // What they saw again is no change of theirs, and goes when the dev server has.
  expect(await bench.pending('dep.js')).toBe(dep('third'));
  const status = async () =>
    JSON.parse((await bench.sh(`"$0/bin/trai" status --json`, { words: [bench.plugin ?? ''] })).out);
  const { counts, conflicts, processes } = await status();
  expect([counts.modified, counts.replaced, counts.meta, conflicts]).toEqual([0, 0, 0, 0]);
  await bench.sh(`kill ${processes.map((one: { pid: number }) => one.pid).join(' ')}`);
  await bench.until(async () => (await bench.pending('dep.js')) === null);
  expect((await status()).counts).toMatchObject({ modified: 0, deleted: 0, replaced: 0, meta: 0 });
});
