// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell texts
/** `trai box` with the real bubblewrap, in place of Claude Code a script. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processProgram, processStat } from '../core/kernel/proc/proc.ts';
import { mountSource } from '../core/sandbox/context.ts';
import { endProcesses } from '../core/sandbox/live.ts';
import { eachInAPlace, leaving, type Place, type Result } from '../testing/cli.ts';

let place: Place;
let home: string;
eachInAPlace(
  (made) => {
    place = made;
  },
  // Covered, unlike temporary directories: what is written in the home has to be pending.
  userInfo().homedir,
);
beforeEach(() => {
  home = join(place.base, 'home');
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  // Made where it is missing, as by the client's first start.
  mkdirSync(join(home, '.claude/plugins'), { recursive: true });
  mkdirSync(join(place.base, 'bin'));
  config({});
  writeFileSync(join(home, '.claude/settings.json'), '{}');
});
afterEach(async () => {
  const sessions = join(place.state, 'sessions');
  for (const session of existsSync(sessions) ? readdirSync(sessions) : [])
    await endProcesses(mountSource(place.state, session));
});

const config = (more: object): void =>
  writeFileSync(
    join(home, '.config/trai/config.json'),
    JSON.stringify({ server: { autostart: false }, ...more }),
  );

const env = () => ({ HOME: home, PATH: `${join(place.base, 'bin')}:${place.env['PATH']}` });

interface In {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Shell text that runs first, in a mount namespace of its own: mounts of the machine would be in other tests' plans. */
  mount?: string;
}

const UNSHARE = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps'];

function trai(args: readonly string[], { cwd = place.project, env: more = {}, mount }: In = {}): Result {
  // With a descriptor that somebody before has left open.
  const line = `${mount === undefined ? '' : `${mount} || exit 99;`} exec 20</etc/passwd; exec bash "$0" "$@"`;
  const alone = mount === undefined ? [] : ['unshare', ...UNSHARE, '--mount', '--'];
  const [program = '', ...words] = [...alone, 'bash', '-c', line, place.program, ...args];
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd,
    env: { ...place.env, ...env(), ...more },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { rc: status, out: stdout, err: stderr };
}

/** Runs a shell script in a box. */
const sh = (script: string, options: readonly string[] = [], at: In = {}): Result =>
  trai(['box', '-y', ...options, '--shell', '--', 'bash', '-c', script], at);

/** In place of the client: these lines, with the words of the command line. */
function client(lines: string, options: readonly string[] = [], at: In = {}): Result {
  writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
  return trai(['box', '-y', ...options], at);
}

const pendingOf = (session: string): string[] =>
  trai(['diff', '--list', '--session', session])
    .out.split('\n')
    .filter(Boolean)
    .map((line) => line.trim());

/** Every entry of the host, with type, mode and content, but trai's state. */
function host(): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (path === place.state) continue;
      const what = entry.isSymbolicLink()
        ? readlinkSync(path)
        : entry.isFile()
          ? readFileSync(path, 'latin1')
          : '';
      found.set(path, `${entry.isSymbolicLink() ? '' : statSync(path).mode} ${what}`);
      if (entry.isDirectory()) walk(path);
    }
  };
  walk(place.base);
  return found;
}

