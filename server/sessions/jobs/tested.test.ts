import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DirectRunner } from '../../../testing/server/direct-runner.ts';
import { noChanges } from '../index/session-list.ts';
import { WatchedSession } from '../index/watched-session.ts';
import { testedOf } from './tested.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'trai-tested-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function offered(projectRoot: string): string | null {
  const parts = { dir: base, runner: new DirectRunner(), context: async () => null, now: () => 0 };
  const session = new WatchedSession({ id: 's', ...parts });
  const { list } = noChanges('s');
  return testedOf({ session, env: { HOME: base }, projectRoot }, list.counts, list).line;
}

it.each([
  [{ 'package.json': '{"scripts": {"test": "vitest"}}' }, 'npm test'],
  [{ 'package.json': '{"scripts": {"test": "vitest"}}', 'yarn.lock': '' }, 'yarn test'],
  [{ 'package.json': '{}', 'Makefile': 'all:\ncheck: all\n' }, 'make check'],
  [{ 'Makefile': 'check:\n', 'go.mod': '' }, 'go test ./...'],
])('%j: it offers %s', (files, command) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(base, name), text);
  expect(offered(base)).toContain(command);
});

it('offers nothing where nothing is known, and waits for no FIFO', () => {
  execFileSync(
    'mkfifo',
    ['Makefile', 'package.json'].map((name) => path.join(base, name)),
  );
  expect(offered(base)).toBeNull();
});
