import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeFileLock } from '../core/kernel/proc/file-lock.ts';
import { childrenOf, processArguments, processStat } from '../core/kernel/proc/proc.ts';
import { eachInAPlace, leaving, type Place, type Result } from '../testing/cli.ts';

let place: Place;
let home: string;
eachInAPlace((made) => {
  place = made;
});
// Below the project, which is covered wherever the tests' directory is.
beforeEach(() => {
  home = join(place.project, 'home');
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  mkdirSync(join(place.base, 'bin'));
  writeFileSync(join(home, '.config/trai/config.json'), '{"server":{"autostart":false}}');
});

const env = () => ({ HOME: home, PATH: `${join(place.base, 'bin')}:${place.env['PATH']}` });
const host = (name: string): string | null =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : null;
const state = () => JSON.parse(host('.claude.json') ?? '');

/** In place of the client: these lines, with the words of the command line. */
function client(lines: string): void {
  writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
}
function run(lines: string, words: readonly string[] = []): Result {
  client(lines);
  return place.trai(['claude', '--session', 'c', ...words], env());
}
/** Node, where it stays beside the client. */
const nodeOf = (pid = 0): number => childrenOf(pid)[0] ?? 0;
const pending = (): string[] =>
  place
    .trai(['diff', '--list', '--session', 'c'], env())
    .out.split('\n')
    .filter(Boolean)
    .map((line) => line.trim());

