import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mountSource } from '../core/sandbox/context.ts';
import { endProcesses } from '../core/sandbox/live.ts';
import { openGrant } from '../core/session/grants.ts';
import { builtProgram } from '../testing/cli.ts';
import { removeTree } from '../testing/remove-tree.ts';

let tree: string;
let base: string;
let state: string;
let project: string;

interface Result {
  rc: number | null;
  out: string;
  err: string;
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    // The runner's PATH may have directories that this user can't search, for which a shell's status is 126.
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(base, 'home'),
    TRAI_STATE_HOME: state,
    TERM: 'dumb',
    ...more,
  };
}

function trai(args: string[], env: NodeJS.ProcessEnv = {}, cwd = project): Result {
  const { status, stdout, stderr } = spawnSync('bash', [join(tree, 'bin/trai'), ...args], {
    cwd,
    env: environment(env),
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { rc: status, out: stdout, err: stderr };
}

const sh = (script: string, session = 's'): Result =>
  trai(['exec', '--session', session, '--', 'sh', '-c', script]);
const at = (name: string): string => join(project, name);

let built: Awaited<ReturnType<typeof builtProgram>> | undefined;
beforeAll(async () => {
  built = await builtProgram();
  tree = built.tree;
}, 60_000);
afterAll(() => built?.remove());
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-cli-')));
  state = join(base, 'state');
  project = join(base, 'project');
  mkdirSync(join(base, 'home'));
  mkdirSync(project);
});
afterEach(async () => {
  for (const session of ['s', 'other']) await endProcesses(mountSource(state, session));
  removeTree(base);
});

