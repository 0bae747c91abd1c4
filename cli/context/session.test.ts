import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionIdOfClaude } from '../../core/session/dirs.ts';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

it.each(['0b1c', 'an id / with blanks'])(
  'a client with the id %j gets the session it is attached to, not the newest',
  (claude) => {
    place.sh('echo 1 > f', 'own');
    place.sh('echo 2 > f', 'newest');
    mkdirSync(join(place.state, 'claude'), { recursive: true });
    writeFileSync(join(place.state, 'claude', sessionIdOfClaude(claude)), 'own\n');
    const status = (env: NodeJS.ProcessEnv) => place.trai(['status'], env).out;
    expect(status({})).toContain('session newest');
    expect(status({ CLAUDE_CODE_SESSION_ID: claude })).toContain('session own');
  },
);

it('a damaged attachment is an error: another session must not stand in', () => {
  place.sh('echo 1 > f', 'newest');
  writeFileSync(join(place.state, 'claude/0b1c'), '../x\n');
  expect(place.trai(['status'], { CLAUDE_CODE_SESSION_ID: '0b1c' })).toMatchObject({ rc: 1, out: '' });
});
