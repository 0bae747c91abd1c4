import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../lib/root.ts';

const base = mkdtempSync(path.join(tmpdir(), 'trai-supervise-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('a signal ends a benchmark that is inside a long piece of work, and what it made is removed', async () => {
  const [tmp, cache] = [path.join(base, 'tmp'), path.join(base, 'cache')];
  for (const dir of [tmp, cache]) mkdirSync(dir);
  // It never comes back to its event loop.
  const busy = `console.log('busy', process.pid); require('fs').mkdirSync(process.env.TMPDIR + '/made'); for (;;);`;
  const file = path.join(ROOT, 'scripts/bench/supervise.ts');
  const script = `const { runnerImport } = await import('vite');
    const { module } = await runnerImport(${JSON.stringify(file)}, { root: ${JSON.stringify(ROOT)}, configFile: false });
    process.exit(await module.supervise([process.execPath, '-e', ${JSON.stringify(busy)}]));`;
  const { TRAI_BENCH_RUN: _, ...env } = process.env;
  const bench = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    env: { ...env, TMPDIR: tmp, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(bench, 'exit');
  try {
    const [said] = await once(bench.stdout, 'data');
    const pid = Number(/busy (\d+)/.exec(String(said))?.[1]);
    bench.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    await expect.poll(() => readdirSync('/proc').includes(String(pid))).toBe(false);
    await expect.poll(() => [...readdirSync(tmp), ...readdirSync(cache)]).toEqual([]);
  } finally {
    bench.kill('SIGKILL');
  }
});
