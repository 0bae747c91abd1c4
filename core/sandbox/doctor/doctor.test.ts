import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { remedyForNamespaces, remedyForPackage } from './check.ts';
import { isHealthy, runDoctor } from './doctor.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-doctor-')));
});
afterEach(() => {
  chmodSync(base, 0o700);
  rmSync(base, { recursive: true, force: true });
});

const doctor = (more: { env?: NodeJS.ProcessEnv; project?: string } = {}) =>
  runDoctor({
    stateDir: join(base, 'state'),
    env: { HOME: base, ...more.env },
    ...(more.project === undefined ? {} : { project: fromText(more.project) }),
  });

describe('doctor', () => {
  it('finds out by doing, and leaves nothing behind', async () => {
    const checks = await doctor({ project: base });
    expect(checks.filter((check) => !check.ok && check.level === 'error')).toEqual([]);
    expect(isHealthy(checks)).toBe(true);
    expect(checks.map((check) => check.id)).toEqual([
      'system',
      'node',
      'tools',
      'outer-sandbox',
      'state',
      'namespaces',
      'overlay',
      'owners',
      'mounts',
    ]);
    expect(readdirSync(join(base, 'state'))).toEqual([]);
  });

  it('says why inside Claude Code’s own sandbox, and what to do', async () => {
    const checks = await doctor({ env: { SANDBOX_RUNTIME: '1' } });
    expect(isHealthy(checks)).toBe(false);
    expect(checks.find((check) => check.id === 'outer-sandbox')).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('/sandbox'),
    });
    expect(checks.map((check) => check.id)).not.toContain('overlay');
  });

  it('names a state directory that can’t be made', async (context) => {
    if (process.getuid?.() === 0) context.skip('root can write everywhere');
    chmodSync(base, 0o500);
    const checks = await doctor();
    expect(checks.find((check) => check.id === 'state')).toMatchObject({
      ok: false,
      found: expect.stringContaining(join(base, 'state')),
    });
  });

  it('warns of a project that is a scratch directory itself', async () => {
    const checks = await doctor({ project: '/tmp' });
    expect(checks.find((check) => check.id === 'mounts')).toMatchObject({
      ok: false,
      level: 'warning',
      found: expect.stringContaining('written directly'),
    });
  });

  it('covers a project below a scratch directory', async () => {
    mkdirSync(join(base, 'project'));
    const mounts = (await doctor({ project: join(base, 'project') })).find((check) => check.id === 'mounts');
    expect(mounts?.found).not.toContain('written directly');
  });
});

describe('remedies', () => {
  it.each([
    [{ 'kernel/unprivileged_userns_clone': '0' }, 'kernel.unprivileged_userns_clone=1'],
    [{ 'user/max_user_namespaces': '0' }, 'user.max_user_namespaces='],
    [{ 'kernel/apparmor_restrict_unprivileged_userns': '1' }, 'apparmor_parser -r'],
  ])('for %j', (settings: Record<string, string>, text) => {
    expect(remedyForNamespaces((name) => settings[name] ?? null)).toContain(text);
  });

  it('name the package for this distribution', () => {
    expect(remedyForPackage('util-linux')).toContain('util-linux');
  });
});
