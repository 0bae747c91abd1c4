import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtProgram } from './cli.ts';

/** A temporary directory of this test, with a foreign file in it. */
let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'trai-built-'));
  mkdirSync(join(temporary, 'of-another'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

describe('a program that could not be built for a test', () => {
  it('leaves the temporary directory as it was', async () => {
    const build = () => Promise.reject(new Error('no such file'));
    await expect(builtProgram(build)).rejects.toThrow('no such file');
    expect(readdirSync(temporary)).toEqual(['of-another']);
  });

  it('takes away only its own directory when it was built', async () => {
    const built = await builtProgram(async () => undefined);
    built.remove();
    expect(existsSync(built.tree)).toBe(false);
    expect(readdirSync(temporary)).toEqual(['of-another']);
  });
});