describe('trai claude', () => {
  it('hands on all words from the first that is none of its own, and the client’s output and status', () => {
    const words = ['-p', 'a b', '--model', 'x', '--', '--session', 'y', ''];
    const ran = run(`printf '<%s>' "$@"; echo said >&2; exit 7`, ['--keep-running', ...words]);
    expect(ran).toMatchObject({ rc: 7, err: 'said\n' });
    expect(ran.out).toMatch(/^<--plugin-dir><\/.*><--settings><\{"disableDeepLinkRegistration":"disable"\}>/);
    expect(ran.out.endsWith(words.map((word) => `<${word}>`).join(''))).toBe(true);
    expect(run(`printf '<%s>' "$@"`, ['--', '--help']).out).toMatch(/<--help>$/);
    expect(run(`printf '<%s>' "$@"`, ['--settings', 'mine']).out).not.toContain('disableDeep');
    expect(run('exit 0', ['--help']).out).toContain('trai claude');
  });

  it('keeps on the host what the client keeps of its own work, and pending what it obeys', () => {
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude/settings.json'), '{}');
    const ran =
      run(`cd ~/.claude; mkdir -p projects/p sessions; echo talk > projects/p/c.jsonl; echo prompt >> history.jsonl
      echo '{"a":1}' > settings.json; mkdir -p commands; echo do > commands/x.md; echo plan > plans/p.md
      echo mark > .last-cleanup; mkdir -p plugins shell-snapshots; echo evil > shell-snapshots/s.sh`);
    expect(ran.err).toMatch(/^3 changes pending: /);
    expect(pending()).toEqual([
      'A home/.claude/commands/',
      'A home/.claude/commands/x.md',
      'M home/.claude/settings.json',
    ]);
    expect(
      ['projects/p/c.jsonl', 'history.jsonl', 'plans/p.md', '.last-cleanup'].map((name) =>
        host(`.claude/${name}`),
      ),
    ).toEqual(['talk\n', 'prompt\n', 'plan\n', 'mark\n']);
    expect(host('.claude/settings.json')).toBe('{}');
    // Another client on the host would run it.
    expect(existsSync(join(home, '.claude/shell-snapshots'))).toBe(false);
  });

  it('carries what the client counts in ~/.claude.json, and names what it would obey', () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":1,"theme":"dark"}');
    const ran = run(
      `echo '{"numStartups":2,"theme":"dark","mcpServers":{"s":{"command":"sh"}}}' > ~/.claude.json.1 && mv ~/.claude.json.1 ~/.claude.json`,
    );
    expect(state()).toEqual({ numStartups: 2, theme: 'dark' });
    expect(ran.err).toMatch(
      /^Not carried to your ~\/\.claude\.json, since Claude Code obeys it: mcpServers\./,
    );
    expect(pending()).toEqual([]);
    writeFileSync(join(home, '.claude.json'), '{"numStartups":9}');
    // Made anew: the next client sees the host's.
    expect(run('cat ~/.claude.json').out).toBe('{"numStartups":9}');
  });

  it('carries the trust in the session’s own project, and not in a directory above or below it', () => {
    writeFileSync(join(home, '.claude.json'), '{}');
    const dirs = ['', '/below', '/..', '/../..'].map((path) => join(place.project, path));
    const projects = Object.fromEntries(dirs.map((dir) => [dir, { hasTrustDialogAccepted: true }]));
    const ran = run(`echo '${JSON.stringify({ projects })}' > ~/.claude.json`);
    const trusted = Object.entries<Record<string, unknown>>(state().projects).flatMap(
      ([dir, { hasTrustDialogAccepted }]) => (hasTrustDialogAccepted === true ? [dir] : []),
    );
    expect(trusted).toEqual([place.project]);
    for (const dir of dirs.slice(1)) expect(ran.err).toContain(`projects.${dir}.hasTrustDialogAccepted`);
  });

  it('carries at the next start what a killed one could not', async () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":1}');
    client(`echo '{"numStartups":2}' > ~/.claude.json; echo up; read -r line`);
    const one = spawn('bash', [place.program, 'claude', '--session', 'c'], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(one.stdout, 'data');
    const twice = place.trai(['claude', '--session', 'c'], env());
    expect(twice).toMatchObject({ rc: 125, err: expect.stringContaining(`(process ${nodeOf(one.pid)})`) });
    const gone = once(one, 'exit');
    one.kill('SIGKILL');
    await gone;
    one.stdin.destroy();
    await expect
      .poll(() => place.trai(['ps', '--session', 'c', '--json'], env()).out)
      .toContain('"processes":[]');
    expect(state()).toEqual({ numStartups: 1 });
    run('true');
    expect(state()).toEqual({ numStartups: 2 });
  });

  it('starts one of several at once, and refuses the others with its pid', async () => {
    client('echo up; read -r line');
    const started = Array.from({ length: 4 }, () => {
      const one = spawn('bash', [place.program, 'claude', '--session', 'c'], {
        cwd: place.project,
        env: { ...place.env, ...env() },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return { one, err: text(one.stderr), status: once(one, 'exit').then(([status]) => status) };
    });
    const last = await Promise.race(started.map(({ one }) => once(one.stdout, 'data').then(() => one)));
    const others = started.filter(({ one }) => one !== last);
    expect(await Promise.all(others.map(({ status }) => status))).toEqual([125, 125, 125]);
    const node = nodeOf(last.pid);
    for (const { err } of others) expect(await err).toContain(`(process ${node})`);
    last.stdin.end();
    expect(await started.find(({ one }) => one === last)?.status).toBe(1);
  });

  it('leaves ~/.claude.json alone while another client has its lock, and carries at the next start', () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":1}');
    const lock = join(home, '.claude.json.lock');
    mkdirSync(lock);
    // As of a client that goes on renewing it.
    utimesSync(lock, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    const ran = run(`echo '{"numStartups":2}' > ~/.claude.json; echo new > a`);
    expect(ran.rc).toBe(0);
    expect(ran.err).toContain('lock of ~/.claude.json was not free within 12 seconds\n');
    expect(ran.err).toContain('1 change pending');
    expect(state()).toEqual({ numStartups: 1 });
    expect(existsSync(lock)).toBe(true);
    // One that has nothing to carry needs no lock.
    client('cp ~/.claude.json ~/.claude.json.tmp; mv ~/.claude.json.tmp ~/.claude.json');
    expect(place.trai(['claude', '--session', 'other'], env()).err).toBe('');
    rmdirSync(lock);
    run('true');
    expect(state()).toEqual({ numStartups: 2 });
  });

  it('is refused with 125 where what it keeps cannot be made, and in Claude Code’s own sandbox', () => {
    client('echo ran');
    mkdirSync(join(home, '.claude'));
    writeFileSync(join(home, '.claude/projects'), '');
    const ran = place.trai(['claude', '--session', 'c'], env());
    expect(ran).toMatchObject({ rc: 125, out: '', err: expect.stringContaining('.claude/projects') });
    const inside = place.trai(['claude'], { ...env(), SANDBOX_RUNTIME: '1' });
    expect(inside).toMatchObject({ rc: 125, out: '', err: expect.stringContaining('SANDBOX_RUNTIME') });
  });

  it('takes over the lock of a client that was killed, as a client does', () => {
    writeFileSync(join(home, '.claude.json'), '{"numStartups":1}');
    const lock = join(home, '.claude.json.lock');
    mkdirSync(lock);
    utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    expect(run(`echo '{"numStartups":2}' > ~/.claude.json`).err).toBe('');
    expect(state()).toEqual({ numStartups: 2 });
    expect(existsSync(lock)).toBe(false);
  });

  it('keeps nothing of ~/.claude.json and the credentials pending where they are links', () => {
    for (const dir of ['.claude', 'dotfiles']) mkdirSync(join(home, dir));
    const links = { '.claude.json': 'state.json', '.claude/.credentials.json': 'keys.json' };
    for (const [name, to] of Object.entries(links)) {
      writeFileSync(join(home, 'dotfiles', to), '{}');
      symlinkSync(join(home, 'dotfiles', to), join(home, name));
    }
    const ran =
      run(`cd ~/dotfiles; echo '{"numStartups":1}' > state.json.1; mv state.json.1 state.json; : > state.json.lock
      echo '{"n":1}' > keys.json; : > state.json.backup; echo other > state.json.tmpl`);
    expect(ran.err).toMatch(/^1 change pending: /);
    expect(pending()).toEqual(['A home/dotfiles/state.json.tmpl']);
    expect([state(), JSON.parse(host('dotfiles/keys.json') ?? '')]).toEqual([{ numStartups: 1 }, { n: 1 }]);
  });

  it('ends, and starts again, whatever size the client’s own files have', () => {
    writeFileSync(join(home, '.claude.json'), '{}');
    // More than a string has room for, and than is read at once.
    expect(run('truncate -s 600M ~/.claude.json; truncate -s 3G ~/.claude/.last-cleanup')).toMatchObject({
      rc: 0,
      err: '',
    });
    expect(host('.claude.json')).toBe('{}');
    expect(run('cat ~/.claude.json')).toMatchObject({ rc: 0, out: '{}' });
  });

  it('does not replace a ~/.claude.json that links to nowhere', () => {
    symlinkSync('dotfiles/claude.json', join(home, '.claude.json'));
    run(`rm ~/.claude.json; echo '{"numStartups":2}' > ~/.claude.json`);
    expect(readlinkSync(join(home, '.claude.json'))).toBe('dotfiles/claude.json');
  });

  it('is refused where a process of another kind runs, and joins those that a client has left', () => {
    place.trai(['exec', '--session', 'c', '--', 'bash', '-c', leaving(434)], env());
    const refused = run('echo ran');
    expect(refused).toMatchObject({ rc: 125, out: '' });
    expect(refused.err).toMatch(/process \d+ \(.*sleep 434.*\).* can't be joined/);
    expect(refused.err).toContain('trai ps --end --session c');
    place.trai(['ps', '--end', '--session', 'c'], env());
    run(leaving(435), ['--keep-running']);
    expect(run('ls -d "$TRAI_STATE_HOME/inside/host"', ['--keep-running'])).toMatchObject({
      rc: 0,
      out: expect.stringMatching(/inside\/host\n$/),
    });
    place.trai(['ps', '--end', '--session', 'c'], env());
  });

  it('names what the client leaves running, and ends it unless it is told not to', async () => {
    const kept = run(leaving(433), ['--keep-running']);
    expect(kept.err).toMatch(/^1 process of the session still running:\n {2}\d+ {2}sleep 433\n/);
    const ended = run(leaving(433));
    expect(ended.err).toMatch(/^Ending 2 processes that Claude Code left running:\n/);
    expect(JSON.parse(place.trai(['ps', '--session', 'c', '--json'], env()).out).processes).toEqual([]);
  });
});

describe('the credentials', () => {
  const file = () => join(home, '.claude/.credentials.json');
  beforeEach(() => {
    mkdirSync(join(home, '.claude'));
  });

  /** By a client on the host. */
  const refreshed = (content: string): void => {
    writeFileSync(`${file()}.new`, content, { mode: 0o600 });
    renameSync(`${file()}.new`, file());
  };

  interface Opened {
    pid: number;
    inside(line: string): Promise<string>;
    close(): Promise<void>;
  }
  /** A client that does as the lines on its stdin say. */
  async function open(): Promise<Opened> {
    client('while read -r line; do eval "$line"; echo "#"; done');
    const child = spawn('bash', [place.program, 'claude', '--session', 'c'], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const inside = async (line: string): Promise<string> => {
      out = '';
      child.stdin.write(`${line}\n`);
      await expect.poll(() => out).toContain('#\n');
      return out.slice(0, out.indexOf('#\n'));
    };
    const close = async (): Promise<void> => {
      const gone = once(child, 'exit');
      child.stdin.end();
      await gone;
    };
    await inside('true');
    return { pid: child.pid ?? 0, inside, close };
  }

  it('that either side refreshes are the other’s at once, whether written in place or replaced', async () => {
    writeFileSync(file(), '{"n":1}', { mode: 0o600 });
    const { inside, close } = await open();
    expect(await inside('cat ~/.claude/.credentials.json')).toBe('{"n":1}');
    await inside(`echo '{"n":2}' > ~/.claude/.credentials.json`);
    await expect.poll(() => host('.claude/.credentials.json')).toBe('{"n":2}\n');
    refreshed('{"n":3}');
    await expect.poll(() => inside('cat ~/.claude/.credentials.json')).toBe('{"n":3}');
    await inside(`echo '{"n":4}' > ~/.claude/.c && mv ~/.claude/.c ~/.claude/.credentials.json`);
    await close();
    expect(host('.claude/.credentials.json')).toBe('{"n":4}\n');
    expect(pending()).toEqual([]);
  });

  it('that the host refreshed as soon as the client ran are the client’s', async () => {
    writeFileSync(file(), '{"n":1}', { mode: 0o600 });
    const { inside, close } = await open();
    expect(await inside('cat ~/.claude/.credentials.json')).toBe('{"n":1}');
    refreshed('{"n":2}');
    await expect.poll(() => inside('cat ~/.claude/.credentials.json')).toBe('{"n":2}');
    await close();
  });

  /** Waits until that process waits for a lock. */
  const awaitsLock = async (pid: number): Promise<void> => {
    const node = nodeOf(pid);
    const isFlock = (child: number) => processArguments(child)?.[0]?.endsWith('/flock') === true;
    await expect.poll(() => childrenOf(node).some(isFlock)).toBe(true);
  };

  it.each<[string, (inside: Opened['inside']) => unknown]>([
    ['host', () => refreshed('{"n":3}\n')],
    [
      'client',
      (inside) => inside(`echo '{"n":3}' > ~/.claude/.c; mv ~/.claude/.c ~/.claude/.credentials.json`),
    ],
  ])(
    'that the %s refreshed while those of the host waited for the lock are what both have',
    async (_, refresh) => {
      refreshed('{"n":1}\n');
      const { pid, inside, close } = await open();
      const watch =
        'now=$(< ~/.claude/.credentials.json); [[ $now == "$last" ]] || echo "$now" >> seen; last=$now';
      await inside(`: > seen; last=; while sleep 0.01; do ${watch}; done & watching=$!`);
      const seen = () => inside('cat seen');
      await expect.poll(seen).toBe('{"n":1}\n');
      const release = await takeFileLock(join(place.state, 'sessions/c/lock'));
      refreshed('{"n":2}\n');
      await awaitsLock(pid);
      await refresh(inside);
      await release();
      const both = async () => [
        await inside('cat ~/.claude/.credentials.json'),
        host('.claude/.credentials.json'),
      ];
      await expect.poll(both).toEqual(['{"n":3}\n', '{"n":3}\n']);
      await expect.poll(seen).toContain('{"n":3}\n');
      expect(await inside('kill $watching; cat seen')).toBe('{"n":1}\n{"n":3}\n');
      await close();
    },
  );

  it('that the host refreshed while only processes of the session were left are those of the next client', async () => {
    writeFileSync(file(), '{"n":1}', { mode: 0o600 });
    run(`echo '{"n":2}' > ~/.claude/.credentials.json; sleep 1; ${leaving(436)}`, ['--keep-running']);
    expect(host('.claude/.credentials.json')).toBe('{"n":2}\n');
    writeFileSync(file(), '{"n":3}', { mode: 0o600 });
    const { inside, close } = await open();
    await expect.poll(() => inside('cat ~/.claude/.credentials.json')).toBe('{"n":3}');
    await close();
    expect(host('.claude/.credentials.json')).toBe('{"n":3}');
  });

  it('of a first login inside are the host’s', async () => {
    const { inside, close } = await open();
    await inside(`echo '{"n":1}' > ~/.claude/.credentials.json`);
    await expect.poll(() => host('.claude/.credentials.json')).toBe('{"n":1}\n');
    await close();
    rmSync(file());
    // Nothing of an earlier session is left to see.
    expect(run('cat ~/.claude/.credentials.json').err).toContain('No such file');
    expect(readdirSync(join(home, '.claude'))).not.toContain('.credentials.json');
  });
});

describe('a client in the session', () => {
  const dir = () => join(place.program, '../../hooks');
  const server = () => JSON.parse(readFileSync(join(place.state, 'server.json'), 'utf8'));
  beforeEach(() => {
    writeFileSync(join(home, '.config/trai/config.json'), '{}');
  });
  afterEach(async () => {
    const { pid } = server();
    process.kill(pid);
    // It still writes into the directories that are removed next.
    await expect.poll(() => processStat(pid)?.state ?? 'Z').toBe('Z');
  });

  /** Lines of a client whose hooks and calls are those of the plugin. */
  const HOOKS = `export CLAUDE_PID=$$ CLAUDE_ENV_FILE=$HOME/env/line.sh; mkdir -p ~/env
    event() { printf '{"session_id":"conv","cwd":"%s","hook_event_name":"%s"%s}' "$PWD" "$1" "$2"; }
    start() { event SessionStart ',"source":"startup"' | bash -p "$HOOKS_DIR/session-start.sh"; }
    hook() { event "$@" | bash -p "$HOOKS_DIR/hook.sh" "$1"; }
    typed() { hook UserPromptExpansion ",\\"expansion_type\\":\\"slash_command\\",\\"command_name\\":\\"trai:$1\\",\\"command_args\\":\\"$2\\""; }
    call() { bash -c "$(cat ~/env/line.sh)
      : && eval '$1' < /dev/null && pwd -P >| /dev/null"; }
    declare -f event hook typed > ~/forge`;
  const inside = (lines: string): Result => run(`HOOKS_DIR='${dir()}'\nexport HOOKS_DIR\n${HOOKS}\n${lines}`);

  it('has its calls logged, and its typed commands answered; a call that sends the same is refused', () => {
    const ran = inside(
      `start; echo; call "echo one > a; . ~/forge; typed status"; typed status; typed commit`,
    );
    const [started = '', forged = '', status = '', commit = ''] = ran.out.split('\n').filter(Boolean);
    expect(started).toContain('everything that is written in this session stays pending');
    // Its scripts find no server: the call sees an empty directory.
    expect(forged).toContain('runs inside the sandbox of session c, which covers it');
    expect(status).toContain('pending in session c');
    expect(commit).toContain('Committed ');
    expect(readFileSync(join(place.project, 'a'), 'utf8')).toBe('one\n');
    const log = place.trai(['log', '--session', 'c'], env()).out;
    expect(log).toMatch(/sandbox exit 0 +echo one > a/);
  });

  it('is told, as the user is, which pending paths the host changed since', () => {
    const file = join(place.project, 'f');
    writeFileSync(file, 'before\n');
    inside(`start; call "echo mine > f; echo mine > g"`);
    const begun = () => JSON.parse(inside('start').out.split('\n')[0] ?? '');
    const context = ({ hookSpecificOutput }: ReturnType<typeof begun>) =>
      hookSpecificOutput.additionalContext;
    expect(context(begun())).not.toContain('Meanwhile');
    writeFileSync(file, 'of the host\n');
    writeFileSync(join(place.project, 'other'), 'of the host\n');
    const said = begun();
    const moved = 'the host changed 1 of \\d pending paths since: f\\.';
    expect(said.systemMessage).toMatch(new RegExp(`; ${moved} /trai:ui`));
    expect(context(said)).toMatch(new RegExp(`Meanwhile ${moved} You see the pending versions`));
  });

  it('is left out where the user ends what runs in the session', () => {
    const ran = inside(
      `start; echo; call "(setsid sleep 437 < /dev/null > /dev/null 2>&1 &)"; typed ps --end; typed status; echo; echo on`,
    );
    expect(ran.out).toMatch(/Ended 1 process: \d+\\nClaude Code itself goes on \(/);
    expect(ran.out).not.toContain('sleep 437');
    expect(ran.out).toMatch(/on\n$/);
  });

  it.each([
    ['discard', '--yes --end-processes', ''],
    ['undo', '--end-processes', 'typed commit;'],
    ['undo', '--end-processes', "typed discard '--yes a';"],
  ])('is left out, and named, where %s %s ends what runs in the session (%s)', (name, words, first) => {
    const left = `call "echo one > a; (setsid sleep 437 < /dev/null > /dev/null 2>&1 &)"`;
    const ran = inside(`start; echo; ${left}; ${first} typed ${name} '${words}'; typed ps; echo; echo on`);
    expect(ran.out).toMatch(/Claude Code itself goes on \([^)]+\).*(Discarded|Undone|1 entry pending again)/);
    expect(ran.out).not.toContain('sleep 437');
    expect(ran.out).toMatch(/on\n$/);
  });

  it('starts no program for a new session, and takes a lock of one that is there', () => {
    run('exit 0');
    const log = join(place.base, 'programs');
    const noting = join(place.base, 'noting.cjs');
    writeFileSync(
      noting,
      `const processes = require('node:child_process');
      for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) {
        const start = processes[name];
        processes[name] = (program, ...others) => {
          require('node:fs').appendFileSync('${log}', program + '\\n');
          return start(program, ...others);
        };
      }`,
    );
    const startedIn = (session: string): string[] => {
      rmSync(log, { force: true });
      const own = { ...env(), NODE_OPTIONS: `--require=${noting}` };
      expect(place.trai(['claude', '--session', session], own)).toMatchObject({ rc: 0, err: '' });
      return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    };
    expect(startedIn('d')).toEqual([]);
    // Another client may be starting in that one.
    expect(startedIn('d')).toEqual(['/usr/bin/flock']);
  });

  it('goes on without a server, and is answered by the next', () => {
    const ran =
      inside(`start; echo; kill -9 ${'$'}(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' ${'$'}TRAI_STATE_HOME/inside/server.json)
      call "echo one > a; cat a"
      for i in ${'$'}(seq 100); do case "${'$'}(typed status)" in *pending*) echo answered; break;; esac; sleep 0.2; done
      call "echo two > b"`);
    expect(ran.out.split('\n').filter(Boolean).slice(1)).toEqual(['one', 'answered']);
    const log = place.trai(['log', '--session', 'c'], env()).out;
    expect(log.match(/sandbox exit 0/g)).toHaveLength(3);
    expect(log).toContain('echo two > b');
  });
});