const git = (dir: string, ...args: string[]): void => {
  const run = spawnSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    { cwd: dir, encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(run.stderr);
};

describe('trai box', () => {
  it('keeps what is written in project and settings pending, makes nothing on the host, and hands on the status', () => {
    writeFileSync(join(place.project, 'a'), 'old\n');
    const before = host();
    const ran = sh(
      `echo new > a; mkdir -p b/c; echo '{"x":1}' > ~/.claude/settings.json; echo plan > ~/.claude/plans/p.md; echo x > ~/.cache/x
       echo gone > ~/gone; echo gone > /tmp/gone; exit 7`,
      ['--session', 's'],
    );
    expect(ran).toMatchObject({
      rc: 7,
      out: '',
      err: expect.stringMatching(/^4 changes pending: trai diff/),
    });
    expect(host()).toEqual(before);
    expect(pendingOf('s')).toEqual(
      [`M ${home}/.claude/settings.json`, 'M a', 'A b/', 'A b/c/'].map((line) =>
        expect.stringContaining(line.slice(2)),
      ),
    );
    expect(trai(['commit', '--session', 's', 'a']).rc).toBe(0);
    expect(readFileSync(join(place.project, 'a'), 'utf8')).toBe('new\n');
    // What is kept is there in the next one.
    expect(sh('cat ~/.claude/plans/p.md ~/.cache/x; ls -A ~ | tr "\\n" " "').out).toMatch(
      /^plan\nx\n.*\.claude .*\.claude\.json/,
    );
  });

  it('has no descriptor above 2, its own processes, and of the variables those of the list', () => {
    const ran = sh(
      `for f in /proc/$$/fd/*; do [ ! -L $f ] || echo -n "$f "; done; echo; ls -d /proc/[0-9]* | wc -l; env | cut -d= -f1 | sort | tr '\\n' ' '; echo; tr '\\0' ' ' < /proc/1/cmdline`,
      ['--env', 'MINE', '--env', 'YOURS=a b'],
      {
        env: {
          SECRET: 'x',
          MINE: 'value',
          ANTHROPIC_API_KEY: 'key',
          UV_PUBLISH_TOKEN: 'x',
          UV_CACHE_DIR: '/tmp/uv',
          CLAUDE_CODE_OAUTH_TOKEN: 'key',
        },
      },
    );
    const [descriptors = '', processes, names = '', first] = ran.out.split('\n');
    expect(
      descriptors
        .trim()
        .split(' ')
        .map((path) => path.split('/').at(-1)),
    ).toEqual(['0', '1', '2']);
    // bwrap's, bash, and the two of the pipe.
    expect(Number(processes)).toBeLessThan(6);
    expect(names).toMatch(/ANTHROPIC_API_KEY .*HOME .*MINE .*PATH .*YOURS /);
    expect(names).toMatch(/CLAUDE_CODE_OAUTH_TOKEN .*UV_CACHE_DIR /);
    expect(names).not.toMatch(/SECRET|UV_PUBLISH/);
    const odd = { env: { 'LC_\ntouch': 'x', 'LC_ALL': 'C' } };
    expect(trai(['box', '--shell', '--dry-run'], odd).out).not.toContain('touch');
    // Everybody can read arguments.
    expect(first).not.toMatch(/a b|value|key/);
  });

  it('carries account and counters of ~/.claude.json, and names what a client would obey', () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":1,"theme":"dark"}');
    const ran = client(
      `echo '{"numStartups":2,"theme":"dark","mcpServers":{"s":{"command":"sh"}}}' > ~/.claude.json.1
       mv ~/.claude.json.1 ~/.claude.json 2>/dev/null || cat ~/.claude.json.1 > ~/.claude.json`,
      ['--session', 's'],
    );
    expect(ran.err).toMatch(
      /^Not carried to your ~\/\.claude\.json, since Claude Code obeys it: mcpServers\./,
    );
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toEqual({
      numStartups: 2,
      theme: 'dark',
    });
    writeFileSync(join(home, '.claude.json'), '{"numStartups":9}');
    expect(client('cat ~/.claude.json', ['--session', 's']).out).toBe('{"numStartups":9}');
    expect(readdirSync(join(place.state, 'box', instances()[0] ?? '', 'run'))).toEqual([]);
  });

  it('shows nothing of other projects in ~/.claude.json or ~/.claude, and leaves it as it is', () => {
    const other = { [join(place.base, 'other')]: { mcpServers: { s: { env: { KEY: 'PRIVATE' } } } } };
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ projects: { ...other, [place.project]: {} } }),
    );
    for (const name of ['backups', 'debug', 'ide']) {
      mkdirSync(join(home, '.claude', name));
      writeFileSync(join(home, '.claude', name, 'f'), 'PRIVATE');
    }
    const ran = client(
      `cat ~/.claude.json; grep -r PRIVATE ~/.claude; echo '{"projects":{"'$PWD'":{"lastCost":1}}}' > ~/.claude.json`,
      ['--session', 's'],
    );
    expect(JSON.parse(ran.out)).toEqual({ projects: { [place.project]: {} } });
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toEqual({
      projects: { ...other, [place.project]: { lastCost: 1 } },
    });
    expect(pendingOf('s')).toEqual([]);
  });

  it('works where home, state and settings are named through links, which are not in it', () => {
    const link = join(place.base, 'link');
    symlinkSync('.', link);
    mkdirSync(join(home, 'go/bin'), { recursive: true });
    writeFileSync(join(home, 'go/bin/tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
    const home2 = join(link, 'home');
    const named = { HOME: home2, PATH: `${home2}/go/bin:${env().PATH}`, GOPATH: `${home2}/go` };
    const script = `tool; ls $GOPATH/bin; ls -d "$HOME/.claude/settings.json"; echo x > ~/.claude/settings.json
      echo talk > "\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/projects/talk"; ls "\${TRAI_STATE_HOME:-$HOME/.local/state/trai}/inside" | grep -c sessions`;
    for (const more of [
      { TRAI_STATE_HOME: undefined },
      { TRAI_STATE_HOME: undefined, HOME: `${home2}/` },
      { TRAI_STATE_HOME: join(link, 's'), CLAUDE_CONFIG_DIR: join(home2, '.claude') },
      { TRAI_STATE_HOME: undefined, XDG_STATE_HOME: join(link, 'x') },
    ]) {
      const ran = sh(script, ['--session', 'l'], { env: { ...named, ...more } });
      expect([more, ran.out]).toEqual([more, `tool\ntool\n${home}/.claude/settings.json\n1\n`]);
    }
    const own = { HOME: home2, TRAI_STATE_HOME: join(link, 's'), CLAUDE_CONFIG_DIR: join(home2, '.claude') };
    const options = ['--session', 'l', ...Object.entries(own).flatMap((pair) => ['--env', pair.join('=')])];
    const ran = sh(`${script}; ls -d "$MORE/bin"`, [...options, '--env', `MORE=${home2}/go`], {
      env: { ...named, ...own },
    });
    expect(ran.out).toBe(`tool\ntool\n${home}/.claude/settings.json\n1\n${home}/go/bin\n`);
    const claude = join(home, 'npm/claude');
    mkdirSync(join(home, 'npm/lib'), { recursive: true });
    symlinkSync('lib/claude', claude);
    writeFileSync(join(home, 'npm/lib/claude'), '#!/bin/bash\necho "$0"; command -v claude\n', {
      mode: 0o755,
    });
    // As fnm's directory on PATH is one, too.
    symlinkSync('npm', join(home, 'within'));
    symlinkSync(join(home, 'npm'), join(place.base, 'outside'));
    for (const bin of [`${home2}/npm`, `${home2}/within`, join(place.base, 'outside')]) {
      const started = trai(['box', '-y'], { env: { HOME: home2, PATH: `${bin}:${env().PATH}` } });
      expect([bin, started.out]).toEqual([bin, `${claude}\n${claude}\n`]);
    }
    const states = [join(home, '.local/state/trai'), join(place.base, 's'), join(place.base, 'x/trai')];
    for (const state of states) {
      const [id = ''] = readdirSync(join(state, 'box'));
      expect(readFileSync(join(state, 'box', id, 'projects/talk'), 'utf8')).toBe('talk\n');
    }
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe('{}');
  });

  it('carries no trust, which a program in it could have given the project', () => {
    writeFileSync(join(home, '.claude.json'), '{}');
    const ran = client(
      `echo '{"projects":{"'$PWD'":{"lastCost":1,"hasTrustDialogAccepted":true}}}' > ~/.claude.json`,
    );
    expect(ran.err).toContain(`projects.${place.project}.hasTrustDialogAccepted`);
    expect(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'))).toEqual({
      projects: { [place.project]: { lastCost: 1 } },
    });
  });

  it('is not entered through a program that the agent has put on PATH', () => {
    const PATH = `${place.project}/bin:${env().PATH}`;
    const script = `printf '#!/bin/sh\necho evil; exit 0\n' > bin/bash; chmod +x bin/bash`;
    expect(sh(`mkdir bin; ${script}`, ['--session', 's']).rc).toBe(0);
    const ran = trai(['box', '-y', '--session', 's', '--shell', '--', '/bin/echo', 'well'], {
      env: { PATH },
    });
    expect(ran).toMatchObject({ rc: 0, out: 'well\n' });
  });

  it('mounts no view at its end when nothing was written but its mount points', () => {
    const log = join(place.base, 'programs');
    const noting = join(place.base, 'noting.cjs');
    writeFileSync(
      noting,
      `const processes = require('node:child_process');
      for (const name of ['spawn', 'spawnSync']) {
        const start = processes[name];
        processes[name] = (program, ...others) => {
          require('node:fs').appendFileSync('${log}', program.split('/').pop() + ' ');
          return start(program, ...others);
        };
      }`,
    );
    // Not the server's, nor those that tidy where none runs.
    config({ server: { autostart: true } });
    const run = (script: string) => {
      rmSync(log, { force: true });
      // With BASH_ENV Node stays beside the box, and does the end.
      const more = { NODE_OPTIONS: `--require=${noting}`, BASH_ENV: '/nonexistent' };
      const { err } = sh(script, ['--session', 's'], { env: more });
      return [readFileSync(log, 'utf8').trim().split(' '), err] as const;
    };
    try {
      trai(['ui', '--print']);
      expect(run(':')).toEqual([['setpriv', 'perl'], '']);
      expect(pendingOf('s')).toEqual([]);
      for (const script of ['chmod 700 ~/.claude', 'mkdir ~/.claude/new', 'touch f']) {
        const [programs, err] = run(script);
        expect([script, programs.includes('unshare'), err]).toEqual([
          script,
          true,
          expect.stringContaining('pending'),
        ]);
        trai(['discard', '--yes', '--session', 's']);
      }
    } finally {
      process.kill(JSON.parse(readFileSync(join(place.state, 'server.json'), 'utf8')).pid);
    }
  });

  it('has no capability, also as root', () => {
    writeFileSync(join(place.project, '.env'), 'secret');
    const ran = sh('grep CapEff /proc/self/status; umount .env 2>/dev/null; cat .env', ['--hide', '.env']);
    expect(ran.out).toMatch(/^CapEff:\s+0+\n$/);
  });

  it('lets the credentials of both sides be the same', async () => {
    writeFileSync(join(home, '.claude/.credentials.json'), '{"t":1}');
    const ran = client(
      `cat ~/.claude/.credentials.json; echo '{"t":2}' > ~/.claude/c; mv ~/.claude/c ~/.claude/.credentials.json`,
    );
    expect(ran.out).toBe('{"t":1}');
    expect(readFileSync(join(home, '.claude/.credentials.json'), 'utf8')).toBe('{"t":2}\n');
  });
});

