import { describe, expect, test } from 'vitest';
import type { ChangeList } from '../model.ts';
import { hasPending, scan } from './scan.ts';
import { asRoot, type TestSession, testSession } from './testing.ts';

/** `kind relative-path` of every change, in order. */
function lines(s: TestSession, list: ChangeList): string[] {
  return list.changes.map(
    (change) => `${change.kind} ${change.path.slice(s.ctx.places[0]?.path.length ?? 0)}`,
  );
}

/** Shell lines that make `x` of each type; `a` and `b` are two different contents of it. */
const MAKE = {
  none: { a: 'true', b: 'true' },
  file: { a: 'echo one > x', b: 'echo two > x' },
  dir: { a: 'mkdir x; echo one > x/one', b: 'mkdir x; echo two > x/two' },
  symlink: { a: 'ln -s one x', b: 'ln -s two x' },
  fifo: { a: 'mkfifo x', b: 'mkfifo x' },
} as const;
type Kind = keyof typeof MAKE;

const EXPECTED: Record<Kind, Record<Kind, string[]>> = {
  none: {
    none: [],
    file: ['added /x'],
    dir: ['added /x', 'added /x/two'],
    symlink: ['added /x'],
    fifo: ['added /x'],
  },
  file: {
    none: ['deleted /x'],
    file: ['modified /x'],
    dir: ['replaced /x', 'added /x/two'],
    symlink: ['replaced /x'],
    fifo: ['replaced /x'],
  },
  dir: {
    none: ['deleted /x', 'deleted /x/one'],
    file: ['replaced /x', 'deleted /x/one'],
    dir: ['dir-replaced /x', 'deleted /x/one', 'added /x/two'],
    symlink: ['replaced /x', 'deleted /x/one'],
    fifo: ['replaced /x', 'deleted /x/one'],
  },
  symlink: {
    none: ['deleted /x'],
    file: ['replaced /x'],
    dir: ['replaced /x', 'added /x/two'],
    symlink: ['modified /x'],
    fifo: ['replaced /x'],
  },
  fifo: {
    none: ['deleted /x'],
    file: ['replaced /x'],
    dir: ['replaced /x', 'added /x/two'],
    symlink: ['replaced /x'],
    fifo: [],
  },
};

describe(`every type before and after, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  for (const before of Object.keys(MAKE) as Kind[]) {
    test(`${before} on the host, then each type in the sandbox`, async () => {
      for (const after of Object.keys(MAKE) as Kind[]) {
        const s = testSession();
        s.onHost(MAKE[before].a);
        s.inSandbox(`rm -rf x; ${MAKE[after].b}`);
        const list = await scan(s.ctx);
        expect(lines(s, list), `${before} to ${after}`).toEqual(EXPECTED[before][after]);
        expect(list.conflicts).toBe(0);
        expect(await hasPending(s.ctx)).toBe(list.changes.length > 0);
        s.remove();
      }
    });
  }
});
