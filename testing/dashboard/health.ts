/** What a doctor says of a recorded machine: well, or (recording `sick`) not. */
import type { Health } from '../../shared/api/types.ts';
import { DEFAULT_CONFIG, parseConfig } from '../../shared/config/config.ts';
import { configRows } from '../../shared/config/config-rows.ts';

type Check = Health['checks'][number];

const pass = (id: string, found: string): Check => ({ id, ok: true, level: 'error', found, remedy: '' });

export function fakeHealth(scenario: string, session: string | null): Health {
  const sick = scenario === 'sick';
  const { config } = parseConfig({ passthrough: { add: ['kubectl'] }, undo: { keepDays: 30 } });
  const file = '/home/kim/.config/trai/config.json';
  return {
    ok: !sick,
    version: 'recorded',
    checks: [
      pass('system', 'Linux 6.8.0-45-generic'),
      pass('node', 'Node 20.19.2 (/usr/bin/node)'),
      pass('tools', 'unshare, nsenter, mount, flock in /usr/bin'),
      sick
        ? {
            id: 'namespaces',
            ok: false,
            level: 'error',
            found: 'unshare: write failed /proc/self/uid_map: Operation not permitted',
            remedy:
              'AppArmor keeps programs without a profile from making user namespaces. Allow it for this machine:\n  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
          }
        : pass('namespaces', 'this user may make user and mount namespaces'),
      ...(session === null
        ? []
        : [
            {
              id: 'owners',
              ok: false,
              level: 'warning' as const,
              found: '12 files of the project belong to other users',
              remedy: 'Commands cannot change them. sudo chown -R kim /home/kim/shop',
            },
          ]),
    ],
    server: {
      pid: 4711,
      startedAt: new Date(Date.now() - 7_500_000).toISOString(),
      memory: 84_000_000,
      stateDir: '/home/kim/.local/state/trai',
    },
    config: {
      file,
      candidates: [file],
      problems: sick
        ? [`${file}: scratch[0]: expected an absolute directory, found "tmp"; the default is used.`]
        : [],
      rows: configRows(config, DEFAULT_CONFIG),
    },
  };
}
