import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import { draftAhead, draftOf, type PlanRequest, takeAhead } from './draft.ts';

const base = mkdtempSync(join(tmpdir(), 'trai-ahead-'));
const request: PlanRequest = {
  stateDir: join(base, 'state'),
  sessionDir: join(base, 'state/sessions/s1'),
  session: 's1',
  projectRoot: fromText(base),
  config: DEFAULT_CONFIG,
  home: '/' as BytePath,
  mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
  environ: '',
  unixSockets: () => '',
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
};

afterEach(() => {
  vi.restoreAllMocks();
  takeAhead(request);
  rmSync(base, { recursive: true, force: true });
});

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
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 101);
  expect(takeAhead(request)).toBeNull();
});
