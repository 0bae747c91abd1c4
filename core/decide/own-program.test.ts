// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Facts } from '../../shared/model/decision.ts';
import { decide } from './decide.ts';

/**
 * How a determined model evades "only the user commits", or writes to the host unreviewed, without a trace in
 * the command's text. SECURITY.md explains these ways; trai is a correctness tool, not a security boundary.
 */
interface Unstoppable {
  way: string;
  example: string;
  leftover: string;
}

const UNSTOPPABLE: readonly Unstoppable[] = [
  {
    way: 'a git hook or a git setting that was put in place earlier with the Write tool, or that the user committed',
    example: 'git commit -m x',
    leftover: 'bin/trai itself wants a permit when a Claude client is among its ancestors',
  },
  {
    way: 'a repository whose own configuration runs programs, made in a scratch directory',
    example: 'git -C /tmp/made status',
    leftover: 'the call is shown as run on the host',
  },
  {
    way: 'sudo, which runs anything as another user on the host',
    example: 'sudo sh ./script',
    leftover: 'a warning to the user, and the call is shown as run on the host; sudo asks for a password',
  },
  {
    way: 'a container that mounts the host',
    example: 'docker run -v /:/host alpine sh /host/tmp/script',
    leftover: 'a warning to the user, and the call is shown as run on the host',
  },
  {
    way: 'a symlink to or a copy of the program under another name, started by one of the above',
    example: 'sudo /tmp/copy commit',
    leftover: 'bin/trai itself wants a permit when a Claude client is among its ancestors',
  },
  {
    way: 'an alias or a function of the user that gives a listed program another meaning',
    example: 'ls',
    leftover: 'it is the user who defined it',
  },
  {
    way: 'a daemon, a terminal multiplexer or a scheduler of the host that does what it is told over its socket',
    example: 'tmux send-keys "trai commit" Enter',
    leftover: 'nothing: it is not a child of the client',
  },
  {
    way: 'a process that is set on leaving the sandbox, since the network is open',
    example: 'ssh localhost',
    leftover: 'ssh asks for a key or a password',
  },
];

const P = '/opt/trai/bin/trai';
const BY_MODEL: Facts = {
  cwd: '/opt/trai',
  home: '/home/u',
  pending: true,
  ownPrograms: [P, '/home/u/with space/bin/trai'],
  ownPermit: false,
  oneShot: false,
  config: DEFAULT_CONFIG,
};
const BY_PERSON: Facts = { ...BY_MODEL, ownPermit: true };

function said(command: string, facts: Facts): string {
  const { mode, reason } = decide(command, facts);
  return `${mode} ${reason}`;
}

describe('exactly written, with a permit of the user, it runs on the host', () => {
  it.each([
    [`${P}`],
    [`${P} commit`],
    [`${P} commit --yes --session a.b-c`],
    [`${P} discard --yes`],
    [`${P} adopt 5f0c5b1e-90a2-4c1d-8d77-1f2e3d4c5b6a --session new`],
    [`${P} exec -- true`],
    ['"/home/u/with space/bin/trai" commit'],
    ["'/home/u/with space/bin/trai' commit"],
    [`"${P}" commit`],
  ])('%j', (command) => {
    expect(said(command, BY_PERSON)).toBe('host own-program');
    expect(said(command, BY_MODEL)).toBe('refuse own-program-by-model');
  });
});

describe('exactly written, a reading subcommand needs no permit', () => {
  it.each([
    'status',
    'diff',
    'log --json',
    'ps',
    'ps --json',
    'sessions',
    'doctor',
    'why src/a.ts',
    'why-host 1a-2b',
  ])('%s', (args) => {
    expect(said(`${P} ${args}`, BY_MODEL)).toBe('host own-program');
  });

  it.each(['ps --end', 'ps --end 12', 'ps 12 --end', 'ps  --session s --end'])('but `%s` does', (args) => {
    expect(said(`${P} ${args}`, BY_MODEL)).toBe('refuse own-program-by-model');
    expect(said(`${P} ${args}`, BY_PERSON)).toBe('host own-program');
  });
});

