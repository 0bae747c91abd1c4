import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRANT_MS } from '../../shared/limits.ts';
import { bundleProgram, runTogether } from '../../testing/log/test-child.ts';
import { testState } from '../../testing/state-dir.ts';
import { hasGrant, openGrant, permitText, takeGrant } from './grants.ts';

/** Milliseconds since boot; null = the kernel's clock. */
const clock = vi.hoisted((): { ms: number | null } => ({ ms: null }));
vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>();
  return { ...os, uptime: () => (clock.ms === null ? os.uptime() : clock.ms / 1000) };
});

const states = testState('grants');
afterAll(states.remove);
let dir = '';
const newDir = (): void => {
  clock.ms = null;
  dir = states.next();
  mkdirSync(dir);
};
beforeEach(newDir);

const OPENED = 1_000_000;
const files = (): string[] => readdirSync(join(dir, 'grants'));

/** What is open now is later taken by a process of another boot. */
function reboot(): void {
  for (const file of files()) {
    const [kind, what, boot = '', ...rest] = file.split('.');
    const name = [kind, what, '0'.repeat(boot.length), ...rest].join('.');
    renameSync(join(dir, 'grants', file), join(dir, 'grants', name));
  }
}

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
    await openGrant(dir, { kind: 'permit', what: '../secret name' });
    const [file = ''] = files();
    expect(file).toMatch(/^permit(\.[0-9a-f]+)+$/);
    expect(statSync(join(dir, 'grants', file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'grants')).mode & 0o777).toBe(0o700);
  });

  it.each<[string, () => void, boolean]>([
    ['at once', () => {}, true],
    ['at the last moment', () => (clock.ms = OPENED + GRANT_MS), true],
    ['not a millisecond later', () => (clock.ms = OPENED + GRANT_MS + 1), false],
    ['not before they were opened', () => (clock.ms = OPENED - 1), false],
    ['not after a reboot, although the time since boot fits', reboot, false],
  ])('are valid %s', async (_name, later, valid) => {
    clock.ms = OPENED;
    await openGrant(dir, { kind: 'permit', what: 'undo' });
    later();
    expect(await hasGrant(dir, 'permit', 'undo')).toBe(valid);
    expect(await takeGrant(dir, 'permit', 'undo')).toBe(valid);
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
  });

  it('tell what the user typed, the newest first, as long as they are valid', async () => {
    clock.ms = OPENED;
    expect(await permitText(dir, 'commit')).toBeNull();
    await openGrant(dir, { kind: 'permit', what: 'commit' });
    clock.ms = OPENED + 10;
    await openGrant(dir, { kind: 'permit', what: 'commit --yes "a b"' });
    await openGrant(dir, { kind: 'permit', what: 'commitment' });
    expect(await permitText(dir, 'commit')).toBe('commit --yes "a b"');
    expect(await takeGrant(dir, 'permit', 'commit --yes "a b"')).toBe(true);
    expect(await permitText(dir, 'commit')).toBe('commit');
    clock.ms = OPENED + 10 + GRANT_MS + 1;
    expect(await permitText(dir, 'commit')).toBeNull();
  });

  it('whose text was changed afterwards tell nothing', async () => {
    await openGrant(dir, { kind: 'permit', what: 'commit' });
    for (const file of files()) writeFileSync(join(dir, 'grants', file), 'commit --yes');
    expect(await permitText(dir, 'commit')).toBeNull();
  });

  it('of a session without any: nothing to take', async () => {
    expect(await takeGrant(dir, 'passthrough')).toBe(false);
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
      action: fc.constantFrom('open', 'take', 'wait'),
      kind: fc.constantFrom<'permit' | 'passthrough'>('permit', 'passthrough'),
      what: fc.constantFrom('', 'a', 'b'),
      ms: fc.nat(GRANT_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        newDir();
        let now = OPENED;
        const open: { key: string; at: number }[] = [];
        for (const { action, kind, what, ms } of steps) {
          clock.ms = now;
          const grant = kind === 'permit' ? { kind, what } : { kind };
          const key = JSON.stringify(grant);
          if (action === 'wait') now += ms;
          else if (action === 'open') {
            await openGrant(dir, grant);
            open.push({ key, at: now });
          } else {
            const at = open.findIndex((one) => one.key === key && now - one.at <= GRANT_MS);
            expect(await takeGrant(dir, kind, grant.what)).toBe(at !== -1);
            if (at !== -1) open.splice(at, 1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
