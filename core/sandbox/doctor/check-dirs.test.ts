import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, finished } from '../../../testing/log/test-child.ts';
import { NO_FUSE } from '../../../testing/sandbox/session.ts';
import { groupRemedy } from '../plan/groups.ts';
import type { Check } from './check.ts';

/** The doctor on a machine with other mounts: /srv is a tmpfs, HOME is /srv/home. */
const CHILD = `
  import { runDoctor } from '#/core/sandbox/doctor/doctor.ts';
  const [stateDir, project] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await runDoctor({ stateDir, env: { HOME: '/srv/home' }, project })));
`;
let dir: string;
let program: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trai-check-'));
  program = await bundleProgram(dir, 'doctor', CHILD);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function doctor(setup: string, stateDir: string, project = '/srv/home'): Promise<Map<string, Check>> {
  const enter = process.getuid?.() === 0 ? ['-m'] : ['-U', '-r', '-m'];
  const script = `mount -t tmpfs tmpfs /srv && mkdir /srv/home && cd /srv && ${setup} && cd / && exec "$@"`;
  const argv = ['/bin/sh', '-ec', script, 'sh', process.execPath, program, stateDir, project];
  const child = spawn('unshare', [...enter, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = await finished(child);
  if (stdout === '') throw new Error(`the machine did not come up: ${stderr}`);
  const checks: Check[] = JSON.parse(stdout);
  return new Map(checks.map((check) => [check.id, check]));
}

describe('the state directory', () => {
  it('on an overlay, as in a container, is refused, with a place that would do', async () => {
    const checks = await doctor(
      'mkdir l u w m && mount -t overlay o -o lowerdir=l,upperdir=u,workdir=w m',
      '/srv/m/trai',
    );
    expect(checks.get('state')).toMatchObject({ ok: false, level: 'error' });
    expect(checks.get('state')?.found).toContain('/srv/m/trai is on overlay');
    const [, place = ''] = /export TRAI_STATE_HOME='(.+)'/.exec(checks.get('state')?.remedy ?? '') ?? [];
    expect(place).not.toBe('');
    expect((await doctor('true', place)).get('state')).toMatchObject({ ok: true });
  }, 60_000);

  it('on a file system that a program serves, as sshfs does, is refused, with a place that would do', async (ctx) => {
    const BINDFS = '/usr/bin/bindfs';
    if (!existsSync(BINDFS)) return ctx.skip('there is no bindfs here');
    if (NO_FUSE !== '') return ctx.skip(NO_FUSE);
    const serve = [
      `mkdir behind far && { ${BINDFS} -f behind far > /dev/null 2>&1 & } && served=$!`,
      'until mountpoint -q far; do kill -0 $served; sleep 0.02; done',
      // Ends with the shell, whose pid becomes the doctor's.
      '{ while kill -0 $$; do sleep 0.05; done; kill $served; } > /dev/null 2>&1 &',
      'mkdir far/trai',
    ].join('\n');
    const checks = await doctor(serve, '/srv/far/trai');
    expect(checks.get('state')).toMatchObject({ ok: false, level: 'error' });
    expect(checks.get('state')?.found).toContain('/srv/far/trai is on FUSE');
    expect(checks.get('state')?.remedy).toMatch(/export TRAI_STATE_HOME='.+'/);
  }, 60_000);

  it('on a tmpfs is as good as any (the overlay is tried)', async () => {
    const checks = await doctor('true', '/srv/state');
    expect(checks.get('state')).toMatchObject({ ok: true });
    expect(checks.get('overlay')?.found).toContain('an overlay was mounted');
  }, 60_000);

  it('without room is refused for that, and not for what fails of it', async () => {
    const fill =
      'mkdir -m 700 state && mount -t tmpfs -o size=1m,mode=700 t state && (head -c 2M /dev/zero > state/f || true)';
    const checks = await doctor(fill, '/srv/state');
    expect(checks.get('state')).toMatchObject({ ok: false, level: 'error' });
    expect(checks.get('state')?.found).toContain('no room left');
    expect(checks.has('overlay')).toBe(false);
  }, 60_000);

  it('that others can write to, or that is a link, is refused as every call refuses it', async () => {
    const state = (await doctor('mkdir state && chmod 777 state', '/srv/state')).get('state');
    expect(state).toMatchObject({ ok: false, level: 'error', remedy: expect.stringContaining('chmod 700') });
    expect(state?.found).toContain('/srv/state: expected a directory of your own');
    const link = (await doctor('mkdir real && ln -s real state', '/srv/state')).get('state');
    expect(link).toMatchObject({ ok: false, remedy: expect.stringContaining('TRAI_STATE_HOME') });
  }, 60_000);
});

describe('mounts', () => {
  it('below a project or $HOME do not keep them from being covered', async () => {
    const mounts = (await doctor('mkdir home/far && mount -t tmpfs far home/far', '/srv/state')).get(
      'mounts',
    );
    expect(mounts?.found ?? '').not.toMatch(/\/srv\/home(\/far)? \(/);
  }, 60_000);

  it('that can’t be covered are named when the project lies there, with what to do', async (ctx) => {
    if (NO_FUSE !== '') return ctx.skip(NO_FUSE);
    const checks = await doctor(
      'mkdir far && exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 far far && mkdir p && mount -t ramfs r p',
      '/srv/state',
      '/srv/p',
    );
    expect(checks.get('mounts')?.found).toContain('/srv/far (fuse file system, which may not answer)');
  }, 60_000);
});

describe('a directory of another group', () => {
  it('has a remedy that is complete', () => {
    expect(groupRemedy(4242, 'sudo apt-get install uidmap')).toMatch(
      /echo '.+:4242:1' \| sudo tee -a \/etc\/subgid/,
    );
  });
});
