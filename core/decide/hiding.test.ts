// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { decide } from './decide.ts';

const FACTS: Facts = {
  cwd: '/home/u/p',
  home: '/home/u',
  pending: false,
  ownPrograms: ['/opt/trai/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: DEFAULT_CONFIG,
};

const howOf = (command: string, facts = FACTS): string => {
  const { mode, open } = decide(command, facts);
  return mode === 'host' ? (open === null ? 'hidden' : 'open') : mode;
};

describe('on the host trai’s own directories are hidden from', () => {
  it.each([
    'ls',
    'cat ~/.local/state/trai/server.json',
    'git status',
    'git -c core.pager=x commit -m y',
    'git pull && docker compose up -d',
    'docker ps; cat x',
    'docker ps | grep x < y',
    'docker ps | grep x y',
    'gh pr view 3',
    'git log | head -3',
  ])('%j', (command) => {
    expect(howOf(command)).toBe('hidden');
  });

  it.each(['make', 'python3 x.py', 'sh -c "sudo x"', 'make && docker ps', 'cat x', '${x'])(
    'the one call that the user let through: %j',
    (command) => {
      expect(howOf(command, { ...FACTS, oneShot: true })).toBe('hidden');
    },
  );
});

describe('they are not hidden from what would not work then', () => {
  it.each([
    'sudo apt-get install -y jq',
    '/usr/bin/sudo -n true',
    'cd x && sudo make install',
    'docker ps',
    'docker ps | grep x | head -3',
    'docker logs c 2>&1 | tail -n 5',
    'podman ps',
    'echo x; podman images | wc -l',
    '/opt/trai/bin/trai status',
  ])('%j', (command) => {
    expect(howOf(command)).toBe('open');
  });

  it.each(['crontab -l', 'su -c id', 'mount /dev/x /mnt', 'env A=b sudo make install'])(
    'the one call that the user let through: %j',
    (command) => {
      expect(howOf(command, { ...FACTS, oneShot: true })).toBe('open');
    },
  );

  it.each([
    ['make', 'open'],
    ['sudo x; cat y', 'open'],
    ['cat x', 'hidden'],
    ['git status', 'hidden'],
    ['${x', 'open'],
  ])('where the sandbox is turned off: %j runs %s', (command, how) => {
    expect(howOf(command, { ...FACTS, config: { ...DEFAULT_CONFIG, enabled: false } })).toBe(how);
  });
});

it.each([
  'podman ps; cat x',
  'git pull && sudo systemctl restart x',
  'git diff; podman ps',
  'podman ps | cat < x',
])('%j can run neither way, and is refused with the way out', (command) => {
  const { mode, text } = decide(command, FACTS);
  expect(mode).toBe('refuse');
  expect(text).toMatch(/Nothing was run\. Run `(sudo|podman) \.\.\.` as a call of its own/);
});

describe('what such a command names', () => {
  const named = (command: string): string[] => {
    const { open } = decide(command, FACTS);
    return [...(open?.paths ?? [])];
  };
  const trees = (command: string): string[] => [...(decide(command, FACTS).open?.trees ?? [])];

  it.each([
    ['sudo cat ~/a', '/home/u/a'],
    ['sudo cat "$HOME/a"', '/home/u/a'],
    ['sudo cat $PWD/a', '/home/u/p/a'],
    ['sudo cat a', '/home/u/p/a'],
    ['sudo cat ../a', '/home/u/a'],
    ['cd /b && sudo cat a', '/b/a'],
    ['sudo cat < /a', '/a'],
    ['sudo tar -cf- -C/a .', '/a'],
    ['sudo dd if=/a', '/a'],
    ['sudo cat /a*/b', '/a*/b'],
    ['sudo cat /{a,b}/c', '/*/c'],
    ['sudo cat /a/$x', '/a/*'],
    ['x=/a/b; sudo cat $x/c', '/a/b/c'],
    ['for f in /a/b; do sudo cat "$f"; done', '/a/b'],
    ['sudo sh -c "cd /a; cat b"', '/a'],
    ["sudo sh -c 'cat $HOME/a'", '/home/u/a'],
    ['docker run -v /a:/b x', '/a'],
    ['docker run --mount type=bind,src=/a,dst=/b x', '/a'],
    ['docker compose --env-file=/a config', '/a'],
    ['docker exec -i c cat < /a', '/a'],
    ['docker ps | wc --files0-from=/a', '/a'],
  ])('%j names %s', (command, path) => {
    expect(howOf(command)).not.toBe('hidden');
    if (howOf(command) === 'open') expect(named(command)).toContain(path);
  });

  it.each([
    ['sudo grep -r x /home', '/home', true],
    ['sudo tar c /home', '/home', true],
    ['sudo chown -R u /home', '/home', true],
    ['sudo ls /home', '/home', false],
    ['sudo -u root ls -R /home', '/home', true],
    ['sudo -u root ls /home', '/home', false],
    ['sudo sh -c "cd /home && cat x"', '/home', true],
    ['docker run -v /:/host x', '/', true],
    ['docker build /home/u', '/home/u', true],
    ['docker cp /home c:/', '/home', true],
    ['docker run x ls /home', '/home', false],
    ['docker compose up -d', '/home/u/p', false],
  ])('%j takes %s with all that is below: %s', (command, path, whole) => {
    expect(trees(command).includes(path)).toBe(whole);
  });
});
