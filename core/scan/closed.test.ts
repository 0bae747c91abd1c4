import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONFLICT_REASONS } from '../../shared/model/change.ts';
import { asRoot, testSession } from '../../testing/changes/changes.ts';
import { brief, commitNow } from '../../testing/commit/commit.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

test.for(['000', '300', '400', '600'])(
  'a directory of mode %s stays with what is in it and is named, whatever is decided, and the rest goes',
  async (mode, ctx) => {
    if (asRoot) return ctx.skip('root reads everything');
    const s = testSession();
    try {
      s.onHost('mkdir h; echo 1 > h/f; sleep 0.05');
      s.inSandbox(
        `mkdir -p p/d nd; echo > p/d/x; echo 1 > p/y; echo > nd/f; echo 2 > h/f; echo > e; chmod ${mode} p/d nd h`,
      );
      await recordBases(s.ctx);
      for (const [conflicts, applied] of [
        ['refuse', 3],
        ['take-sandbox', 0],
        ['keep-host', 0],
      ] as const) {
        const report = await commitNow(s, { request: { conflicts } });
        expect(report).toMatchObject({ applied, kept: 0, state: 'partial' });
        expect(report.stopped).toBeUndefined();
        expect(
          report.failed.map(({ path, message }) => `${path.slice(s.host.length)} ${message}`).sort(),
        ).toEqual(['/h', '/nd', '/p/d'].map((path) => `${path} ${CONFLICT_REASONS.unreadable}`));
        expect(readdirSync(s.host).sort()).toEqual(['e', 'h', 'p']);
        expect(existsSync(`${s.host}/p/d`)).toBe(false);
      }
      s.inSandbox('chmod 700 p/d nd h; test -e p/d/x; test -e nd/f');
      expect(brief(await scan(s.ctx), s.host)).toEqual([
        'meta h',
        'modified h/f',
        'added nd',
        'added nd/f',
        'added p/d',
        'added p/d/x',
      ]);
    } finally {
      s.remove();
    }
  },
);

test('a host directory that may be read and not searched keeps no other base from being recorded, and is said', async (context) => {
  if (asRoot) context.skip('root searches everything');
  const s = testSession();
  try {
    s.onHost('mkdir d; echo 1 > d/f; echo 1 > g; sleep 0.05');
    s.inSandbox('rm -rf d; echo 2 > g');
    s.onHost('chmod 400 d');
    await recordBases(s.ctx);
    const list = await scan(s.ctx);
    expect(brief(list, s.host)).toContain('modified g');
    expect(list.problems).toEqual([
      { path: `${s.host}/d`, message: 'The host’s directory may not be searched (no x permission).' },
    ]);
  } finally {
    s.remove();
  }
});

test.for([
  ['inside, for reading', 'echo x > a; chmod u-r .', ':'],
  ['inside, for entering', 'echo x > a; chmod u-x .', ':'],
  ['on the host, for entering', 'echo x > a; rm b', 'chmod u-x .'],
  ['on both sides', 'echo x > a; chmod u-r .', 'chmod u-r .'],
])(
  'a covered directory that is closed is said, and its records are kept: %s',
  async ([, inside = '', onHost = ''], ctx) => {
    if (asRoot) return ctx.skip('root reads everything');
    const s = testSession();
    try {
      s.onHost('echo old > b; sleep 0.05');
      s.inSandbox('echo new > b');
      await recordBases(s.ctx);
      s.inSandbox(inside);
      s.onHost(onHost);
      await recordBases(s.ctx);
      const { changes, problems } = await scan(s.ctx);
      expect(changes).toEqual([]);
      expect(problems).toMatchObject([{ path: s.host, message: expect.stringContaining('EACCES') }]);
      expect((await commitNow(s)).applied).toBe(0);
      chmodSync(s.host, 0o755);
      chmodSync(s.upper, 0o755);
      await recordBases(s.ctx);
      const list = await scan(s.ctx);
      expect(list.changes.map(({ conflict }) => conflict)).toEqual(list.changes.map(() => null));
      expect(brief(list, s.host)).toEqual(['added a', inside.includes('rm b') ? 'deleted b' : 'modified b']);
    } finally {
      s.remove();
    }
  },
);
