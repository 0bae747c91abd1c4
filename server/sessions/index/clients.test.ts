import { expect, test } from 'vitest';
import type { LogEvent } from '../../../shared/log/events.ts';
import { SessionFold } from './session-log.ts';

const base = { v: 1, at: '2026-01-01T00:00:00.000Z' } as const;
const began = (claude: string, source: 'startup' | 'clear' | 'exec' = 'startup'): LogEvent => ({
  ...base,
  t: 'session',
  claude,
  source,
  cwd: '/p',
  plugin: '0',
});
const left = (claude: string, reason = 'other'): LogEvent => ({ ...base, t: 'session.end', claude, reason });

test.each<[string, LogEvent[], boolean]>([
  ['never had a client', [began('', 'exec')], false],
  ['has one', [began('a')], false],
  ['was left', [began('a'), left('a')], true],
  ['goes on after /clear', [began('a'), left('a', 'clear'), began('b', 'clear')], false],
  ['was left after /clear', [began('a'), left('a', 'clear'), began('b', 'clear'), left('b')], true],
  ['has a second one', [began('a'), began('b'), left('a')], false],
  ['was resumed', [began('a'), left('a'), began('a')], false],
])('a session that %s', (_name, events, ended) => {
  const fold = new SessionFold();
  for (const event of events) fold.push(event);
  expect(fold.ended).toBe(ended ? base.at : null);
});
