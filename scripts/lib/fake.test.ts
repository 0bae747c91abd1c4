import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

test('the page on recorded data leaves nothing behind when it is ended by a signal', async () => {
  const base = mkdtempSync(path.join(tmpdir(), 'trai-fake-test-'));
  const temporary = path.join(base, 'tmp');
  mkdirSync(temporary);
  const made = () => readdirSync(temporary).filter((name) => name.startsWith('trai-fake-'));
  const server = spawn(process.execPath, ['scripts/run.mjs', 'fake'], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(server, 'exit');
    await Promise.race([once(server.stdout, 'data'), ended]);
    expect(made()).toHaveLength(1);
    server.kill('SIGTERM');
    await ended;
    expect(made()).toEqual([]);
  } finally {
    server.kill('SIGKILL');
    rmSync(base, { recursive: true, force: true });
  }
});
