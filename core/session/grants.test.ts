import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GRANT_MS } from '../../shared/limits.ts';
import { bundleProgram, runTogether } from '../../testing/log/test-child.ts';
import { testState } from '../../testing/state-dir.ts';
import {
  bootClock,
  expireGrants,
  type GrantClock,
  hasGrant,
  openGrant,
  permitText,
  takeGrant,
} from './grants.ts';

const states = testState('grants');
afterAll(states.remove);
let dir = '';
const newDir = (): void => {
  dir = states.next();
  mkdirSync(dir);
};
beforeEach(newDir);

function clockAt(ms: number, boot = 'boot-1'): GrantClock & { ms: number; id: string } {
  return {
    ms,
    id: boot,
    now() {
      return this.ms;
    },
    boot() {
      return this.id;
    },
  };
}
const files = (): string[] => readdirSync(join(dir, 'grants'));

describe('grants', () => {
  it('are used once, and only for what they were opened for', async () => {
    await openGrant(dir, { kind: 'permit', what: 'commit --yes' });
    expect(await hasGrant(dir, 'permit', 'commit --yes')).toBe(true);
    expect(await takeGrant(dir, 'permit', 'commit')).toBe(false);
    expect(await takeGrant(dir, 'permit', 'commit --yes ')).toBe(false);
    expect(await takeGrant(dir, 'passthrough', 'commit --yes')).toBe(false);
    expect(await takeGrant(dir, 'permit', 'commit --yes')).toBe(true);
    expect(await takeGrant(dir, 'permit', 'commit --yes')).toBe(false);
    expect(await hasGrant(dir, 'permit', 'commit --yes')).toBe(false);
  });

  it('opened twice are good for two uses', async () => {
    for (let i = 0; i < 2; i++) await openGrant(dir, { kind: 'passthrough' });
    const taken = [];
    for (let i = 0; i < 3; i++) taken.push(await takeGrant(dir, 'passthrough'));
    expect(taken).toEqual([true, true, false]);
  });

  it('carry no text of the user in their names, and only the user can see them', async () => {
    await openGrant(dir, { kind: 'permit', what: '../secret name', prompt: 'my prompt' });
    const [file = ''] = files();
    expect(file).toMatch(/^permit(\.[0-9a-f]+)+$/);
    expect(statSync(join(dir, 'grants', file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'grants')).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (clock: ReturnType<typeof clockAt>) => void, boolean]>([
    ['at once', () => {}, true],
    [
      'at the last moment',
      (clock) => {
        clock.ms += GRANT_MS;
      },
      true,
    ],
    [
      'a millisecond later',
      (clock) => {
        clock.ms += GRANT_MS + 1;
      },
      false,
    ],
    [
      'before they were opened',
      (clock) => {
        clock.ms -= 1;
      },
      false,
    ],
    [
      'after a reboot, although the time since boot fits',
      (clock) => {
        clock.id = 'boot-2';
      },
      false,
    ],
  ])('are valid %s', async (_name, move, valid) => {
    const clock = clockAt(1_000_000);
    await openGrant(dir, { kind: 'permit', what: 'undo' }, clock);
    move(clock);
    expect(await hasGrant(dir, 'permit', 'undo', clock)).toBe(valid);
    expect(await takeGrant(dir, 'permit', 'undo', clock)).toBe(valid);
    expect(files()).toEqual([]);
  });

  it('do not look at the clock that can be set', async () => {
    const real = Date.now;
    try {
      await openGrant(dir, { kind: 'passthrough' });
      Date.now = () => real() + 10 * GRANT_MS;
      expect(await hasGrant(dir, 'passthrough')).toBe(true);
      Date.now = () => real() - 10 * GRANT_MS;
      expect(await takeGrant(dir, 'passthrough')).toBe(true);
    } finally {
      Date.now = real;
    }
    expect(bootClock.boot()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('end with the next prompt, but not with the one that opened them', async () => {
    await openGrant(dir, { kind: 'passthrough', prompt: 'p1' });
    await openGrant(dir, { kind: 'permit', what: 'commit', prompt: 'p1' });
    expect(await expireGrants(dir, 'passthrough', 'p1')).toBe(0);
    expect(await hasGrant(dir, 'passthrough')).toBe(true);
    expect(await expireGrants(dir, 'passthrough', 'p2')).toBe(1);
    expect(await hasGrant(dir, 'passthrough')).toBe(false);
    expect(await hasGrant(dir, 'permit', 'commit')).toBe(true);
  });

  it('opened in no known prompt end with any prompt', async () => {
    await openGrant(dir, { kind: 'passthrough' });
    expect(await expireGrants(dir, 'passthrough', '')).toBe(1);
  });

  it('tell what the person typed, the newest first, as long as they are valid', async () => {
    const clock = clockAt(1_000_000);
    expect(await permitText(dir, 'commit', clock)).toBeNull();
    await openGrant(dir, { kind: 'permit', what: 'commit' }, clock);
    clock.ms += 10;
    await openGrant(dir, { kind: 'permit', what: 'commit --yes "a b"' }, clock);
    await openGrant(dir, { kind: 'permit', what: 'commitment' }, clock);
    expect(await permitText(dir, 'commit', clock)).toBe('commit --yes "a b"');
    expect(await takeGrant(dir, 'permit', 'commit --yes "a b"', clock)).toBe(true);
    expect(await permitText(dir, 'commit', clock)).toBe('commit');
    clock.ms += GRANT_MS;
    expect(await permitText(dir, 'commit', clock)).toBeNull();
  });

  it('whose text was changed afterwards tell nothing', async () => {
    await openGrant(dir, { kind: 'permit', what: 'commit' });
    for (const file of files()) writeFileSync(join(dir, 'grants', file), 'commit --yes');
    expect(await permitText(dir, 'commit')).toBeNull();
  });

  it('of a session without any: nothing to take', async () => {
    expect(await takeGrant(dir, 'passthrough')).toBe(false);
    expect(await expireGrants(dir, 'passthrough')).toBe(0);
  });

  it('cannot be opened in a session that is gone', async () => {
    rmSync(dir, { recursive: true });
    await expect(openGrant(dir, { kind: 'passthrough' })).rejects.toMatchObject({ code: 'no-session' });
  });

  it('are not made by files of other names', async () => {
    mkdirSync(join(dir, 'grants'));
    for (const name of ['passthrough', 'passthrough.', `passthrough.${'0'.repeat(32)}`])
      writeFileSync(join(dir, 'grants', name), '');
    expect(await hasGrant(dir, 'passthrough')).toBe(false);
    expect(files()).toHaveLength(3);
  });

  it('that cannot be removed do not count', async (context) => {
    if (process.getuid?.() === 0) context.skip('root can remove everything');
    await openGrant(dir, { kind: 'passthrough' });
    chmodSync(join(dir, 'grants'), 0o500);
    await expect(takeGrant(dir, 'passthrough')).rejects.toMatchObject({ code: 'io' });
    chmodSync(join(dir, 'grants'), 0o700);
  });

  it('are used as often as they were opened, by processes at the same time too', async () => {
    for (let i = 0; i < 40; i++) await openGrant(dir, { kind: 'permit', what: 'commit' });
    const program = await bundleProgram(
      states.top,
      'take',
      `
      import { takeGrant } from '#/core/session/grants.ts';
      let taken = 0;
      for (let i = 0; i < 40; i++) if (await takeGrant(process.argv[2] ?? '', 'permit', 'commit')) taken++;
      console.log(taken);
    `,
    );
    const results = await runTogether(program, [[dir], [dir], [dir], [dir]]);
    expect(results.map(({ stderr }) => stderr).join('')).toBe('');
    const taken = results.map(({ stdout }) => Number(stdout));
    expect(taken.reduce((a, b) => a + b)).toBe(40);
  });

  it('behave like a list of open ones, whatever happens in which order', async () => {
    const step = fc.record({
      action: fc.constantFrom('open', 'take', 'expire', 'wait'),
      kind: fc.constantFrom<'permit' | 'passthrough'>('permit', 'passthrough'),
      what: fc.constantFrom('', 'a', 'b'),
      ms: fc.nat(GRANT_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        newDir();
        const clock = clockAt(5_000_000);
        let open: { kind: string; what: string; at: number }[] = [];
        const isOpen =
          ({ kind, what }: { kind: string; what: string }) =>
          (grant: { kind: string; what: string; at: number }) =>
            grant.kind === kind && grant.what === what && clock.ms - grant.at <= GRANT_MS;
        for (const { action, kind, what, ms } of steps) {
          const text = kind === 'permit' ? what : '';
          const at = open.findIndex(isOpen({ kind, what: text }));
          if (action === 'wait') clock.ms += ms;
          if (action === 'open') {
            await openGrant(dir, kind === 'permit' ? { kind, what } : { kind }, clock);
            open.push({ kind, what: text, at: clock.ms });
          }
          if (action === 'take') {
            expect(await takeGrant(dir, kind, text, clock)).toBe(at !== -1);
            if (at !== -1) open.splice(at, 1);
          }
          if (action === 'expire') {
            const valid = open.filter(
              (grant) => grant.kind === kind && clock.ms - grant.at <= GRANT_MS,
            ).length;
            expect(await expireGrants(dir, kind, '', clock)).toBe(valid);
            open = open.filter((grant) => grant.kind !== kind);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
