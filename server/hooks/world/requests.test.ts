import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type OpenCall, RequestFiles } from './requests.ts';

const OPEN: OpenCall = {
  request: 'toolu_1',
  claude: 'c',
  tool: 'Bash',
  command: 'true',
  cwd: '/',
  at: '2026-11-29T00:00:00.000Z',
  call: '',
  mode: '',
  asked: false,
  sandboxed: false,
};
let dir: string;
let requests: RequestFiles;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-t-'));
  requests = new RequestFiles(dir);
  requests.open.save(OPEN);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('gives a request to one call', () => {
  const taken = { ...OPEN, call: 'one' };
  expect(requests.take(taken)).toBe(true);
  expect(requests.take({ ...OPEN, call: 'two' })).toBe(false);
  expect([requests.open.find('toolu_1'), requests.open.all()]).toEqual([taken, [taken]]);
  requests.close('toolu_1');
  expect([requests.open.find('toolu_1'), requests.open.all()]).toEqual([null, []]);
});

it.each([
  ['an older server', 'one'],
  ['a kill', ''],
])('has a request where %s left the file of its taker without it', (_, text) => {
  writeFileSync(join(dir, 'requests/taken.toolu_1'), text);
  expect([requests.take({ ...OPEN, call: 'two' }), requests.open.find('toolu_1')]).toEqual([false, OPEN]);
});

it('has none that a kill left half closed', () => {
  requests.take({ ...OPEN, call: 'one' });
  rmSync(join(dir, 'requests/open.toolu_1'));
  expect([requests.open.find('toolu_1'), requests.open.all()]).toEqual([null, []]);
});
