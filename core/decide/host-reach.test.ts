import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { decide } from './decide.ts';
import { reachesHost } from './host-reach.ts';
import { parseShell } from './shell/parse.ts';

const facts: Facts = {
  cwd: '/p',
  home: '/home/kim',
  pending: false,
  ownPrograms: [],
  ownPermit: false,
  oneShot: false,
  config: DEFAULT_CONFIG,
};

describe('what hands work to a server on the host', () => {
  it.each([
    ['tmux new -d "npm start"', 'tmux'],
    ['cd x && screen -dm make', 'screen'],
    ['systemd-run --user make', 'systemd-run'],
    ['systemctl --user restart app', 'systemctl'],
    ['echo make | at now', 'at'],
    ['crontab -', 'crontab'],
    ['(crontab -l; echo "* * * * * x") | crontab -', 'crontab'],
    ['/usr/bin/tmux ls', 'tmux'],
    ['nohup env A=1 tmux new -d x', 'tmux'],
    ['x=$(tmux ls)', 'tmux'],
  ])('%s', (command, program) => {
    expect(reachesHost(parseShell(command))).toBe(program);
    const made = decide(command, facts);
    expect([made.mode, made.text]).toEqual([
      'sandbox',
      expect.stringContaining(`\`${program}\` may act on the host`),
    ]);
  });

  it.each(['echo tmux', 'grep at file; make', './tmux', 'atd', 'npm run screen', 'cat crontab > y'])(
    'not %s',
    (command) => {
      expect(reachesHost(parseShell(command))).toBeNull();
    },
  );
});