/** Each would reach the program by its name; a permit does not help, as they are not exact. */
const REFUSED: readonly string[] = [
  ` ${P} commit`,
  `${P}\tcommit`,
  `${P} commit; touch x`,
  `${P} commit && true`,
  `${P} commit | cat`,
  `${P} commit > out`,
  `${P} commit &`,
  `${P} commit $x`,
  `${P} commit "$(touch x)"`,
  `${P} commit *`,
  `${P} status; ${P} commit`,
  `${P} status\n${P} commit`,
  `cd / && ${P} commit`,
  `cd /; ${P} status`,
  `(${P} commit)`,
  `{ ${P} commit; }`,
  `if true; then ${P} commit; fi`,
  `for i in 1; do ${P} commit; done`,
  `! ${P} commit`,
  `time ${P} commit`,
  `A=1 ${P} commit`,
  `CLAUDECODE= ${P} commit`,
  `D=/opt/trai; $D/bin/trai commit`,
  `D=/opt/trai; "\${D}"/bin/trai commit`,
  `T=${P}; $T commit`,
  `export T=${P}; $T commit`,
  `T="${P} commit"; $T`,
  `for t in ${P}; do $t commit; done`,
  '"$CLAUDE_PLUGIN_ROOT"/bin/trai commit',
  'trai commit',
  'tr""ai commit',
  "t'r'ai commit",
  'tra\\i commit',
  "$'\\x74rai' commit",
  '/opt/trai/bin/tra? commit',
  '/opt/trai/bin/t* commit',
  '/opt/trai/bin/[t]rai commit',
  '/opt/trai/../trai/bin/./trai commit',
  '//opt/trai/bin/trai commit',
  'bin/trai commit',
  './bin/trai commit',
  '~/plugin/bin/trai commit',
  '$(which trai) commit',
  '$(echo /opt/trai/bin/trai) commit',
  '`command -v trai` commit',
  `env ${P} commit`,
  `env -i A=1 ${P} commit`,
  `env -S "${P} commit"`,
  `command ${P} commit`,
  `command trai commit`,
  `exec ${P} commit`,
  `exec -a x trai commit`,
  `builtin command ${P} commit`,
  `nohup ${P} commit`,
  `nice -n 5 ${P} commit`,
  `timeout 5 trai commit`,
  `setsid ${P} commit`,
  `stdbuf -o0 ${P} commit`,
  `echo commit | xargs ${P}`,
  `xargs -I{} trai {} < list`,
  `find . -maxdepth 0 -exec ${P} commit ";"`,
  `find . -ok trai commit ";"`,
  `bash -c "${P} commit"`,
  `bash -lc 'cd / && trai commit'`,
  `sh -c "sh -c '${P} commit'"`,
  `eval "${P} commit"`,
  `eval trai commit`,
  `bash ${P} commit`,
  `bash <<EOF\n${P} commit\nEOF`,
  `sh <<< "trai commit"`,
  `source ${P}`,
  `. ${P} commit`,
  `alias c=${P}; c commit`,
  `alias c="${P} commit"`,
  `f() { ${P} commit; }; f`,
  `trap "${P} commit" EXIT`,
  `echo "$(${P} commit)"`,
  `cat <(${P} commit)`,
  `git commit -m "$(${P} commit)"`,
  `git -c alias.x='!${P} commit' x`,
  `git -c alias.x='!trai commit' x`,
  `sudo ${P} commit`,
  `sudo -u u trai commit`,
  `sudo sh -c "${P} commit"`,
  `docker run -v /:/h alpine ${P} commit`,
  `docker run -v /:/h alpine chroot /h sh -c "trai commit"`,
  `node ${P} commit`,
  `python3 -c "import os; os.system('${P} commit')"`,
  `watch -n1 ${P} commit`,
  `systemd-run --user ${P} commit`,
  `coproc ${P} commit`,
  `ssh localhost ${P} commit`,
  `tmux new -d "${P} commit"`,
];

describe('refused in any other spelling that can be seen through', () => {
  it.each(REFUSED.map((command) => [command]))('%j', (command) => {
    expect(said(command, BY_MODEL)).toBe('refuse own-program-by-model');
    expect(said(command, BY_PERSON)).toBe('refuse own-program-by-model');
    expect(decide(command, { ...BY_MODEL, oneShot: true }).mode).toBe('refuse');
  });
});

/** Not recognised: in the sandbox the state directory is masked, and the program says "ask the user". */
const SANDBOXED: readonly string[] = [
  `ln -s ${P} /tmp/l && /tmp/l commit`,
  `cp ${P} ./copy && ./copy commit`,
  '/tmp/l commit',
  'a=tr; b=ai; printf "%s commit" "$a$b" | sh',
  'echo dHJhaSBjb21taXQ= | base64 -d | sh',
  '$(printf "\\x74\\x72ai") commit',
  'read x < name; $x commit',
  'python3 run.py',
  'make commit',
  'npx some-wrapper commit',
  'sh ./script-that-calls-it.sh',
  'curl -X POST http://127.0.0.1:4711/api/sessions/x/commit',
  'exec 3<>/dev/tcp/127.0.0.1/4711; echo hi >&3',
  'node -e "fetch(`http://127.0.0.1:4711/`)"',
  'ls /opt/trai/bin',
  `cat ${P}`,
  `grep -n commit ${P}`,
  'npm install trai',
];

describe('sandboxed where it cannot be seen through', () => {
  it.each(SANDBOXED.map((command) => [command]))('%j', (command) => {
    expect(decide(command, BY_MODEL).mode).toBe('sandbox');
    expect(decide(command, BY_PERSON).mode).toBe('sandbox');
  });
});

describe('what merely sounds like it is left alone', () => {
  it.each([
    ['git commit -m "fix trai commit"', 'host passthrough'],
    [`git commit -m "call ${P} commit"`, 'host passthrough'],
    ['git clone https://example.org/trai', 'host passthrough'],
    ['cd trai && git status', 'host passthrough'],
    ['mkdir trai', 'sandbox default'],
    [`find src -not -path "*/node_modules/*"`, 'sandbox default'],
    [`find . -path '*/bin/*' -prune -o -name "*.ts" -print`, 'sandbox default'],
  ])('%j', (command, expected) => {
    expect(said(command, BY_MODEL)).toBe(expected);
  });
});

it('a disabled config does not let the model commit', () => {
  const off: Facts = { ...BY_MODEL, config: { ...DEFAULT_CONFIG, enabled: false } };
  expect(decide(`${P} commit`, off).mode).toBe('refuse');
});

it('what cannot be stopped is host by decision, or invisible, and each has its example', () => {
  for (const { example, way, leftover } of UNSTOPPABLE) {
    expect(way.length * leftover.length).toBeGreaterThan(0);
    expect(decide(example, { ...BY_MODEL, pending: false }).mode).not.toBe('refuse');
  }
});

it('the refusal tells the model to ask the user', () => {
  expect(decide(`${P} commit`, BY_MODEL).text).toContain('Ask the user');
});