describe('the main job from a terminal', () => {
  it('runs, shows, commits: the host has exactly what was pending', () => {
    writeFileSync(at('kept'), 'old\n');
    writeFileSync(at('gone'), 'old\n');
    expect(sh('echo new > kept; rm gone; echo made > made; exit 7').rc).toBe(7);
    expect(readFileSync(at('kept'), 'utf8')).toBe('old\n');
    const status = trai(['status']);
    expect(status.out.split('\n')).toEqual([
      '3 changes pending in session s: 1 added, 1 modified, 1 deleted, 9 B',
      '  D gone',
      '  M kept',
      '  A made',
      '',
    ]);
    expect(trai(['diff', 'kept']).out).toContain('-old\n+new\n');
    expect(trai(['commit'])).toMatchObject({ rc: 0, err: '' });
    expect(readFileSync(at('kept'), 'utf8')).toBe('new\n');
    expect(readFileSync(at('made'), 'utf8')).toBe('made\n');
    expect(existsSync(at('gone'))).toBe(false);
    expect(trai(['status']).out).toBe('Nothing is pending in session s\n');
    expect(sh('cat made').out).toBe('made\n');
  });

  it('leaves a socket out in any case, and promises nothing else', () => {
    const leaveSocket = "require('net').createServer().listen('s', () => process.exit())";
    sh(`echo x > a; '${process.execPath}' -e "${leaveSocket}"`);
    expect(trai(['commit', 'a']).out).toContain('left out (commit them with --include-ignored)');
    sh('echo y > a');
    expect(trai(['commit', '--include-ignored']).out).toContain('left out (sockets are never committed)');
  });

  it('discards only with --yes, and undo brings it back', () => {
    sh('echo x > a');
    expect(trai(['discard'])).toMatchObject({ rc: 2 });
    expect(trai(['discard', '--yes']).rc).toBe(0);
    expect(trai(['status']).out).toContain('Nothing is pending');
    expect(trai(['undo']).rc).toBe(0);
    expect(trai(['diff', '--list']).out).toBe('  A a\n');
    expect(trai(['undo'])).toMatchObject({ rc: 1 });
  });

  it('a discard of nothing does nothing: what undo takes back is the commit before it', () => {
    sh('echo x > a');
    expect(trai(['commit']).rc).toBe(0);
    for (const line of [['discard'], ['discard', '--yes']])
      expect(trai(line)).toEqual({ rc: 0, out: 'Nothing to discard.\n', err: '' });
    expect(trai(['undo']).out).toContain('Undone: 1 change.');
    expect(existsSync(at('a'))).toBe(false);
  });

  it('takes a commit back, newest first, says what the host has changed since, and commits it again', () => {
    writeFileSync(at('kept'), 'old\n');
    sh('echo new > kept; echo made > made');
    expect(trai(['commit']).rc).toBe(0);
    expect(trai(['undo', '--list']).out).toMatch(/ 1: commit, 2 entries.*← trai undo\n$/);
    writeFileSync(at('made'), 'mine\n');
    const refused = trai(['undo']);
    expect(refused).toMatchObject({ rc: 1 });
    expect(refused.err).toContain('made: changed on the host since');
    expect(readFileSync(at('kept'), 'utf8')).toBe('new\n');
    writeFileSync(at('gone'), 'mine\n');
    expect(trai(['undo', '--take-back', 'made'])).toMatchObject({ rc: 0, err: '' });
    expect(readFileSync(at('kept'), 'utf8')).toBe('old\n');
    expect(existsSync(at('made'))).toBe(false);
    expect(trai(['diff', '--list']).out).toBe('  M kept\n  A made\n');
    expect(sh('cat kept made').out).toBe('new\nmine\n');
    expect(trai(['undo', '--redo'])).toMatchObject({ rc: 0, err: '' });
    const none = trai(['undo', '--redo']);
    expect([none.rc, none.out]).toEqual([1, '']);
    expect(none.err).toContain('nothing was undone that could be committed again');
    expect(none.err).toContain('What is pending is committed with: trai commit');
    expect(readFileSync(at('kept'), 'utf8') + readFileSync(at('made'), 'utf8')).toBe('new\nmine\n');
    expect(
      trai(['undo', '--list'])
        .out.split('\n')
        .map((line) => line.slice(21).split(',')[0]),
    ).toEqual(['3: redo of 2', '2: undo of 1', '1: commit', '']);
    expect(trai(['undo']).rc).toBe(0);
    expect(existsSync(at('made'))).toBe(false);
    expect(trai(['undo'])).toMatchObject({ rc: 1 });
  });

  it('gc says what it would remove, and removes it with --yes only', () => {
    const config = join(state, 'config/trai');
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'config.json'), '{"undo": {"keepBytes": 0}}');
    const env = { XDG_CONFIG_HOME: join(state, 'config') };
    for (const text of ['x', 'y']) {
      sh(`echo ${text} > a`);
      expect(trai(['discard', '--yes']).rc).toBe(0);
    }
    sh('echo pending > b');
    const shown = trai(['gc'], env);
    expect(shown.out).toMatch(
      /^ {2}discard of session s, .*\n.* in all\. Remove it with: trai gc --yes\n1 session takes .*; .* are free\.\n/,
    );
    // Free space changes meanwhile.
    const garbage = (out: string): string => out.split('\n').slice(0, 2).join('\n');
    expect(garbage(trai(['gc'], env).out)).toBe(garbage(shown.out));
    expect(trai(['gc', '--yes'], env).out).toMatch(/^Removed 1 item, /);
    expect(trai(['gc'], env).out).toContain('Nothing to remove');
    expect(trai(['diff', '--list']).out).toBe('  A b\n');
  });

  it('goes on after a discard that was killed between its two renames', () => {
    sh('echo x > a');
    expect(trai(['discard', '--yes']).rc).toBe(0);
    // A crash at this point leaves the fresh overlay, not yet in its place.
    const session = join(state, 'sessions/s');
    renameSync(join(session, 'overlay'), join(session, 'overlay.new'));
    expect(sh('ls; echo y > b').rc).toBe(0);
    expect(trai(['diff', '--list']).out).toBe('  A b\n');
  });

  it('refuses a commit with a conflict, names the path, and does as it is told per path', () => {
    writeFileSync(at('one'), 'old\n');
    writeFileSync(at('two'), 'old\n');
    sh('echo sandbox > one; echo sandbox > two');
    for (const name of ['one', 'two']) writeFileSync(at(name), 'the host went on\n');
    const refused = trai(['commit']);
    expect(refused.rc).toBe(1);
    expect(refused.err).toContain('one');
    expect(readFileSync(at('one'), 'utf8')).toBe('the host went on\n');
    expect(trai(['commit', '--keep-host', './one', '--take-sandbox', 'no/../two']).rc).toBe(0);
    expect(readFileSync(at('one'), 'utf8')).toBe('the host went on\n');
    expect(readFileSync(at('two'), 'utf8')).toBe('sandbox\n');
  });

  it('wants --yes before it deletes a repository’s data', () => {
    spawnSync('git', ['init', '-q'], { cwd: project });
    sh('rm -rf .git');
    expect(trai(['commit'])).toMatchObject({ rc: 1 });
    expect(existsSync(at('.git/HEAD'))).toBe(true);
    expect(trai(['commit', '--yes']).rc).toBe(0);
    expect(existsSync(at('.git'))).toBe(false);
  });

  it('commits copies while a background process runs, and its next write is pending, not on the host', async () => {
    expect(
      sh(
        '(echo one > f; while [ ! -e stop ]; do sleep 0.05; done; echo two >> f; touch second; sleep 60) >/dev/null 2>&1 & while [ ! -s f ]; do sleep 0.05; done',
      ).rc,
    ).toBe(0);
    expect(trai(['commit']).out).toContain('the committed copies stay');
    expect(readFileSync(at('f'), 'utf8')).toBe('one\n');
    expect(trai(['discard', '--yes'])).toMatchObject({ rc: 1 });
    sh('touch stop; while [ ! -e second ]; do sleep 0.05; done');
    expect(readFileSync(at('f'), 'utf8')).toBe('one\n');
    expect(trai(['diff', 'f']).out).toContain('+two');
    expect(trai(['discard', '--yes', '--end-processes']).rc).toBe(0);
    await sleep(0);
    expect(trai(['status']).out).toContain('Nothing is pending');
  });
});

