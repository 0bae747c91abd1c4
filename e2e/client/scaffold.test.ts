/** The commonest task: what Bash generates is edited, built, tested, committed to the host, edited there, and put into git. */
import { afterEach, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { edit, read, results, told } from './conversation.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** For several calls of npm on a busy machine. */
const PATIENCE_MS = 240_000;

/** What `npm create` would do, without a registry. */
const GENERATOR = `
import { mkdirSync, writeFileSync } from 'node:fs';
const dir = process.argv[2];
const files = {
  'package.json': JSON.stringify({ name: dir, type: 'module', scripts: { build: 'node build.mjs', test: 'node --test' } }),
  'build.mjs': "import { cpSync } from 'node:fs';\\ncpSync('src', 'dist', { recursive: true });\\n",
  'src/greet.js': "export const greet = () => 'hello';\\n",
  'greet.test.js': "import assert from 'node:assert';\\nimport test from 'node:test';\\nimport { greet } from './dist/greet.js';\\ntest('greets', () => assert.equal(greet(), process.env.WANT));\\n",
};
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dir + '/' + (name.includes('/') ? 'src' : ''), { recursive: true });
  writeFileSync(dir + '/' + name, text);
}
console.log('created ' + dir);
`;

test('scaffold, edit, build, test, commit to the host, edit again, build, commit to both', async () => {
  const check = (want: string) =>
    bash(`cd app && npm run build && WANT=${want} npm test; echo "status $?"; cd ..`);
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash', 'Read', 'Edit'] } },
    scenarios: {
      make: [
        bash('node ../create-app.mjs app'),
        edit('app/src/greet.js', 'hello', 'good morning'),
        bash("sed -i 's/hello/good-morning/' app/src/greet.js"),
        check('good-morning'),
        'the app is ready',
      ],
      go: [
        read('app/src/greet.js'),
        edit('app/src/greet.js', 'good-morning', 'good-evening'),
        check('good-evening'),
        'the app is better',
      ],
      git: [
        bash('git add app/src app/package.json app/build.mjs app/greet.test.js'),
        bash('git commit -qm "the app"'),
        'the app is in git',
      ],
    },
  });
  open.push(bench);
  bench.write('create-app.mjs', GENERATOR);
  await bench.sh('git init -q . && git config user.name t && git config user.email t@t');
  // The default mode asks a server of the vendor's, which a test has not.
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'acceptEdits'] });
  open.push(screen);
  await screen.ready();
  const commits = async (count: number): Promise<void> => {
    await screen.type('/trai:commit');
    const applied = () =>
      bench.log().filter((event) => event['t'] === 'commit' && event['state'] === 'applied');
    await bench.until(
      () => applied().length === count,
      () => screen.screen(),
    );
  };
  await screen.type('SCENARIO:make');
  await screen.sees('the app is ready', PATIENCE_MS);
  const [created, edited, , tested] = results(bench);
  expect(created).toBe('created app');
  expect(edited).toContain('File does not exist');
  expect(told(bench).join('\n')).toMatch(/Bash created .*\/app, and that is pending: .*Edit it with Bash/);
  expect(tested).toContain('status 0');
  expect(bench.read('app/package.json')).toBeNull();

  await commits(1);
  expect(bench.read('app/dist/greet.js')).toContain('good-morning');

  await screen.type('SCENARIO:go');
  await screen.sees('the app is better', PATIENCE_MS);
  const [, again, testedAgain] = results(bench).slice(4);
  expect(again).toContain('updated successfully');
  expect(bench.read('app/src/greet.js')).toContain('good-evening');
  expect(testedAgain).toContain('status 0');
  // What follows an Edit is not waited for by the client.
  const written = () => bench.log().some((event) => event['t'] === 'file' && event['outcome'] === 'written');
  await bench.until(written, () => JSON.stringify(bench.log()));

  await commits(2);
  await screen.type('SCENARIO:git');
  await screen.sees('the app is in git', PATIENCE_MS);
  expect((await bench.sh('git show --stat --format=%s HEAD')).out).toMatch(
    /^the app\n[\s\S]*greet\.js[\s\S]*4 files changed/,
  );
  expect((await bench.sh('git show HEAD:app/src/greet.js')).out).toContain('good-evening');
}, 900_000);
