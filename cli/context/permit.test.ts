import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrant } from '../../core/session/grants.ts';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

describe('a slash command that names another session than the one it is typed in', () => {
  it.each(['commit', 'discard --yes', 'undo', 'passthrough'])(
    '%s does nothing, neither here nor there',
    async (line) => {
      place.sh('echo 1 > one', 'other');
      place.sh('echo 2 > two', 'own');
      const [name = ''] = line.split(' ');
      await openGrant(join(place.state, 'sessions/own'), { kind: 'permit', what: `${line} --session other` });
      expect(place.trai([name, '--from-prompt'])).toMatchObject({
        rc: 2,
        out: '',
        err: expect.stringContaining(`trai ${line} --session other`),
      });
      for (const session of ['other', 'own']) {
        const { out } = place.trai(['diff', '--list', '--session', session, '--json']);
        expect(JSON.parse(out)).toHaveLength(1);
      }
    },
  );

  it.each([
    [`commit one 'a b'`, `commit --session other one 'a b'`],
    ['discard --yes --call c1', 'discard --yes --call c1 --session other'],
    ['export --branch work', 'export --branch work --session other'],
  ])('%s is repeated with all that it was about, never as an order for everything', async (typed, line) => {
    place.sh('echo 1 > one', 'other');
    place.sh('echo 2 > two', 'own');
    const [name = ''] = typed.split(' ');
    await openGrant(join(place.state, 'sessions/own'), { kind: 'permit', what: `${typed} --session other` });
    const { rc, err } = place.trai([name, '--from-prompt']);
    expect(rc).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(`run in a terminal: trai ${line} `);
  });
});

describe('what is typed in the client, answered by the hook', () => {
  const reason = (said: { out: string; err: string }): string => {
    expect(said.err).toBe('');
    const answer = JSON.parse(said.out);
    expect(answer).toEqual({ decision: 'block', reason: expect.any(String) });
    return answer.reason;
  };
  const typed = async (line: string): Promise<string> => {
    await openGrant(join(place.state, 'sessions/own'), { kind: 'permit', what: line });
    return reason(place.trai([line.split(' ')[0] ?? '', '--from-prompt', '--answer']));
  };

  it('has what would stand on either stream, an error with what to type next', async () => {
    place.sh('echo 1 > one; echo 2 > "a b"', 'own');
    expect(await typed('discard')).toBe(
      'trai: this discards 2 added\nConfirm with --yes. You can undo it with: /trai:undo\nType it after /trai:discard and what you typed before.',
    );
    expect(await typed('commit nowhere')).toContain('\nSee: /trai:status');
    expect(await typed('commit --yse')).toContain('unknown option "--yse"');
    expect(await typed('rules add user')).toMatch(
      /\nUsage: \/trai:rules add SCOPE .*\nMore: \/trai:rules --help$/,
    );
    expect(await typed("commit 'a b'")).toMatch(/^Committed 1 change,/);
    expect(await typed('undo')).toContain('Commit it again with: /trai:undo --redo');
    expect(reason(place.trai(['commit', '--from-prompt', '--answer']))).toContain('only the user may commit');
    expect(place.trai(['diff', '--list']).out).toBe('  A a b\n  A one\n');
  });

  it.each([
    ['status --by-call', /sh -c/],
    ['diff --list', /^ {2}A one$/],
    ['diff one', /\+1/],
    ['log --last 1', /sandbox exit 0/],
  ])('%s goes by all that was typed', async (line, expected) => {
    place.sh('echo 1 > one', 'own');
    expect(await typed(line)).toMatch(expected);
  });

  it('a question for help does nothing else', async () => {
    place.sh('echo 1 > one', 'own');
    expect(await typed('commit --help')).toMatch(/nothing was done\nUsage: \S+commit /);
    expect(place.trai(['diff', '--list']).out).toBe('  A one\n');
  });

  it('is cut where the client would cut it, and says so', async () => {
    place.sh('for i in $(seq 400); do echo x > a-rather-long-name-of-a-file-$i; done', 'own');
    const long = await typed('diff --list');
    expect(long.length).toBeLessThan(10_000);
    expect(long).toMatch(/\n… \(cut; \/trai:ui shows all\)$/);
  });
});