describe('two boxes and a plain client at once', () => {
  /** A client in a box that does as the lines on its stdin say. */
  async function open(
    session: string,
  ): Promise<{ inside(line: string): Promise<string>; end(): Promise<unknown> }> {
    const lines = 'while read -r line; do eval "$line"; echo "#"; done';
    writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
    const child = spawn('bash', [place.program, 'box', '-y', '--session', session], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const gone = once(child, 'exit');
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const inside = async (line: string): Promise<string> => {
      out = '';
      child.stdin.write(`${line}\n`);
      await expect.poll(() => out).toContain('#\n');
      return out.slice(0, out.indexOf('#\n'));
    };
    await inside('true');
    const end = async (): Promise<unknown> => {
      child.stdin.end();
      return await gone;
    };
    return { inside, end };
  }

  it('have the newest credentials, whoever refreshes them: nobody is logged out', async () => {
    const file = join(home, '.claude/.credentials.json');
    const replace = (n: number, path: string) => `echo '{"n":${n}}' > ${path}.new && mv ${path}.new ${path}`;
    spawnSync('sh', ['-c', replace(1, file)]);
    const [one, two] = await Promise.all([open('one'), open('two')]);
    const writers = [
      async (line: string) => await one.inside(line),
      async (line: string) => await two.inside(line),
      async (line: string) => spawnSync('sh', ['-c', line], { env: { HOME: home } }).stdout.toString(),
    ];
    for (let n = 2; n <= 7; n++) {
      await writers[n % 3]?.(replace(n, '~/.claude/.credentials.json'));
      for (const read of writers)
        await expect.poll(async () => await read('cat ~/.claude/.credentials.json')).toBe(`{"n":${n}}\n`);
    }
    await Promise.all([one.end(), two.end()]);
    expect(readFileSync(file, 'utf8')).toBe('{"n":7}\n');
  });

  it('tear no ~/.claude.json, and lose nothing of what each of them counts', async () => {
    const file = join(home, '.claude.json');
    const lock = `${file}.lock`;
    const state = (): Record<string, number> => JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, '{"numStartups":0}');
    const [one, two] = await Promise.all([open('one'), open('two')]);
    for (const [name, box] of Object.entries({ one, two }))
      await box.inside(`echo "{\\"numStartups\\":0,\\"${name}\\":1}" > ~/j; cat ~/j > ~/.claude.json`);
    let ended = false;
    const ends = Promise.all([one.end(), two.end()]).then(() => {
      ended = true;
    });
    // As the client does: its lock is a directory, and the file is renamed over.
    let counted = 0;
    while (!ended || counted === 0) {
      const isOurs = spawnSync('mkdir', [lock]).status === 0;
      if (isOurs) {
        counted++;
        writeFileSync(`${file}.1`, JSON.stringify({ ...state(), numStartups: counted }));
        renameSync(`${file}.1`, file);
        rmdirSync(lock);
      }
      state();
      await setImmediate();
    }
    await ends;
    expect(state()).toEqual({ numStartups: counted, one: 1, two: 1 });
  });
});

const instances = (): string[] => readdirSync(join(place.state, 'box')).sort();

