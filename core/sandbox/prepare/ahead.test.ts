import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import { draftAhead, draftOf, type PlanRequest, takeAhead } from './draft.ts';

const base = mkdtempSync(join(tmpdir(), 'trai-ahead-'));
const request: PlanRequest = {
  stateDir: join(base, 'state'),
  sessionDir: join(base, 'state/sessions/s1'),
  session: 's1',
  projectRoot: fromText(base),
  // What other tests make and remove meanwhile is in no plan.
  config: { ...DEFAULT_CONFIG, scratch: ['/'] },
  home: fromText(base),
  mountinfo: '22 1 8:1 / / rw - ext4 /dev/sda1 rw\n',
  environ: '',
  unixSockets: () => '',
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
};

const now = performance.now();
beforeEach(() => {
  // However long it takes.
  vi.spyOn(performance, 'now').mockReturnValue(now);
});
afterEach(() => {
  vi.restoreAllMocks();
  takeAhead(request);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('a draft made ahead is that of one call', () => {
  draftAhead(request);
  expect(takeAhead(request)?.draft).toEqual(draftOf(request));
  expect(takeAhead(request)).toBeNull();
});

it('one drafted before its session was made is that of the session’s first call', () => {
  const { sessionDir: _, ...before } = request;
  draftAhead(before);
  expect(takeAhead(request)).toBeNull();
  draftAhead(before);
  expect(takeAhead(request, true)?.draft).toEqual(draftOf(request));
});

it.each<[string, Partial<PlanRequest>]>([
  ['mounts', { mountinfo: `${request.mountinfo}999 1 0:99 / /mnt rw - tmpfs none rw\n` }],
  ['config', { config: { ...DEFAULT_CONFIG, scratch: ['/tmp'] } }],
  ['project', { projectRoot: '/usr' as BytePath }],
  ['session', { sessionDir: join(base, 'state/sessions/s2') }],
])('a draft made ahead is none for a call with another %s', (_, other) => {
  draftAhead(request);
  expect(takeAhead({ ...request, ...other })).toBeNull();
});

it('a draft made ahead is none for a call that comes later', () => {
  draftAhead(request);
  vi.spyOn(performance, 'now').mockReturnValue(now + 101);
  expect(takeAhead(request)).toBeNull();
});
