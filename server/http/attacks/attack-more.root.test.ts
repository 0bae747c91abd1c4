/** What leaks, what is planted in the state directory, and impostors on the server's port. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { orNull } from '../../../core/kernel/fs/port.ts';
import { mountSource } from '../../../core/sandbox/context.ts';
import { endProcesses } from '../../../core/sandbox/live.ts';
import { openGrant } from '../../../core/session/grants.ts';
import { readServerFile, type ServerFile } from '../../../core/session/server-file.ts';
import { copyPlugin } from '../../../testing/built.ts';
import { removeTree } from '../../../testing/remove-tree.ts';

const isRoot = process.getuid?.() === 0;
let base: string;
let tree: string;
let count = 0;
const servers = new Set<number>();

beforeAll(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-attack-')));
  tree = path.join(base, 'plugin');
  await copyPlugin(tree);
}, 120_000);
afterEach(async () => {
  for (const pid of servers) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  servers.clear();
});
afterAll(async () => {
  for (let i = 1; i <= count; i++) await endProcesses(mountSource(path.join(base, `${i}/state`), 's'));
  removeTree(base);
});

class Machine {
  readonly dir = path.join(base, String(++count));
  readonly state = path.join(this.dir, 'state');
  readonly project = path.join(this.dir, 'project');

  constructor() {
    mkdirSync(this.project, { recursive: true });
  }

  async run(argv: readonly string[], env: NodeJS.ProcessEnv = {}, input = '') {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, {
      cwd: this.project,
      env: {
        PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: this.dir,
        TRAI_STATE_HOME: this.state,
        ...env,
      },
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.end(input);
    const [rc]: unknown[] = await once(child, 'close');
    return { rc, said };
  }

  trai(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    return this.run(['bash', path.join(tree, 'bin/trai'), ...args], env);
  }

  serve(): Promise<{ rc: unknown; said: string }> {
    return this.run([process.execPath, path.join(tree, 'lib/server.mjs')]);
  }

  server(): ServerFile {
    const file = readServerFile(this.state);
    if (file === null) throw new Error('expected server.json');
    servers.add(file.pid);
    return file;
  }

  /** Without the overlays and what goes meanwhile, as the file of a process in the session; by name. */
  files(): Map<string, string> {
    const args = [this.state, '-name', 'overlays', '-prune', '-o', '-type', 'f', '-printf', '%P\\n'];
    const names = execFileSync('find', args, { encoding: 'utf8' }).trim().split('\n');
    return new Map(
      names.flatMap((name) => {
        const text = orNull(() => readFileSync(path.join(this.state, name), 'latin1'));
        return text === null ? [] : [[name, text]];
      }),
    );
  }
}

async function readUntil(response: Response, last: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (last.test(text)) break;
  }
  return text;
}

describe('secrets', () => {
  it('are in no page, program, log, event or error; a spent code is the opener’s, and the transcript has none', async () => {
    const m = new Machine();
    await m.trai(['exec', '--session', 's', '--', 'sh', '-c', 'echo x > a']);
    const [opener, record] = [path.join(m.dir, 'opener'), path.join(m.dir, 'record')];
    const script = `#!/bin/bash\nprintf '%s\\n' "$@" > ${record}\ntr '\\0' '\\n' < /proc/self/cmdline >> ${record}\n`;
    writeFileSync(opener, `${script}tr '\\0' '\\n' < /proc/$$/cmdline >> ${record}\n`, { mode: 0o755 });
    await openGrant(path.join(m.state, 'sessions/s'), { kind: 'permit', what: 'ui' });
    const below = { CLAUDECODE: '1', CLAUDE_PID: '1', BROWSER: opener };
    const { rc, said } = await m.trai(['ui', '--from-prompt', '--session', 's'], below);
    const { port, hook, proof } = m.server();
    expect({ rc, said }).toEqual({ rc: 0, said: `Opened http://127.0.0.1:${port}/\n` });
    const seen = readFileSync(record, 'utf8');
    const code = /#c=([\w-]{20,})/.exec(seen)?.[1] ?? '';
    expect(code).not.toBe('');
    expect(seen.split(code).length).toBeGreaterThanOrEqual(3);

    const origin = `http://127.0.0.1:${port}`;
    const post = async (address: string, body: string, token?: string) =>
      await fetch(origin + address, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...(token === hook ? {} : { origin }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      });
    const { token }: { token: string } = JSON.parse(
      await (await post('/api/exchange', JSON.stringify({ code }))).text(),
    );
    expect(token).toMatch(/^[\w-]{20,}$/);
    const get = async (address: string) =>
      await fetch(origin + address, { headers: { authorization: `Bearer ${token}` } });
    const page = await (await fetch(origin)).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '');
    const addresses = ['/api/sessions', '/api/sessions/s/changes', '/api/sessions/s/calls', '/api/doctor'];
    const wrong = ['/api/sessions/none', `/api/${token}`, `/api/sessions/s/diff?entry=${token}`];
    const answers = await Promise.all([...assets, ...addresses, ...wrong].map(get));
    answers.push(await post('/api/exchange', `{"code":"${code}x"}`), await post('/hook/Stop', '{', hook));
    answers.push(await post(`/hook/${hook}`, '{}', hook), await post('/api/pair/poll', '{"id":"x"}', token));
    const events = await get('/api/events');
    await m.trai(['exec', '--session', 's', '--', 'sh', '-c', 'echo y > a']);
    const texts = [page, said, await readUntil(events, /"type":"log"/)];
    for (const answer of answers) texts.push(JSON.stringify([...answer.headers]) + (await answer.text()));
    const everything = texts.join('\n');
    for (const secret of [token, hook, code]) expect(everything.split(secret)).toHaveLength(1);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain(hook);
    const files = m.files();
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['server.json', 'server.log', 'sessions/s/calls.jsonl']),
    );
    for (const [name, text] of files) {
      for (const secret of [token, code]) expect(text.includes(secret), name).toBe(false);
      for (const secret of [hook, proof]) expect(text.includes(secret), name).toBe(name === 'server.json');
    }
  });
});