describe('projects', () => {
  it('see their own conversations and none of each other’s; worktrees share, submodules and bare repositories do not', () => {
    const dirs = ['one', 'two', 'plain', 'bare.git', 'tree', 'one/sub'].map((name) => join(place.base, name));
    const [one = '', two = '', plain = '', bare = '', tree = '', sub = ''] = dirs;
    for (const dir of [one, two, plain, bare]) mkdirSync(dir);
    for (const dir of [one, two]) git(dir, 'init', '-q');
    git(two, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(one, 'submodule', '-q', 'add', two, 'sub');
    git(one, 'commit', '-qm', 'x');
    git(one, 'worktree', 'add', '-q', tree);
    git(bare, 'init', '-q', '--bare');
    const said = (dir: string): string =>
      client(
        `mkdir -p ~/.claude/projects/p; echo "$PWD" >> ~/.claude/projects/p/talk; echo "$PWD" >> ~/.claude/history.jsonl
         git rev-parse --git-dir > /dev/null 2>&1 && echo repository; cat ~/.claude/projects/*/talk ~/.claude/history.jsonl`,
        [],
        { cwd: dir },
      ).out;
    for (const dir of [one, two, plain, bare, sub]) {
      const repository = dir === plain ? '' : 'repository\n';
      expect(said(dir)).toBe(`${repository}${dir}\n${dir}\n`);
    }
    expect(said(tree)).toBe(`repository\n${[one, tree, one, tree].join('\n')}\n`);
    expect(instances()).toHaveLength(5);
    const listed = trai(['box', '--list']).out;
    for (const dir of [one, two, plain, bare])
      expect(listed).toMatch(new RegExp(`^[0-9a-f]{16}  ${dir}$`, 'm'));
    expect(
      sh(
        'git status --short; git log --oneline | wc -l; git commit -q --allow-empty -m y && git log --oneline | wc -l',
        [
          '--env',
          'GIT_AUTHOR_NAME=t',
          '--env',
          'GIT_AUTHOR_EMAIL=t@t',
          '--env',
          'GIT_COMMITTER_NAME=t',
          '--env',
          'GIT_COMMITTER_EMAIL=t@t',
        ],
        { cwd: tree },
      ).out,
    ).toBe('1\n2\n');
    expect(
      spawnSync('git', ['log', '--oneline'], { cwd: tree, encoding: 'utf8' }).stdout.trim().split('\n'),
    ).toHaveLength(1);
  });

  it('may have any names', () => {
    for (const name of ['a b', 'n\nl', 'c:o,l', 'b\\s', 'q\'"', `${'l'.repeat(250)}`]) {
      const dir = join(place.base, name);
      mkdirSync(join(dir, name), { recursive: true });
      writeFileSync(join(dir, '.env'), 'secret');
      const ran = sh(
        'cat .env; echo x > made; cat made; find . -mindepth 1 -maxdepth 1 -print0 | tr -dc "\\0" | wc -c',
        ['--hide', '.env', '--allow', join(dir, name)],
        { cwd: dir },
      );
      expect([name, ran.rc, ran.out]).toEqual([name, 0, 'x\n3\n']);
      expect(existsSync(join(dir, 'made'))).toBe(false);
      expect(
        spawnSync('bash', ['-n'], { input: trai(['box', '--shell', '--dry-run'], { cwd: dir }).out }).status,
      ).toBe(0);
    }
  });

  it('may have a name that is no UTF-8', () => {
    const script = `cd "$1" && mkdir -p $'p\\xff\\xfe' && cd $'p\\xff\\xfe' && shift && exec bash "$@"`;
    const run = spawnSync(
      'bash',
      [
        '-c',
        script,
        'x',
        place.base,
        place.program,
        'box',
        '-y',
        '--shell',
        '--',
        'bash',
        '-c',
        'echo in > f; pwd; cat f',
      ],
      {
        env: { ...place.env, ...env() },
      },
    );
    expect(run.stdout.toString('latin1')).toBe(`${place.base}/p\xff\xfe\nin\n`);
  });
});

describe('options', () => {
  it('--write: the project is pending, the host’s, or read-only', () => {
    const file = join(place.project, 'f');
    expect(sh('echo 1 > f', ['--session', 'p']).rc).toBe(0);
    expect(existsSync(file)).toBe(false);
    expect(sh('echo 2 > f', ['--write', 'direct', '--session', 'd'])).toMatchObject({ rc: 0, err: '' });
    expect(readFileSync(file, 'utf8')).toBe('2\n');
    expect(sh('echo 3 > f', ['--write', 'read-only'])).toMatchObject({
      rc: 1,
      err: expect.stringContaining('Read-only'),
    });
    expect(pendingOf('d')).toEqual([]);
  });

  it('--write direct says that what its session has pending in the project is not seen', () => {
    expect(sh('echo 1 > one', ['--session', 'd']).rc).toBe(0);
    const ran = sh('ls', ['--session', 'd', '--write', 'direct']);
    expect([ran.out, ran.err]).toEqual([
      '',
      expect.stringContaining('what session d has pending in the project'),
    ]);
    expect(sh('ls', ['--session', 'd', '--write', 'read-only'])).toMatchObject({
      out: 'one\n',
      err: expect.not.stringContaining('has pending in the project'),
    });
  });

  it('--write direct writes no settings, also where they are in the project', () => {
    const before = host();
    const CLAUDE_CONFIG_DIR = join(place.project, '.claude');
    expect(
      sh('echo x > $CLAUDE_CONFIG_DIR/settings.json', ['--write', 'direct'], { env: { CLAUDE_CONFIG_DIR } }),
    ).toMatchObject({ rc: 125, err: expect.stringContaining('settings in the project') });
    expect(host()).toEqual(before);
  });

  it('--write direct: whoever enters its namespace would write your files too, and is refused', async () => {
    const child = spawn(
      'bash',
      [
        place.program,
        'box',
        '-y',
        '--write',
        'direct',
        '--session',
        'd',
        '--shell',
        '--',
        'sh',
        '-c',
        'echo up; read -r line',
      ],
      { cwd: place.project, env: { ...place.env, ...env() }, stdio: ['pipe', 'pipe', 'ignore'] },
    );
    const gone = once(child, 'exit');
    await once(child.stdout, 'data');
    const ran = trai(['exec', '--session', 'd', '--', 'sh', '-c', 'echo x > f']);
    expect(ran).toMatchObject({ rc: 125, err: expect.stringContaining('--write direct') });
    // Damaged, it says of no box that it writes elsewhere.
    const record = join(place.state, 'sessions/d/box.json');
    writeFileSync(record, readFileSync(record).subarray(0, -5));
    const damaged = trai(['exec', '--session', 'd', '--', 'sh', '-c', 'echo x > f']);
    expect(damaged).toMatchObject({ rc: 125, err: expect.stringContaining(`cannot be read: ${record}`) });
    expect(existsSync(join(place.project, 'f'))).toBe(false);
    child.stdin.end('\n');
    expect(await gone).toEqual([0, null]);
    expect(trai(['exec', '--session', 'd', '--', 'sh', '-c', 'echo x > f']).rc).toBe(0);
    expect(pendingOf('d')).toEqual(['A f']);
  });

  it('--allow: pending where an overlay is, the host’s in scratch directories, or read-only; a link shows its target', () => {
    const lib = join(place.base, 'lib');
    mkdirSync(lib);
    symlinkSync(lib, join(place.base, 'link'));
    const scratch = spawnSync('mktemp', ['-d', '-p', '/tmp'], { encoding: 'utf8' }).stdout.trim();
    try {
      const ran = sh(`echo 1 > ${lib}/f; echo 2 > ${scratch}/f`, [
        '--allow',
        lib,
        '--allow',
        scratch,
        '--session',
        'a',
      ]);
      expect(ran.rc).toBe(0);
      expect(existsSync(join(lib, 'f'))).toBe(false);
      expect(pendingOf('a')).toEqual([expect.stringContaining('lib/f')]);
      expect(readFileSync(join(scratch, 'f'), 'utf8')).toBe('2\n');
      expect(sh(`echo 1 > ${lib}/f`, ['--allow', `${lib}:ro`]).rc).toBe(1);
      expect(trai(['box', '--shell', '--dry-run', '--allow', join(place.base, 'link')]).out).toContain(
        `--bind ${lib} ${place.base}/link`,
      );
      // Nothing can be mounted on one that the project shows.
      symlinkSync(lib, join(place.project, 'link'));
      const { out } = trai(['box', '--shell', '--dry-run', '--allow', 'link']);
      expect(out.replace(/ +#/g, ' #')).toContain(
        `--bind ${lib} ${lib} # pending: --allow (by the link ${place.project}/link)`,
      );
      expect(sh(`ls ${lib}`).rc).not.toBe(0);
      // With the state elsewhere; no downloads' directory is made pending there.
      const env = { TRAI_STATE_HOME: join(place.base, 's') };
      expect(sh('echo x > ~/new', ['--allow', home], { env }).err).toMatch(/^1 change pending/);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });

  it('--hide: an empty file or directory in its place, which cannot be changed or taken away', () => {
    writeFileSync(join(place.project, '.env'), 'secret');
    mkdirSync(join(place.project, 'keys'));
    writeFileSync(join(place.project, 'keys/k'), 'secret');
    symlinkSync('.env', join(place.project, 'same'));
    const ran = sh(
      'cat .env same; ls -A keys | wc -l; echo x > .env || rm -f .env || mv .env e || echo no; rm -rf keys; [ -d keys ] && echo there',
      ['--hide', '.env', '--hide', 'keys', '--session', 'h'],
    );
    expect(ran.out).toBe('0\nno\nthere\n');
    expect(pendingOf('h')).toEqual([]);
    expect(trai(['box', '-y', '--hide', '/etc/passwd', '--shell'])).toMatchObject({ rc: 2 });
  });

  it('--hide of what only the host has, or only the session: it is not made, and what is pending is hidden', () => {
    writeFileSync(join(place.project, '.env'), 'secret');
    expect(sh('rm .env; mkdir keys; echo pending > keys/k; echo pending > .new', ['--session', 'h']).rc).toBe(
      0,
    );
    const before = pendingOf('h');
    const hide = ['.env', '.new', 'keys', 'keys/k'].flatMap((name) => ['--hide', name]);
    const ran = sh('ls -A; cat .new; ls -A keys; cat keys/k', [...hide, '--session', 'h']);
    expect(ran.out).toBe('.new\nkeys\n');
    expect(ran.err).toMatch(/keys\/k.*No such file/);
    expect(ran.err).not.toContain('nothing is there');
    expect(pendingOf('h')).toEqual(before);
    expect(before).toEqual(['D .env', 'A .new', 'A keys/', 'A keys/k']);
  });

  it('--hide finds names that are no UTF-8 and have line ends, pending links, and what cannot be looked into', () => {
    const bytes = (text: string) =>
      Buffer.concat([Buffer.from(`${place.project}/`), Buffer.from(text, 'latin1')]);
    const project = bytes('p\xe9');
    mkdirSync(project);
    const at = (name: string) => Buffer.concat([project, Buffer.from(`/${name}`)]);
    for (const name of ['.env', 'a\n']) writeFileSync(at(name), 'secret');
    mkdirSync(at('d'));
    writeFileSync(at('d/key'), 'secret');
    chmodSync(at('d'), 0);
    // No argument of Node's leads to it.
    const into = (line: string) => ({ cwd: place.project, mount: `cd p* && ${line} && true` });
    const hide = ['.env', 'a\n', 'd/key'].flatMap((name) => ['--hide', name]);
    const script = 'cat .env "a\n"; echo x > .env; chmod 700 d; cat d/key; true';
    const ran = sh(script, [...hide, '--session', 'b'], into('git init -q .'));
    chmodSync(at('d'), 0o700);
    expect(ran).toMatchObject({
      rc: 0,
      out: '',
      err: expect.stringContaining('.env: Read-only file system'),
    });
    const moved =
      'mv .env conf; ln -s conf .env; mv d e; ln -s "$PWD/e" d; ln -s "$PWD/conf" far; ln -s /etc/passwd out';
    writeFileSync(join(place.project, '.env'), 'secret');
    mkdirSync(join(place.project, 'd'));
    writeFileSync(join(place.project, 'd/key'), 'secret');
    expect(sh(moved, ['--session', 'l']).rc).toBe(0);
    const links = ['.env', 'd/key', 'far', 'out'].flatMap((name) => ['--hide', name]);
    const found = sh('cat .env conf d/key e/key far; head -c 4 out', [...links, '--session', 'l']);
    expect(found).toMatchObject({ rc: 0, out: 'root' });
  });

  it('--allow below what is hidden is not shown, and the table does not say so', () => {
    mkdirSync(join(place.project, 'd/pub'), { recursive: true });
    writeFileSync(join(place.project, 'd/pub/x'), 'public');
    const options = ['--hide', 'd', '--allow', 'd/pub'];
    expect(sh('ls -A d', options)).toMatchObject({ rc: 0, out: '' });
    expect(trai(['box', '--shell', '--dry-run', ...options]).out).not.toContain('d/pub');
  });

  it('--hide of a misspelt name is said, also without the screen; that of a profile may be about others', () => {
    config({ box: { profiles: { p: { hide: ['.other'] } } } });
    const said = sh('true', ['--hide', '.evn', '--profile', 'p']);
    expect(said).toMatchObject({ rc: 0, err: expect.stringContaining('--hide ".evn": nothing is there') });
    expect(said.err).not.toContain('.other');
    // In a session that is there already.
    for (let n = 0; n < 2; n++)
      expect(sh('true', ['--hide', '.evn', '--session', 'e']).err).toContain(
        '--hide ".evn": nothing is there',
      );
    expect(trai(['box', '--shell', '--dry-run', '--hide', '.evn']).err).toContain('".evn"');
  });

  it('--env of a variable that is not set is said', () => {
    expect(
      sh('true', ['--env', 'UNSET', '--env', 'MINE', '--env', 'YOURS='], { env: { MINE: '' } }),
    ).toMatchObject({
      rc: 0,
      err: expect.stringMatching(/^--env UNSET: it is not set.*\n$/),
    });
  });

  it('--hide below a directory that cannot be looked into says that all of it is hidden', ({ skip }) => {
    if (process.getuid?.() === 0) skip('root looks into every directory');
    mkdirSync(join(place.project, 'd/e'), { recursive: true });
    const closed = join(place.project, 'd');
    chmodSync(closed, 0);
    const options = ['--hide', 'd/e/key', '--session', 'c'];
    const script = 'chmod 700 d; ls -A d';
    const [first, again] = [sh(script, options), sh(script, options)];
    const gone = [
      sh('chmod 700 d; rm -r d', ['--session', 'g']),
      sh('true', ['--hide', 'd/e/key', '--session', 'g']),
    ];
    chmodSync(closed, 0o700);
    for (const { out, err } of [first, again]) {
      expect(out).toBe('');
      expect(err).toContain(`"d/e/key": you can't look into ${closed}, so all of that directory is hidden`);
      expect(err).not.toContain('nothing is there');
    }
    expect(gone[1]?.err).toContain('"d/e/key": nothing is there');
  });

  it('--net off leaves lo alone', () => {
    expect(sh('cat /proc/net/dev | tail -n +3 | wc -l', ['--net', 'off']).out).toBe('1\n');
  });

  it('--profile takes options of config.json, which those of the command line overrule', () => {
    config({ box: { profiles: { ro: { write: 'read-only', env: ['P=1'] } } } });
    expect(sh('echo $P; touch f || echo no', ['--profile', 'ro']).out).toBe('1\nno\n');
    expect(sh('echo $P; touch f || echo no', ['--profile', 'ro', '--write', 'pending']).out).toBe('1\n');
    expect(trai(['box', '--profile', 'none'])).toMatchObject({
      rc: 2,
      err: expect.stringContaining('There are: ro'),
    });
  });

  it.each([
    ['another word', { write: 'readonly' }],
    ['a text for a list', { hide: '.env' }],
    ['an empty entry', { hide: [''] }],
    ['another name', { hidden: ['.env'] }],
    ['no object', 'read-only'],
  ])('--profile with %s is refused: its defaults would give more', (_, safe) => {
    config({ box: { profiles: { safe, other: { write: 'read-only' } } } });
    expect(trai(['box', '-y', '--profile', 'safe', '--shell', '--', 'true'])).toMatchObject({
      rc: 2,
      err: expect.stringMatching(/config\.json: box\.profiles\.safe/),
    });
    expect(existsSync(place.state)).toBe(false);
    expect(sh('touch f || echo no', ['--profile', 'other']).out).toBe('no\n');
  });

  it('--profile of a config that is no JSON says so', () => {
    writeFileSync(join(home, '.config/trai/config.json'), '{');
    expect(trai(['box', '-y', '--profile', 'safe'])).toMatchObject({
      rc: 2,
      err: expect.stringMatching(/config\.json: .*JSON/),
    });
  });

  it('--continue goes on with the newest session in a shell as well; words of its command name none', () => {
    expect(sh('echo 1 > one', ['--session', 'first']).rc).toBe(0);
    expect(sh('cat one', ['--continue']).out).toBe('1\n');
    expect(trai(['box', '-y', '--shell', '--', 'cat', '--continue', '-c']).rc).toBe(1);
    expect(trai(['box', '-y', '--shell', '--', 'ls', '-c', '.']).out).toBe('');
  });

  it('ends nothing that an earlier client was told to leave, where it cannot start beside that', () => {
    writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${leaving(437)}\n`, { mode: 0o755 });
    expect(trai(['claude', '--session', 's', '--keep-running']).rc).toBe(0);
    const ran = sh('echo ran', ['--session', 's']);
    expect(ran).toMatchObject({ rc: 125, out: '', err: expect.stringContaining("can't be joined") });
    expect(ran.err).not.toContain('Ending');
    const { processes } = JSON.parse(trai(['ps', '--session', 's', '--json']).out);
    expect(processes).toMatchObject([{ command: 'sleep 437' }]);
  });

  it('has status 125 where nothing ran, and 2 for words that say nothing together', () => {
    expect(trai(['box', '-y', '--continue', '--shell', '--', 'true'])).toMatchObject({
      rc: 125,
      err: expect.stringContaining('no session of this project'),
    });
    expect(trai(['box', '--dry-run', '--continue', '--shell']).rc).toBe(125);
    for (const [words, unexpected] of [
      [['--gc', '--dry-rum'], '--dry-rum'],
      [['--list', '--gc'], '--gc'],
      [['--check', '--shell'], '--shell'],
      [['--list', '--allow', '/usr'], '--allow'],
      [['--gc', '--session', 's'], '--session'],
    ] as const)
      expect(trai(['box', ...words])).toMatchObject({
        rc: 2,
        err: expect.stringContaining(`unexpected "${unexpected}" beside`),
      });
    for (const command of ['box', 'claude'])
      expect(trai([command, '--session', 's', '--continue'])).toMatchObject({
        rc: 2,
        err: expect.stringContaining('expected --session or --continue, found both'),
      });
    expect(trai(['box', '--yes=1', '--dry-run'])).toMatchObject({
      rc: 2,
      err: expect.stringMatching(/^trai: --yes takes no value\n/),
    });
    expect(existsSync(join(place.state, 'sessions'))).toBe(false);
  });

  it('--history: the project’s own, or the host’s', () => {
    writeFileSync(join(home, '.claude/history.jsonl'), 'mine\n');
    expect(client('cat ~/.claude/history.jsonl; echo own >> ~/.claude/history.jsonl').out).toBe('');
    expect(client('cat ~/.claude/history.jsonl', ['--history', 'shared']).out).toBe('mine\n');
    client('echo shared >> ~/.claude/history.jsonl', ['--history', 'shared']);
    expect(readFileSync(join(home, '.claude/history.jsonl'), 'utf8')).toBe('mine\nshared\n');
    expect(client('cat ~/.claude/history.jsonl').out).toBe('own\n');
  });

  it('of the project only narrow, and what would widen is said', () => {
    mkdirSync(join(place.project, '.claude'));
    writeFileSync(join(place.project, '.env'), 'secret');
    const file = join(place.project, '.claude/trai.box.json');
    writeFileSync(
      file,
      JSON.stringify({
        'hide': ['.env', '../x', '/etc'],
        'allow': ['/'],
        'net': 'off',
        'read-only': true,
        'env': ['SECRET'],
      }),
    );
    const said = trai(['box', '--shell', '--dry-run', '--net', 'open'], { env: { SECRET: 'x' } });
    expect(said.err.trim().split('\n')).toEqual([
      expect.stringContaining('"../x"'),
      expect.stringContaining('"/etc"'),
      expect.stringContaining('"allow"'),
      expect.stringContaining('"env"'),
    ]);
    expect(said.out).not.toContain('SECRET');
    const ran = sh('cat .env; touch f || echo no; tail -n +3 /proc/net/dev | wc -l');
    expect(ran.out).toBe('no\n1\n');
    // There was no screen that has said it.
    expect(ran.err).toContain('"../x"');
    // As in .gitignore: it would hide nothing.
    writeFileSync(file, '{"hide":["*.env","later"]}');
    const { err } = trai(['box', '--shell', '--dry-run']);
    expect(err.trim()).toBe(
      `Nothing is hidden by ${place.project}/*.env: no such name, and * is no wildcard.`,
    );
    writeFileSync(file, '{"net":"open"}');
    expect(sh('tail -n +3 /proc/net/dev | wc -l', ['--net', 'off']).out).toBe('1\n');
    for (const [key, value] of Object.entries({ 'hide': '.env', 'net': 'of', 'read-only': 'yes' })) {
      writeFileSync(file, JSON.stringify({ [key]: value }));
      expect(trai(['box', '--shell', '--dry-run']).err).toContain(`"${key}" is ignored: expected`);
    }
    writeFileSync(file, '{"__proto__":{},"toString":false}');
    const odd = trai(['box', '--shell', '--dry-run']);
    expect(odd.rc).toBe(0);
    for (const key of ['__proto__', 'toString']) expect(odd.err).toContain(`"${key}" is ignored, since`);
    writeFileSync(file, 'no JSON');
    expect(trai(['box', '--shell', '--dry-run']).err).toContain('is no JSON object');
    rmSync(file);
    symlinkSync('/dev/zero', file);
    expect(trai(['box', '--shell', '--dry-run']).rc).toBe(0);
  });

  it('--dry-run and the refusal without a terminal make nothing', () => {
    const before = host();
    expect(trai(['box', '--shell', '--dry-run']).rc).toBe(0);
    expect(trai(['box', '--shell', '--', 'true'])).toMatchObject({
      rc: 1,
      err: expect.stringContaining('--yes'),
    });
    expect(existsSync(place.state)).toBe(false);
    expect(host()).toEqual(before);
  });
});

describe('what no box can be made of', () => {
  it('is refused with 125, or 2 for a wrong option, and nothing is made', () => {
    const before = host();
    const refused = (at: In, options: readonly string[] = []): [number | null, string] => {
      const { rc, err } = trai(['box', '-y', ...options, '--shell', '--', 'true'], at);
      return [rc, err];
    };
    for (const cwd of ['/', home, place.base, '/tmp']) expect([cwd, refused({ cwd })[0]]).toEqual([cwd, 125]);
    expect(refused({ env: { SANDBOX_RUNTIME: '1' } })).toEqual([
      125,
      expect.stringContaining('SANDBOX_RUNTIME'),
    ]);
    for (const [allow, why] of [
      ['/', 'everything'],
      [place.state, 'nothing'],
      ['/no/such', 'nothing'],
      [home, 'nothing'],
    ])
      if (why === 'everything' || allow !== home)
        expect([allow, refused({}, ['--allow', allow ?? ''])[0]]).toEqual([allow, 2]);
    for (const option of [
      ['--write', 'x'],
      ['--net', 'x'],
      ['--history', 'x'],
      ['--env', 'A B'],
      ['--profile', 'x'],
      ['--allow', ''],
      ['--allow', ':ro'],
      ['--hide', ''],
      ['--env', 'HOME=/x'],
      ['--env', 'TRAI_STATE_HOME=/x'],
      ['--env', 'CLAUDE_CONFIG_DIR=/x'],
    ])
      expect([option, refused({}, option)[0]]).toEqual([option, 2]);
    expect(trai(['box', '-y'])).toMatchObject({ rc: 127 });
    expect(existsSync(place.state)).toBe(false);
    expect(host()).toEqual(before);
    mkdirSync(place.state, { mode: 0o700 });
    for (const allow of [place.state, place.base])
      expect([allow, refused({}, ['--allow', allow])[0]]).toEqual([allow, 2]);
    expect(refused({ cwd: place.state })[0]).toBe(125);
  });

  it('a project that no overlay can cover: direct is offered, and works', async (ctx) => {
    if (!existsSync('/usr/bin/bindfs') || !existsSync('/dev/fuse'))
      return ctx.skip('there is no bindfs or no /dev/fuse here');
    const [behind, at] = ['behind', 'far'].map((name) => join(place.base, name)) as [string, string];
    for (const dir of [behind, at]) mkdirSync(dir);
    const mount = `/usr/bin/bindfs -o fsname=far '${behind}' '${at}' && cd .`;
    expect(sh('echo x > f', [], { cwd: at, mount })).toMatchObject({
      rc: 125,
      err: expect.stringContaining('--write direct'),
    });
    expect(sh('echo x > f', ['--write', 'direct'], { cwd: at, mount })).toMatchObject({ rc: 0 });
    expect(readFileSync(join(behind, 'f'), 'utf8')).toBe('x\n');
  });

  it('a bwrap that is missing, or that others could replace, is not run', () => {
    const bin = join(place.base, 'bin');
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bubblewrap 0.8.0"; touch /tmp/ran\n', {
      mode: 0o755,
    });
    const run = trai(['box', '-y', '--shell', '--', 'true'], {
      env: { PATH: `${bin}:${place.env['PATH']}` },
    });
    // As root it is root's own.
    if (process.getuid?.() !== 0)
      expect(run).toMatchObject({ rc: 125, err: expect.stringContaining('cannot be trusted') });
    chmodSync(join(bin, 'bwrap'), 0o777);
    expect(
      trai(['box', '-y', '--shell', '--', 'true'], { env: { PATH: `${bin}:${place.env['PATH']}` } }),
    ).toMatchObject({ rc: 125 });
    expect(trai(['box', '--check'], { env: { PATH: `${bin}:${place.env['PATH']}` } }).rc).toBe(1);
    rmSync(join(bin, 'bwrap'));
    expect(trai(['box', '--check'])).toMatchObject({ rc: 0, out: expect.stringContaining('bubblewrap') });
  });

  it('inside a box, a session’s call or an exec', () => {
    const inner = `bash '${place.program}' box -y --shell -- true; echo $?`;
    for (const line of [inner, inner.replace(' box -y --shell -- true', ' claude')])
      expect(sh(line)).toMatchObject({
        out: '125\n',
        err: expect.stringContaining('inside a session or a box'),
      });
    expect(trai(['exec', '--session', 'x', '--', 'bash', '-c', inner]).out).toBe('125\n');
  });

  it('says 125 when bwrap fails, and the program’s own 1 when that did', () => {
    expect(sh('exit 1').rc).toBe(1);
    git(place.project, 'init', '-q');
    const cwd = join(place.project, 'd/e');
    mkdirSync(cwd, { recursive: true });
    expect(sh('true', ['--hide', '..'], { cwd })).toMatchObject({
      rc: 125,
      err: expect.stringMatching(/^bwrap: .*nothing ran/s),
    });
  });

  it('gives the status of a shell for a program that is not in the box, or is none', () => {
    writeFileSync(join(place.project, 'f'), '');
    const run = (program: string) => trai(['box', '-y', '--shell', '--', program]);
    expect(run('nosuch')).toMatchObject({ rc: 127, err: expect.stringContaining('nosuch') });
    expect(run('/no/such/program')).toMatchObject({ rc: 127 });
    expect(run('./f')).toMatchObject({ rc: 126, err: expect.stringContaining('./f') });
    expect(run('--no-option')).toMatchObject({ rc: 127 });
  });

  it('without a home it says so; one that is not named is the password file’s', () => {
    expect(trai(['box', '--shell', '--dry-run'], { env: { HOME: '/nonexistent' } })).toMatchObject({
      rc: 125,
      err: expect.stringContaining('/nonexistent'),
    });
    for (const HOME of ['', 'home', undefined]) {
      const said = trai(['box', '--shell', '--dry-run'], { env: { HOME } });
      expect([HOME, said.out.includes(`--tmpfs ${userInfo().homedir} `)]).toEqual([HOME, true]);
    }
  });

  it('of another project is a session that is named', () => {
    sh('true', ['--session', 's']);
    const other = join(place.base, 'other');
    mkdirSync(other);
    expect(sh('true', ['--session', 's'], { cwd: other })).toMatchObject({
      rc: 125,
      err: expect.stringContaining(place.project),
    });
  });
});

describe('the screen before the start', () => {
  const asks = (): string =>
    ['bash', place.program, 'box', '--session', 's', '--shell', '--', 'touch', 'made']
      .map((word) => `'${word}'`)
      .join(' ');
  /** script(1) gives it a terminal, and types. */
  const answered = (answer: string, line = asks()): string => {
    return spawnSync('script', ['-qec', line, '/dev/null'], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      input: answer,
      encoding: 'utf8',
    }).stdout;
  };

  it('shows rows, network and names of variables, and starts nothing without a yes', () => {
    const shown = answered('n\n');
    expect(shown).toContain('The box will see:');
    expect(shown).toMatch(new RegExp(`pending +${place.project}  \\(the project`));
    expect(shown).toMatch(/Network: +this machine’s, whole/);
    expect(shown).toMatch(/Variables:\s+HOME .*PATH/);
    expect(shown).toContain('Nothing was started.');
    expect(existsSync(place.state)).toBe(false);
    for (const answer of ['no\n', '\x04']) expect(answered(answer)).toContain('Nothing was started.');
    expect(existsSync(place.state)).toBe(false);
    expect(answered('y\n')).toContain('1 change pending');
    expect(pendingOf('s')).toEqual(['A made']);
  });

  it('is a job that Ctrl-Z stops as a whole, and leaves the terminal as it was', async () => {
    const modes = 'stty -a | grep -Eo -- "-?(icanon|echo) " | tr -d "\n"';
    const script = `${asks()}; echo "status $?"; fg; echo "then $?"; ${asks()}; echo "killed $?"; ${modes}`;
    const terminal = spawn('script', ['-qec', 'exec bash -mc "$LINE"', '/dev/null'], {
      cwd: place.project,
      env: { ...place.env, ...env(), LINE: script },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const gone = once(terminal, 'exit');
    let out = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    try {
      await expect.poll(() => out, { timeout: 20_000 }).toContain('Start it?');
      terminal.stdin.write('\x1a');
      await expect.poll(() => out, { timeout: 20_000 }).toContain('status 148');
      const nodes = () => below(terminal.pid ?? -1).filter((pid) => processProgram(pid) === process.execPath);
      await expect.poll(() => nodes().map((pid) => processStat(pid)?.state)).not.toContain('T');
      terminal.stdin.write('y\n');
      await expect.poll(() => out, { timeout: 20_000 }).toMatch(/then 0.*Start it\?/s);
      for (const pid of nodes()) process.kill(pid, 'SIGKILL');
      await gone;
      expect(pendingOf('s')).toEqual(['A made']);
      expect(out).toContain('killed 137');
      expect(out).toContain('icanon echo ');
      expect(out).not.toMatch(/-(icanon|echo)/);
    } finally {
      terminal.kill('SIGKILL');
    }
  });
});

describe('a program that attacks', () => {
  it('reaches nothing outside of the box', () => {
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh/id'), 'PRIVATE');
    const other = join(place.base, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'secret'), 'PRIVATE');
    symlinkSync(other, join(place.project, 'out'));
    symlinkSync(`${home}/.ssh`, join(place.project, 'keys'));
    sh('echo talk > ~/.claude/projects/PRIVATE', [], { cwd: other });
    const pid = process.pid;
    const state = place.state;
    const attacks = [
      `cat ~/.ssh/id ${home}/.ssh/id out/secret keys/id ../other/secret ${other}/secret`,
      `ls ${state}/sessions ${state}/box ${state}/overlays ${state}/server.json; ls ${state}/instance`,
      `cat ${state}/instance/*/* ${state}/*/projects/PRIVATE ~/.claude/projects/PRIVATE`,
      `cat /proc/${pid}/environ /proc/${pid}/root/etc/hostname; kill -0 ${pid} && echo PRIVATE`,
      'for p in /proc/[0-9]*; do cat $p/root/../../../$HOME/.ssh/id; ls $p/cwd/../other; done',
      'for fd in /proc/self/fd/*; do [ ${fd##*/} -le 2 ] || cat $fd/secret $fd/../other/secret; done',
      `mount -t tmpfs none /mnt && echo PRIVATE; umount ${state} && ls ${state}/sessions && echo PRIVATE`,
      `unshare -Urm sh -c 'umount -l ${home}; cat ${home}/.ssh/id; mount --bind / /mnt && cat /mnt${home}/.ssh/id'`,
      `unshare -Urmp --fork sh -c 'mount -t proc proc /proc && cat /proc/*/root${home}/.ssh/id'`,
      `nsenter -t 1 -m -U --preserve-credentials cat ${home}/.ssh/id; chroot /proc/1/root cat ${home}/.ssh/id`,
      'cat /dev/mem /dev/kmsg /dev/sda* /dev/vda*',
    ];
    const ran = sh(attacks.map((one) => `{ ${one}; } 2>/dev/null`).join('\n'));
    expect(ran.out).not.toContain('PRIVATE');
    expect(ran.out.split('\n').filter((line) => line !== '')).toEqual([]);
  });

  it('writes no settings, hooks or programs of the host', () => {
    writeFileSync(join(home, '.gitconfig'), '[user]\n');
    const before = host();
    const ran = sh(
      `for f in ~/.claude/settings.json ~/.claude/hooks/h ~/.claude/commands/c.md ~/.gitconfig ~/.bashrc ~/.config/trai/config.json ~/.local/bin/x ${place.program} /usr/bin/x /etc/passwd ${place.state}/x ~/.cargo/bin/x .git/hooks/h .mcp.json; do
         mkdir -p "$(dirname $f)"; echo evil > $f; done; true`,
      ['--session', 's'],
    );
    expect(ran.rc).toBe(0);
    expect(host()).toEqual(before);
    expect(pendingOf('s').length).toBeGreaterThan(3);
  });

  it('cannot type into its terminal', () => {
    const terminal = `python3 - << 'E'
import fcntl, termios
try:
    with open('/dev/tty', 'w') as tty: fcntl.ioctl(tty, 0x5412, b'x')
    print('typed')
except OSError as error: print('no', error.errno)
E`;
    writeFileSync(join(place.project, 't.sh'), terminal);
    // script(1) gives it a terminal.
    const words = ['bash', place.program, 'box', '-y', '--shell', '--', 'bash', 't.sh']
      .map((word) => `'${word}'`)
      .join(' ');
    const run = spawnSync('script', ['-qec', words, '/dev/null'], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      encoding: 'utf8',
    });
    expect(run.stdout).toMatch(/^no \d+/m);
    expect(run.stdout).not.toContain('typed');
  });
});

describe('the end', () => {
  it('of `trai box` that is killed is that of all in the box; the session is quiet, and nothing is lost', async () => {
    for (const victim of ['trai', 'launch', 'bwrap'] as const) {
      const script = 'echo up > f; echo up; tail -f /dev/null & tail -f /dev/null';
      const child = spawn(
        'bash',
        [place.program, 'box', '-y', '--session', victim, '--shell', '--', 'bash', '-c', script],
        {
          cwd: place.project,
          env: { ...place.env, ...env() },
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      const gone = once(child, 'exit');
      await once(child.stdout, 'data');
      const pids = below(child.pid ?? -1);
      const kill = {
        trai: child.pid,
        launch: pids.find((pid) => commandOf(pid).includes('/launch')),
        bwrap: pids.find((pid) => commandOf(pid).startsWith('/usr/bin/bwrap')),
      }[victim];
      process.kill(kill ?? expect.fail(`${victim} is not running`), 'SIGKILL');
      child.stdout.destroy();
      await gone;
      await expect
        .poll(() =>
          pids.filter(
            (pid) => existsSync(`/proc/${pid}`) && !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')),
          ),
        )
        .toEqual([]);
      expect(pendingOf(victim)).toEqual(['A f']);
      expect(sh('cat f', ['--session', victim]).out).toBe('up\n');
    }
  });
});

it('its namespace is not that of the next client, whose conversations would be lost in it', async () => {
  writeFileSync(
    join(place.base, 'bin/claude'),
    '#!/bin/bash\necho up; read -r line; echo talk > ~/.claude/projects/talk\n',
    {
      mode: 0o755,
    },
  );
  const options = { cwd: place.project, env: { ...place.env, ...env() } };
  const first = spawn('bash', [place.program, 'box', '-y', '--session', 's'], {
    ...options,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const gone = once(first, 'exit');
  await once(first.stdout, 'data');
  const stays = spawn(
    'bash',
    [place.program, 'exec', '--session', 's', '--', 'sh', '-c', 'echo in; exec sleep 100'],
    {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  await once(stays.stdout, 'data');
  first.stdin.end('\n');
  await gone;
  const next = trai(['claude', '--session', 's']);
  expect(next).toMatchObject({ rc: 125, err: expect.stringContaining('mounted in a namespace of its own') });
  await endProcesses(mountSource(place.state, 's'));
  expect(trai(['claude', '--session', 's']).rc).toBe(0);
  expect(readFileSync(join(home, '.claude/projects/talk'), 'utf8')).toBe('talk\n');
});

function below(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...below(child)]);
}

const commandOf = (pid: number): string =>
  existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
    : '';

describe('trai box --gc', () => {
  const box = (name: string): string => {
    const dir = join(place.base, name);
    mkdirSync(dir, { recursive: true });
    const before = existsSync(join(place.state, 'box')) ? instances() : [];
    sh('echo x > ~/.claude/projects/talk', ['--session', name.replaceAll(/[/\n]/g, '-')], { cwd: dir });
    return instances().find((id) => !before.includes(id)) ?? '';
  };

  it('moves to the trash what belongs to no project any more, and nothing else; mv brings it back', () => {
    const [gone, there, disk, moved, mount] = ['gone', 'there', 'disk/p', 'back', 'mnt/p'].map(box);
    mkdirSync(join(place.base, 'pending'));
    const before = instances();
    sh('echo x > f', ['--session', 'pending'], { cwd: join(place.base, 'pending') });
    const pending = instances().find((id) => !before.includes(id));
    for (const name of ['gone', 'disk', 'pending', 'back', 'mnt/p'])
      rmSync(join(place.base, name), { recursive: true });
    const dry = trai(['box', '--gc', '--dry-run', '--json']);
    const read = JSON.parse(dry.out) as { taken: { id: string }[]; left: { id: string; why: string }[] };
    expect(read.taken.map(({ id }) => id).sort()).toEqual([gone, moved].sort());
    expect(instances()).toHaveLength(6);
    expect(read.left.map(({ id }) => id).sort()).toEqual([disk, mount, pending].sort());
    const did = trai(['box', '--gc']);
    expect(did.rc).toBe(0);
    expect(instances()).toEqual([there, disk, mount, pending].sort());
    const line = did.out.split('\n').find((one) => one.includes('mv ') && one.includes(moved ?? '')) ?? '';
    spawnSync('bash', ['-c', line.replace(/^.*Back with: /, '')]);
    expect(instances()).toContain(moved);
    expect(existsSync(join(place.state, 'box', moved ?? '', 'projects/talk'))).toBe(true);
  });

  it('also of a project whose path has newlines', () => {
    const [gone, there] = ['gone\nand\n', 'there\n'].map(box);
    rmSync(join(place.base, 'gone\nand\n'), { recursive: true });
    const { taken, left } = JSON.parse(trai(['box', '--gc', '--json']).out) as Record<
      string,
      { id: string }[]
    >;
    expect([taken?.map(({ id }) => id), left]).toEqual([[gone], []]);
    expect(instances()).toEqual([there]);
  });

  it('is a part of trai gc, which removes for good what was in the trash for long', () => {
    const id = box('gone');
    rmSync(join(place.base, 'gone'), { recursive: true });
    expect(trai(['gc']).out).toContain(`box ${id} of ${place.base}/gone, `);
    expect(instances()).toEqual([id]);
    expect(trai(['gc', '--yes']).out).toContain(`Moved box ${id}`);
    const trash = () => readdirSync(join(place.state, 'trash')).filter((name) => name.startsWith('box.'));
    expect([instances(), trash()]).toEqual([[], [expect.stringContaining(id)]]);
    trai(['gc', '--yes']);
    expect(trash()).toHaveLength(1);
    renameSync(join(place.state, 'trash', trash()[0] ?? ''), join(place.state, `trash/box.${id}.1000`));
    expect(trai(['gc', '--yes']).out).toContain(`Removed box ${id}`);
    expect(trash()).toEqual([]);
  });

  it('leaves, and names, records that it cannot trust', () => {
    const ids = ['a', 'b', 'c', 'd'].map(box);
    const records = ['', 'relative/path\n', '/one\n/two\n', '/no/../such\n'];
    for (const [i, id] of ids.entries()) {
      rmSync(join(place.base, 'abcd'[i] ?? ''), { recursive: true });
      writeFileSync(join(place.state, 'box', id, 'project-root'), records[i] ?? '');
    }
    const link = join(place.state, 'box', box('e'), 'project-root');
    renameSync(link, join(place.base, 'record'));
    symlinkSync(join(place.base, 'record'), link);
    rmSync(join(place.base, 'e'), { recursive: true });
    mkdirSync(join(place.state, 'box/not-an-id'));
    symlinkSync(place.base, join(place.state, 'box/0123456789abcdef'));
    const before = instances();
    const { out } = trai(['box', '--gc']);
    expect(instances()).toEqual(before);
    expect(out.match(/^Left /gm)).toHaveLength(before.length);
    expect(existsSync(join(place.base, 'record'))).toBe(true);
  });

  it('leaves all of a disk that is not mounted: a mount point that is gone, empty, or cannot be read', () => {
    const places = ['away/p', 'mnt/p', 'mnt/deep/er/p', 'shut/p'];
    const ids = places.map(box);
    for (const name of ['away', 'mnt/p', 'mnt/deep', 'shut/p'])
      rmSync(join(place.base, name), { recursive: true });
    chmodSync(join(place.base, 'shut'), 0);
    try {
      const { taken, left } = JSON.parse(trai(['box', '--gc', '--json']).out) as {
        taken: unknown[];
        left: { id: string }[];
      };
      expect([taken, left.map(({ id }) => id).sort()]).toEqual([[], [...ids].sort()]);
      expect(instances()).toEqual([...ids].sort());
    } finally {
      chmodSync(join(place.base, 'shut'), 0o755);
    }
  });
});