describe('sessions', () => {
  it('keep apart, and the newest of the project is meant when none is named', () => {
    sh('echo a > f', 's');
    sh('echo b > f', 'other');
    expect(trai(['exec', '--session', 's', '--', 'cat', 'f']).out).toBe('a\n');
    expect(trai(['status']).out).toContain('session other');
    const listed = JSON.parse(trai(['sessions', '--json']).out);
    expect(listed.sessions.map((row: { id: string }) => row.id).sort()).toEqual(['other', 's']);
  });

  it.each([
    [['status'], 1, 'no session of this project'],
    [['exec', '--', 'true'], 125, 'no session of this project'],
    [['exec', '--session', '../x', '--', 'true'], 2, 'expected a session id'],
    [['status', '--session', 'nowhere'], 1, ''],
    [['frobnicate'], 2, 'expected a command'],
    [['commit', '--all'], 2, 'unknown option "--all"'],
    [['status', 'word'], 2, 'unexpected "word"'],
    [['log', '--last', 'x'], 2, 'expected a number'],
  ])('`trai %j` ends with %i', (args, rc, message) => {
    const result = trai(args);
    expect(result.rc).toBe(rc);
    expect(result.err).toContain(message);
    expect(result.out).toBe('');
  });
});

describe('exec', () => {
  it.each([
    [['sh', '-c', 'kill -9 $$'], 137],
    [['sh', '-c', 'exit 200'], 200],
    [['no-such-program-at-all'], 127],
  ])('ends as %j does', (argv, rc) => {
    expect(trai(['exec', '--session', 's', '--', ...argv]).rc).toBe(rc);
  });

  it('passes arguments as they are', () => {
    const words = ['a b', "it's", '$HOME', '*', '', '--json', 'line\nbreak', 'é'];
    expect(trai(['exec', '--session', 's', '--', 'printf', '<%s>', ...words]).out).toBe(
      words.map((word) => `<${word}>`).join(''),
    );
  });

  it('hands a TERM on to the command and gives its status', async () => {
    const child = spawn(
      'bash',
      [
        join(tree, 'bin/trai'),
        'exec',
        '--session',
        's',
        '--',
        'sh',
        '-c',
        'trap "echo caught; exit 9" TERM; touch up; while :; do sleep 0.05; done',
      ],
      { cwd: project, env: environment(), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await expect.poll(() => trai(['diff', '--list', '--session', 's']).out).toContain('up');
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect({ code, out }).toEqual({ code: 9, out: 'caught\n' });
  });

  it('ends with 125 and runs nothing when the sandbox can’t be entered', () => {
    sh('true');
    const plans = join(state, 'sessions/s/overlay');
    for (const n of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
      spawnSync('rm', ['-rf', join(plans, n, 'l')]);
    const result = sh('echo ran; touch ran');
    expect(result).toMatchObject({ rc: 125, out: '' });
    expect(result.err).toContain('Nothing of the command was run');
    expect(existsSync(at('ran'))).toBe(false);
  });
});

describe('who may commit', () => {
  const below = { CLAUDECODE: '1', CLAUDE_PID: '1' };

  it.each(['commit', 'discard', 'undo', 'passthrough', 'ui'])(
    'below a Claude client `trai %s` wants a permit',
    (command) => {
      sh('echo x > a');
      const result = trai([command, '--session', 's', ...(command === 'discard' ? ['--yes'] : [])], below);
      expect(result.rc).toBe(1);
      expect(result.err).toMatch(/only the user may/);
      expect(existsSync(at('a'))).toBe(false);
      expect(existsSync(join(state, 'server.json'))).toBe(false);
    },
  );

  it.each(['status', 'diff', 'log', 'sessions', 'doctor'])(
    '`trai %s` only reads, and needs none',
    (command) => {
      sh('echo x > a');
      expect(trai([command], below).rc).toBe(0);
    },
  );

  it('a permit is good once, and the arguments are the permit’s, not the line’s', async () => {
    sh('echo x > a');
    await openGrant(join(state, 'sessions/s'), { kind: 'permit', what: 'discard' });
    expect(trai(['discard', '--yes', '--session', 's'], below)).toMatchObject({ rc: 2 });
    expect(trai(['diff', '--list']).out).toBe('  A a\n');
    await openGrant(join(state, 'sessions/s'), { kind: 'permit', what: 'commit' });
    expect(trai(['commit', '--from-prompt'], below).rc).toBe(0);
    expect(readFileSync(at('a'), 'utf8')).toBe('x\n');
    expect(trai(['commit', '--from-prompt'], below)).toMatchObject({ rc: 1 });
    const log = readFileSync(join(state, 'sessions/s/calls.jsonl'), 'utf8');
    expect(log).toContain('"t":"grant","kind":"permit","what":"commit","state":"used"');
  });

  it('inside a sandboxed call it says to ask the user', () => {
    const result = sh(`bash ${join(tree, 'bin/trai')} commit; echo rc $?`);
    expect(result.out).toBe('rc 1\n');
    expect(result.err).toContain('Ask the user');
    expect(statSync(join(state, 'sessions/s/overlay')).isDirectory()).toBe(true);
  });

  it('explore without a terminal prints the line to run', () => {
    sh('true');
    expect(trai(['explore', '--session', 's']).out).toContain('bin/trai explore --session s');
  });
});