describe('the state directory', () => {
  const odd: readonly [string, (m: Machine) => void][] = [
    ['a symbolic link', (m) => symlinkSync(m.project, m.state)],
    ['writable for its group', (m) => chmodSync(makeState(m), 0o770)],
    ['writable for all', (m) => chmodSync(makeState(m), 0o707)],
    ['below it writable for all', (m) => chmodSync(makeState(m, 'sessions'), 0o777)],
  ];
  const makeState = (m: Machine, below = ''): string => {
    mkdirSync(m.state, { mode: 0o700 });
    if (below !== '') mkdirSync(path.join(m.state, below));
    return path.join(m.state, below);
  };
  it.each(odd)('that is %s is refused before anything is written', async (_name, make) => {
    const m = new Machine();
    make(m);
    const { rc, said } = await m.serve();
    expect(rc).toBe(1);
    expect(said).toContain('expected a directory of your own');
    expect(existsSync(path.join(m.state, 'server.json'))).toBe(false);
  });

  it('of somebody else is refused, and so is a server.json of somebody else', async (context) => {
    if (!isRoot) context.skip('only root can give a file to somebody else');
    const m = new Machine();
    chownSync(makeState(m), 65_534, 65_534);
    expect(await m.serve()).toMatchObject({ rc: 1, said: expect.stringContaining('uid 65534') });
    chownSync(m.state, 0, 0);
    const file = path.join(m.state, 'server.json');
    const forged = { v: 1, pid: 1, port: 1, version: '999.0.0', hook: 'h', proof: 'p' };
    writeFileSync(file, JSON.stringify(forged), { mode: 0o600 });
    chownSync(file, 65_534, 65_534);
    expect(() => readServerFile(m.state)).toThrow('a file of your own');
    expect(await m.trai(['ui', '--print'])).toMatchObject({ rc: 1 });
  });

  it('that others may only read is closed, and under umask 000 all files are for the user alone', async () => {
    const m = new Machine();
    chmodSync(makeState(m), 0o755);
    const both = `umask 000; "$0" exec --session s -- true && "$0" ui --print`;
    const { rc } = await m.run(['bash', '-c', both, path.join(tree, 'bin/trai')]);
    expect(rc).toBe(0);
    m.server();
    // The launcher keeps the command's umask: its two scratch files hold ids and numbers, below a closed
    // directory. The mask is visible from inside, and programs must run.
    const mayBeOpen = /^(bin|mask)\/|^sessions\/s\/(run\/|plan\/\w+\/entered$)/;
    const names = [...m.files().keys(), '', 'sessions', 'sessions/s'].filter((name) => !mayBeOpen.test(name));
    expect(names).toEqual(expect.arrayContaining(['server.json', 'server.log', 'sessions/s/calls.jsonl']));
    const open = names.filter((name) => (statSync(path.join(m.state, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});

describe('a squatter on the port that server.json names', () => {
  let squatter: Server | null = null;
  afterEach(() => {
    squatter?.closeAllConnections();
    squatter?.close();
  });

  it('hears nothing after a kill -9, and the credential of that server is worth nothing', async () => {
    const m = new Machine();
    await m.trai(['exec', '--session', 's', '--', 'true']);
    await m.trai(['ui', '--print']);
    const old = m.server();
    process.kill(old.pid, 'SIGKILL');
    const knock = async () => await fetch(`http://127.0.0.1:${old.port}`).catch(() => 'closed');
    await expect.poll(knock).toBe('closed');
    let connections = 0;
    squatter = createServer((_, response) => response.end('forged')).on('connection', () => connections++);
    squatter.listen(old.port, '127.0.0.1');
    await once(squatter, 'listening');

    const doctor = await m.trai(['doctor']);
    expect(doctor.said).toContain('no server is running');
    const body = JSON.stringify({
      session_id: '0c0ffee0-1111-4222-8333-444455556666',
      cwd: m.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: 'true' },
    });
    const hook = await m.run(['bash', '-p', path.join(tree, 'hooks/hook.sh'), 'PreToolUse'], {}, body);
    expect(hook.said).not.toContain('forged');
    const launcher = path.join(m.state, 'bin', readdirSync(path.join(m.state, 'bin'))[0] ?? '', 'launch');
    const words = ['-o', 'exec', 's', 'touch made', 'touch', 'made'];
    const ran = await m.run(['bash', '-p', launcher, ...words]);
    expect(ran).toMatchObject({ rc: 0 });
    expect(existsSync(path.join(m.project, 'made'))).toBe(false);
    expect(m.files().get('sessions/s/calls.jsonl')).not.toContain('forged');

    const ui = await m.trai(['ui', '--print']);
    expect(ui).toMatchObject({ rc: 0 });
    const now = m.server();
    expect([now.port === old.port, now.hook === old.hook]).toEqual([false, false]);
    expect(ui.said).toContain(`http://127.0.0.1:${now.port}/#c=`);
    expect(connections).toBe(0);
    const authorization = `Bearer ${old.hook}`;
    const replayed = await fetch(`http://127.0.0.1:${now.port}/hook/hello`, {
      method: 'POST',
      headers: { authorization },
    });
    expect(replayed.status).toBe(401);
  });
});
