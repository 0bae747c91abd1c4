import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../shared/log/events.ts';
import { base, decided, ended, started } from '../../../testing/log/events.ts';
import { SessionLog } from './session-log.ts';

const call = (id: string): LogEvent[] => [decided(id, ''), started(id), ended(id)];
const prompt = (text: string): LogEvent => ({ ...base(), t: 'prompt', claude: 'c', text, cut: 0 });

function read(timeline: SessionLog, events: LogEvent[], size: number, reset = false): void {
  timeline.take({ events, raw: [], size, reset });
}

describe('a timeline', () => {
  it('tells what is new since a place that it gave', () => {
    const timeline = new SessionLog('/nowhere');
    read(timeline, [prompt('one'), ...call('a')], 100);
    const first = timeline.timeline(0, null);
    expect(first).toMatchObject({ whole: true, calls: [{ id: 'a' }], marks: [{ text: 'one' }], size: 100 });
    read(timeline, call('b'), 150);
    expect(timeline.timeline(first.size, null)).toMatchObject({
      whole: false,
      calls: [{ id: 'b' }],
      marks: [],
    });
    expect(timeline.timeline(150, null)).toMatchObject({ whole: false, calls: [], marks: [] });
  });

  it('tells all of it for a place that it does not know', () => {
    const timeline = new SessionLog('/nowhere');
    read(timeline, call('a'), 100);
    expect(timeline.timeline(101, null)).toMatchObject({ whole: true, calls: [{ id: 'a' }] });
  });

  it('takes more lines at once than a call takes arguments', () => {
    const timeline = new SessionLog('/nowhere');
    const raw = Array.from({ length: 300_000 }, () => ({ raw: '', offset: 0, problem: 'not-json' as const }));
    timeline.take({ events: [], raw, size: 1, reset: false });
    expect(timeline.size).toBe(1);
  });

  it('tells all of a log that was put in the place of another one, however long it has become', () => {
    const timeline = new SessionLog('/nowhere');
    read(timeline, call('old'), 100);
    read(timeline, call('new'), 60, true);
    read(timeline, call('newer'), 300);
    expect(timeline.timeline(100, null)).toMatchObject({
      whole: true,
      calls: [{ id: 'new' }, { id: 'newer' }],
    });
    const { size } = timeline.timeline(0, null);
    expect(size).toBe(400);
    expect(timeline.timeline(size, null)).toMatchObject({ whole: false, calls: [] });
  });

  it('shows the line that has no end yet, and every line that could not be read', () => {
    const timeline = new SessionLog('/nowhere');
    const torn = { raw: '{"v":1', offset: 0, problem: 'torn' } as const;
    timeline.take({ events: [], raw: [torn], size: 10, reset: false });
    const pending = { raw: '{', offset: 10, problem: 'torn' } as const;
    expect(timeline.timeline(10, pending).raw).toEqual([torn, pending]);
  });
});
