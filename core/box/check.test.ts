/** What doctor says about boxes, of the real bubblewrap and of others. */
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boxNotes, checkBox, checkTerminal } from './check.ts';
import { CHECKS } from './messages/checks.ts';

let bin: string;
beforeEach(() => {
  bin = realpathSync(mkdtempSync(join(tmpdir(), 'trai-bwrap-')));
});
afterEach(() => rmSync(bin, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** A bwrap of this user's, before the real one on PATH. */
function fake(body: string, { version = '0.12.0', mode = 0o755 } = {}): NodeJS.ProcessEnv {
  const file = join(bin, 'bwrap');
  writeFileSync(
    file,
    `#!/bin/bash\n[ "$1" = --version ] && { echo bubblewrap ${version}; exit; }\n${body}\n`,
  );
  chmodSync(file, mode);
  return { PATH: `${bin}:${process.env['PATH']}` };
}

const rowsOf = async (env: NodeJS.ProcessEnv) => {
  const checks = await checkBox(env);
  return Object.fromEntries(checks.map(({ id, ...row }) => [id, row]));
};

describe('the rows of a box', () => {
  it('are found out by doing, and are notes for doctor', async () => {
    const found = await boxNotes({ PATH: process.env['PATH'] });
    expect(found.map(({ id }) => id)).toEqual(['bwrap', 'nested', 'proc', 'terminal']);
    expect(found.filter(({ ok, remedy }) => !ok && remedy === '')).toEqual([]);
    expect(new Set(found.map(({ level }) => level))).toEqual(new Set(['warning']));
    expect(found[0]?.found).toMatch(/^bubblewrap \d[\d.]* \(\/usr\/bin\/bwrap\): root’s, /);
  });

  it('name a bwrap that is not root’s, with the line that installs one; nothing of it is run', async (context) => {
    if (isRoot) context.skip('root’s own bwrap is root’s');
    const rows = await rowsOf(fake(`touch ${bin}/ran`));
    expect(Object.keys(rows)).toEqual(['bwrap', 'terminal']);
    expect(rows['bwrap']).toMatchObject({ ok: false, found: expect.stringContaining('not to root') });
    expect(rows['bwrap']?.remedy).toContain('bubblewrap');
  });

  it.for([
    ['0.11.0', false],
    ['0.11.1', false],
    ['0.11.2', true],
    ['0.10.0', true],
  ] as const)('setuid in version %s: ok %s', async ([version, ok], context) => {
    if (!isRoot) context.skip('only root’s bwrap is run');
    const rows = await rowsOf(fake('exit 0', { version, mode: 0o4755 }));
    expect(rows['bwrap']?.ok).toBe(ok);
    expect(rows['bwrap']?.found).toContain('setuid');
  });

  it('tell a refused namespace from a refused /proc, whatever path the refusal names', async (context) => {
    if (!isRoot) context.skip('only root’s bwrap is run');
    const refused = 'echo "bwrap: write /proc/self/uid_map: Operation not permitted" >&2; exit 1';
    const none = await rowsOf(fake(refused));
    expect(Object.keys(none)).toEqual(['bwrap', 'nested', 'terminal']);
    expect(none['nested']).toMatchObject({ ok: false, found: expect.stringContaining('uid_map') });
    expect(none['nested']?.remedy).not.toBe(CHECKS.procRemedy);
    const covered = await rowsOf(fake(`[[ " $* " == *" --proc "* ]] && { ${refused}; }; exit 0`));
    expect(covered['nested']?.ok).toBe(true);
    expect(covered['proc']).toMatchObject({ ok: false, remedy: CHECKS.procRemedy });
  });

  it('say of the terminal what this kernel lets one do', () => {
    expect(checkTerminal(() => '0')).toMatchObject({ ok: true });
    expect(checkTerminal(() => '1')).toMatchObject({ ok: false, remedy: CHECKS.typingRemedy });
    expect(checkTerminal(() => null)).toMatchObject({ ok: false, remedy: CHECKS.typingAlways });
  });
});
