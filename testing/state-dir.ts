/** A state directory for each test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestState {
  top: string;
  /** Each call makes a new one. */
  next(): string;
  remove(): void;
}

export function testState(name: string): TestState {
  const top = realpathSync(mkdtempSync(join(tmpdir(), `trai-${name}-`)));
  let count = 0;
  return {
    top,
    next: () => {
      const dir = join(top, String(count++), 'state');
      mkdirSync(join(dir, '..'));
      return dir;
    },
    remove: () => rmSync(top, { recursive: true }),
  };
}
