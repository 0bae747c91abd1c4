import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closed, decided, ended, failed, outcome, requested, started } from '../../testing/log/events.ts';
import type { CallState } from './calls.ts';
import type { LogEvent } from './events.ts';
import { foldLog } from './fold.ts';

const CAUGHT = { unsandboxed: true };
const NOTHING_RAN = { ok: false, head: 'Exit code 125\ntrai: no launcher. Nothing of the command was run.' };

const STATES: [string, LogEvent[], CallState][] = [
  ['asked for', [requested('r')], 'requested'],
  ['refused by the hook', [requested('r', 'refuse')], 'refused'],
  ['refused by the hook, denial reported', [requested('r', 'refuse'), closed('', 'r', 'not-run')], 'refused'],
  ['decided, not yet started', [requested('r'), decided('c', 'r')], 'requested'],
  ['running', [requested('r'), decided('c', 'r'), started('c')], 'running'],
  [
    'moved to the background',
    [requested('r'), decided('c', 'r'), started('c'), outcome('r', { background: 'b1' })],
    'running',
  ],
  ['ended', [requested('r'), decided('c', 'r'), started('c'), ended('c'), outcome('r')], 'ended'],
  [
    'ended by Esc, without a Post event',
    [requested('r'), decided('c', 'r'), started('c'), ended('c', 143)],
    'ended',
  ],
  [
    'not entered, with its failure reported',
    [requested('r'), decided('c', 'r'), failed('c'), outcome('r', { ok: false })],
    'not-entered',
  ],
  [
    'refused by the launcher, with its failure reported',
    [requested('r'), decided('c', 'r', 'refuse'), outcome('r', { ok: false })],
    'refused',
  ],
  ['denied by the user', [requested('r'), closed('', 'r', 'not-run')], 'not-run'],
  [
    'its launcher killed',
    [requested('r'), decided('c', 'r'), started('c'), closed('c', 'r', 'launcher-gone')],
    'lost',
  ],
  [
    'its launcher killed before the start',
    [requested('r'), decided('c', 'r'), closed('c', 'r', 'launcher-gone')],
    'lost',
  ],
  [
    'closed too early',
    [requested('r'), closed('', 'r', 'not-run'), decided('c', 'r'), started('c')],
    'running',
  ],
  ['never decided, but it ran', [requested('r'), outcome('r', CAUGHT)], 'unsandboxed'],
  ['never decided, but it failed', [requested('r'), outcome('r', { ...CAUGHT, ok: false })], 'unsandboxed'],
  [
    'wanted on the host, never decided',
    [requested('r', 'host', 'passthrough'), outcome('r', CAUGHT)],
    'unsandboxed',
  ],
  ['refused by the hook, but it ran', [requested('r', 'refuse'), outcome('r', CAUGHT)], 'unsandboxed'],
  [
    'closed as not run, but it ran',
    [requested('r'), closed('', 'r', 'not-run'), outcome('r', CAUGHT)],
    'unsandboxed',
  ],
  ['seen by no hook and no launcher before its end', [outcome('r', CAUGHT)], 'unsandboxed'],
  [
    'decided for the sandbox, never started, but it ran',
    [requested('r'), decided('c', 'r'), outcome('r')],
    'unsandboxed',
  ],
  [
    'the same, failed',
    [requested('r'), decided('c', 'r'), outcome('r', { ok: false, head: 'Exit code 125' })],
    'unsandboxed',
  ],
  [
    'stopped by the user between decision and start',
    [requested('r'), decided('c', 'r'), outcome('r', { ok: false, interrupted: true })],
    'not-run',
  ],
  [
    'a launcher that could not even log',
    [requested('r'), decided('c', 'r'), outcome('r', NOTHING_RAN)],
    'not-entered',
  ],
  ['an env line that found no launcher', [requested('r'), outcome('r', NOTHING_RAN)], 'not-entered'],
  [
    'flagged, but the launcher had started it',
    [requested('r'), decided('c', 'r'), started('c'), ended('c'), outcome('r', CAUGHT)],
    'ended',
  ],
  ['claimed by text that matched no request, as the server knows', [requested('r'), outcome('r')], 'ended'],
  [
    'run on the host by decision',
    [requested('r'), decided('c', 'r', 'host'), started('c', 'host'), ended('c'), outcome('r')],
    'ended',
  ],
  ['run with the sandbox turned off', [requested('r', 'host', 'session-off'), outcome('r')], 'ended'],
];

describe('the state of a call', () => {
  it.each(STATES)('%s', (_name, events, state) => {
    expect(
      foldLog(events)
        .views()
        .map((view) => view.state),
    ).toEqual([state]);
  });

  it.each(STATES)('does not depend on the order in which hooks and launcher wrote: %s', (_name, events) => {
    const expected = foldLog(events).views();
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        expect(foldLog(shuffled).views()).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
