import { describe, expect, it } from 'vitest';
import { base, decided, ended, marksOf, started } from '../../testing/log/events.ts';
import type { LogEvent } from './events.ts';
import { LogFold } from './fold.ts';

const file = (request: string, outcome: 'asked' | 'written'): LogEvent => ({
  ...base(),
  t: 'file',
  request,
  claude: 'cl',
  agent: '',
  tool: 'Edit',
  path: '/p/a',
  outcome,
  text: '',
});
const commit = (n: number, state: 'started' | 'applied' | 'refused'): LogEvent => ({
  ...base(),
  t: 'commit',
  n,
  state,
  entries: 3,
  bytes: 9,
  conflicts: 0,
  text: '',
  auto: '',
});

const permission = (
  tool: string,
  decision: 'deny' | 'pass',
  by: 'rule' | 'built-in' | 'client',
): LogEvent => ({
  ...{ ...base(), t: 'permission', request: `${tool}${by}`, claude: 'cl', agent: '', tool, subject: 'x' },
  ...{ cut: 0, decision, by, rule: 'f deny[0]', hash: '', also: [], segment: '', why: 'no', ms: 1 },
});

describe('marks of the timeline', () => {
  it('has calls of other tools that a rule decided', () => {
    const events = [
      permission('WebFetch', 'deny', 'rule'),
      permission('WebFetch', 'pass', 'client'),
      permission('Skill', 'deny', 'built-in'),
      permission('Bash', 'deny', 'rule'),
    ];
    expect(marksOf(events)).toMatchObject([{ kind: 'tool', id: 'tool-WebFetchrule', why: 'no' }]);
  });

  it('are what belongs to no call, in the order of the log', () => {
    const events: LogEvent[] = [
      { ...base(), t: 'session', claude: 'cl', source: 'startup', cwd: '/p', plugin: '0.1.0' },
      { ...base(), t: 'prompt', claude: 'cl', text: 'add tests', cut: 12 },
      decided('c', ''),
      started('c'),
      ended('c'),
      file('r', 'written'),
      commit(1, 'applied'),
      { ...base(), t: 'discard', trash: 's.1', entries: 2, ended: [] },
      { ...base(), t: 'undo', what: 'discard', trash: 's.1', entries: 2 },
      {
        ...base(),
        t: 'commit.undone',
        n: 2,
        of: 1,
        redo: false,
        state: 'applied',
        entries: 3,
        bytes: 0,
        text: '',
      },
      { ...base(), t: 'adopt', from: 'a', to: 'b', entries: 4 },
      { ...base(), t: 'session.end', claude: 'cl', reason: 'exit' },
    ];
    expect(marksOf(events).map(({ id, kind }) => [id, kind])).toEqual([
      ['session-0', 'session'],
      ['prompt-1', 'prompt'],
      ['file-r', 'file'],
      ['commit-1', 'commit'],
      ['discard-4', 'discard'],
      ['undo-5', 'undo'],
      ['commit-2', 'undo'],
      ['adopt-7', 'adopt'],
      ['session-8', 'session'],
    ]);
  });

  it('say how a thing went on, at the time at which it began', () => {
    const events = [file('r', 'asked'), commit(1, 'started'), file('r', 'written'), commit(1, 'applied')];
    expect(marksOf(events)).toMatchObject([
      { id: 'file-r', at: events[0]?.at, outcome: 'written' },
      { id: 'commit-1', at: events[1]?.at, state: 'applied' },
    ]);
  });

  it('keep what was refused apart', () => {
    expect(marksOf([commit(0, 'refused'), commit(0, 'refused'), commit(1, 'applied')])).toHaveLength(3);
  });

  it('are handed out again when they changed', () => {
    const folder = new LogFold();
    folder.push(file('r', 'asked'), 10);
    folder.push(commit(1, 'applied'), 10);
    expect(folder.marks()).toHaveLength(2);
    expect(folder.marks(10)).toEqual([]);
    folder.push(file('r', 'written'), 20);
    expect(folder.marks(10)).toMatchObject([{ outcome: 'written' }]);
  });
});
