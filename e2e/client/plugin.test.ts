import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { clone } from './marketplace.ts';
import { bash } from './mock-api.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open(options);
  open.push(bench);
  return bench;
}

test('the client finds nothing wrong with the manifests, in the repository and in the built plugin', async () => {
  const bench = await makeBench({ plugin: null });
  const dir = await clone(bench);
  for (const target of [dir, path.join(dir, 'dist/plugin')]) {
    const ran = await bench.exec([bench.program, 'plugin', 'validate', '--strict', target]);
    expect(ran, target).toMatchObject({ code: 0 });
    expect(ran.out).toContain('Validation passed');
  }
});

test.each(['a directory', 'a git repository'])(
  'added as a marketplace from %s and installed where npm fails, the plugin puts its line in place',
  async (kind) => {
    const bench = await makeBench({ plugin: null, scenarios: { one: [bash('true')] } });
    const dir = await clone(bench);
    const npm = bench.write('bin/npm', '#!/bin/sh\necho "$PWD" >> "$HOME/npm-was-called"\nexit 1\n');
    await bench.sh(`chmod 755 '${npm}'`);
    const env = { PATH: `${path.dirname(npm)}:${bench.env['PATH']}` };
    // The client takes only addresses of the web for git; git itself can be told where that is.
    const address = 'https://git.invalid/trai.git';
    bench.write('.gitconfig', `[url "file://${dir}"]\n  insteadOf = ${address}\n`);
    const source = kind === 'a directory' ? dir : address;
    for (const words of [
      ['marketplace', 'add', source],
      ['install', 'trai@trai'],
    ]) {
      const ran = await bench.exec([bench.program, 'plugin', ...words], { env });
      expect(ran, `${words[0]}: ${ran.out}${ran.err}`).toMatchObject({ code: 0 });
    }
    const run = await bench.claude('SCENARIO:one', { env });
    const file = path.join(bench.home, '.claude/session-env', run.session, 'sessionstart-hook-0.sh');
    // The end of the session has emptied the file; the record keeps what was in it.
    expect(readFileSync(file, 'utf8')).toBe('');
    const record = readFileSync(path.join(bench.state, 'claude-env', run.session), 'utf8');
    expect(record).toContain(`\n${file}\nif [ `);
    expect(existsSync(path.join(bench.state, 'bin/0.1.0/launch'))).toBe(true);
    expect(bench.read('../npm-was-called')).toBeNull();
    // The slash commands start it by its own path, with its run bit.
    const program = await bench.sh('"$(head -1 "$0"/sessions/*/programs)" --version', {
      words: [bench.state],
    });
    expect(program, program.err).toMatchObject({ code: 0, out: '0.1.0\n' });
  },
);
