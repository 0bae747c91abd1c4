import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrant } from '../core/session/grants.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
  place.sh('echo 1 > one; mkdir d; echo 2 > d/two', 'earlier-session');
  place.sh('true', 'later');
});

const pending = (session: string): string[] => {
  const { out } = place.trai(['diff', '--list', '--session', session, '--json']);
  const changes: { path: string }[] = JSON.parse(out);
  return changes.map((change) => change.path.slice(place.project.length + 1));
};

describe('trai adopt', () => {
  it('moves the changes into the newest session of the project, or the one that is named', () => {
    expect(place.trai(['adopt', 'earlier-session'])).toEqual({
      rc: 0,
      out: 'Session later continues with 3 pending changes of session earlier-session.\n',
      err: '',
    });
    expect([pending('earlier-session'), pending('later')]).toEqual([[], ['d', 'd/two', 'one']]);
    expect(place.sh('cat one d/two', 'later').out).toBe('1\n2\n');
    const back = place.trai(['adopt', 'later', '--session', 'earlier-session', '--json']);
    expect(JSON.parse(back.out)).toEqual({ from: 'later', to: 'earlier-session', entries: 3 });
    expect(pending('earlier-session')).toHaveLength(3);
  });

  it('takes the beginning of an id, where only one begins so', () => {
    place.sh('true', 'early-bird');
    const many = place.trai(['adopt', 'ear', '--session', 'later']);
    expect(many).toMatchObject({ rc: 2, err: expect.stringContaining('2 sessions begin with ear') });
    expect(place.trai(['adopt', 'earli', '--session', 'later']).rc).toBe(0);
  });

  it.each<[string, string[], number, string]>([
    ['no session', ['adopt'], 2, 'expected the id of the session to continue'],
    ['one that is not there', ['adopt', 'nobody'], 1, 'there is no session nobody'],
    ['no id at all', ['adopt', '../x'], 2, 'expected the id of a session'],
    ['itself', ['adopt', 'later', '--session', 'later'], 2, 'cannot adopt its own changes'],
    [
      'one with nothing',
      ['adopt', 'later', '--session', 'earlier-session'],
      1,
      'has pending changes of its own',
    ],
  ])('of %s says what is wrong, and moves nothing', (_what, args, rc, err) => {
    expect(place.trai(args)).toMatchObject({ rc, err: expect.stringContaining(err) });
    expect(pending('earlier-session')).toHaveLength(3);
  });

  it('below a client wants a permit for just that, which names the session too', async () => {
    const below = { CLAUDECODE: '1', CLAUDE_PID: '1' };
    const line = ['adopt', '--from-prompt'];
    expect(place.trai(['adopt', 'earlier-session'], below)).toMatchObject({
      rc: 1,
      err: expect.stringContaining('only the user may adopt'),
    });
    expect(place.trai(line)).toMatchObject({
      rc: 1,
      err: expect.stringContaining('only the user may adopt'),
    });
    place.sh('true', 'third');
    const what = 'adopt earlier-session --session later';
    await openGrant(join(place.state, 'sessions/third'), { kind: 'permit', what });
    expect(place.trai(line, below)).toMatchObject({
      rc: 0,
      out: expect.stringContaining('Session later continues'),
    });
    expect(place.trai(line, below).rc).toBe(1);
    expect(pending('later')).toHaveLength(3);
  });
});
