/** An editor that saves a rule file while trai writes beside it, or in the moment after trai has replaced it. */
import { openSync, readdirSync, readFileSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { plainFacts } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { addRule } from './edit.ts';

type Fs = typeof import('node:fs');

vi.mock('node:fs', async (original) => {
  const real = await original<Fs>();
  return { ...real, openSync: vi.fn(real.openSync), renameSync: vi.fn(real.renameSync) };
});

let place: RulesPlace;
let real: Fs;
beforeEach(async () => {
  place = new RulesPlace();
  real = await vi.importActual<Fs>('node:fs');
});
afterEach(() => {
  vi.mocked(openSync).mockImplementation(real.openSync);
  vi.mocked(renameSync).mockImplementation(real.renameSync);
  place.remove();
});

const BEFORE = { version: 2, allow: [{ tool: '^A$' }] };
const add = () => {
  const edit = { request: place.request(), facts: plainFacts(), scope: 'user' } as const;
  return addRule(edit, 'deny', { tool: '^B$' });
};

it.each([BEFORE, null])('what it saves right behind is kept; before it %j', async (before) => {
  if (before !== null) place.put(place.user, before);
  let saves = 0;
  vi.mocked(renameSync).mockImplementation((from, to) => {
    real.renameSync(from, to);
    if (String(to) === place.user && ++saves === 1) place.put(place.user, 'of the editor');
  });
  await add().catch(() => {});
  expect(readFileSync(place.user, 'utf8')).toBe('of the editor');
});

it('a link that appears where there was no file is kept', async () => {
  vi.mocked(openSync).mockImplementation((file, ...more) => {
    const opened = real.openSync(file, ...more);
    if (more[0] === 'wx') symlinkSync('/elsewhere/rules.json', place.user);
    return opened;
  });
  await expect(add()).rejects.toMatchObject({ code: 'stale-revision' });
  expect(readlinkSync(place.user)).toBe('/elsewhere/rules.json');
  expect(readdirSync(dirname(place.user))).toEqual(['rules.json']);
});

it('content that is replaced between two looks is not taken for what was seen', async () => {
  place.put(place.user, BEFORE);
  let looks = 0;
  vi.mocked(openSync).mockImplementation((file, ...more) => {
    if (String(file) === place.user && ++looks === 2) place.put(place.user, '{"version":');
    return real.openSync(file, ...more);
  });
  await expect(add()).rejects.toMatchObject({ code: 'stale-revision' });
  expect(readFileSync(place.user, 'utf8')).toBe('{"version":');
});
