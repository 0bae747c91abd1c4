/** What a doctor says of a recorded machine: well, or (recording `sick`) not. */
import type { Health } from '../../shared/api/types.ts';
import { DEFAULT_CONFIG, parseConfig } from '../../shared/config/config.ts';
import { configRows } from '../../shared/config/config-rows.ts';

type Check = Health['checks'][number];

const pass = (id: string, found: string): Check => ({ id, ok: true, level: 'error', found, remedy: '' });

const note = (id: string, found: string, remedy: string): Check => ({
  ...{ id, ok: false, level: 'warning', found, remedy },
});

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
      pass('bwrap', 'bubblewrap 0.9.0 (/usr/bin/bwrap): root’s, not setuid'),
      ...(sick
        ? [
            note(
              'nested',
              'a box could not be made in the namespaces of a session: bwrap: setting up uid map: Permission denied',
              'User namespaces are switched off. Turn them on:\n  echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-userns.conf && sudo sysctl --system',
            ),
          ]
        : [
            pass('nested', 'a box was made in the namespaces of a session'),
            pass('proc', 'a box has a table of processes of its own (/proc)'),
          ]),
      pass('terminal', 'no program can type into its terminal (TIOCSTI is off)'),
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
