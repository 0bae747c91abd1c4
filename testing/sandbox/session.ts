/**
 * Tests of the launcher: a state directory, a project and a small server that answers every claim. Commands
 * that begin with `HOST=1;` are decided `host`, with `OPEN=1;` also with nothing hidden, with `IN=1;` as
 * beside a client in the session, with `REFUSE=1;` refused, with `JOIN=1;` told to join; those with `LATE=1;` are decided when their entry of `late` is called. A new plan
 * is made for a launcher that asks again, unless its command begins with `ONCE=1;`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePlan, freshCopies } from '../../core/overlay/prepare.ts';
import { ensureHostMask } from '../../core/sandbox/host-mask.ts';
import { endProcesses } from '../../core/sandbox/live.ts';
import type { QuietSession } from '../../core/sandbox/lock.ts';
import { pointTo } from '../../core/sandbox/prepare/plan-files.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type BytePath, bytePath, fromText } from '../../shared/bytes.ts';
import { type Config, DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { removeTree } from '../remove-tree.ts';
import { ROOT } from '../root.ts';

export interface CallResult {
  rc: number;
  stdout: string;
  stderr: string;
}

export interface TestSession {
  base: string;
  state: string;
  sessionDir: string;
  project: string;
  ctx: QuietSession;
  /** Runs a shell command as the client's env line would. */
  call(
    command: string,
    options?: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string },
  ): Promise<CallResult>;
  /** The same, without waiting for its end. */
  start(command: string): ChildProcess;
  /** Claims without an answer; calling an entry answers it. */
  late: (() => void)[];
  log(): Record<string, unknown>[];
  /** Makes the mount plan again from this process's mounts. */
  replan(): Promise<void>;
  close(): Promise<void>;
}

/** A bundled test program lies elsewhere than its source. */
const launcherSource = (): string => process.env['TRAI_LAUNCHER'] ?? join(ROOT, 'hooks/launcher');
const config: Config = { ...DEFAULT_CONFIG, passthrough: [], readOnly: [], ignore: [] };

/** `under`: parent of state and project. `project` is a readable form when `name` is not text. */
export async function testSession(under = tmpdir(), name: string | Buffer = 'project'): Promise<TestSession> {
  const base = realpathSync(mkdtempSync(join(under, 'trai-test-')));
  const state = join(base, 'state');
  const projectBytes = Buffer.concat([Buffer.from(`${base}/`), Buffer.from(name)]);
  const projectRoot = bytePath(projectBytes.toString('latin1'));
  const project = projectBytes.toString();
  const sessionDir = join(state, 'sessions/s1');
  for (const dir of [sessionDir, join(state, 'overlays/s1.0')])
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  symlinkSync('../../overlays/s1.0', join(sessionDir, 'overlay'));
  mkdirSync(projectBytes, { recursive: true });
  cpSync(launcherSource(), join(state, 'bin/0'), { recursive: true });
  const launch = join(state, 'bin/0/launch');
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  let dir = '';
  const plan = async (): Promise<SessionContext> => {
    const made = await ensurePlan({
      stateDir: state,
      sessionDir,
      session: 's1',
      projectRoot,
      config,
      home: fromText(process.env['HOME'] ?? '/'),
      mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
      environ: fromText(
        Object.entries(process.env)
          .map(([key, value]) => `${key}=${value}\0`)
          .join(''),
      ),
      unixSockets: () => readFileSync('/proc/self/net/unix', 'latin1'),
      uid,
      gid,
    });
    dir = made.dir;
    pointTo(sessionDir, made.plan.id);
    const { coveredDirs, source, root } = made.plan;
    const home = (process.env['HOME'] ?? '/') as BytePath;
    const context: SessionContext = {
      session: 's1',
      stateDir: state,
      sessionDir,
      coveredDirs,
      source,
      root,
      uid,
      gid,
      home,
      projectRoot,
      excluded: [fromText(state)],
      ignore: [],
    };
    await freshCopies(context);
    return context;
  };
  const late: (() => void)[] = [];
  const mask = (): string =>
    ensureHostMask({
      stateDir: state,
      sessionDir,
      env: { HOME: base, XDG_CONFIG_HOME: join(base, 'config'), XDG_RUNTIME_DIR: join(base, 'runtime') },
      mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
      environ: '',
      uid,
      gid,
    });
  const again = async (): Promise<string> => {
    const { coveredDirs, source, root } = await plan();
    // A test has its own of the rest.
    Object.assign(ctx, { coveredDirs, source, root });
    return dir;
  };
  const server = await claimServer(state, { planDir: () => dir, again, maskDir: mask }, late);
  const ctx = { ...(await plan()), quiet: true } as QuietSession;
  const children = new Set<ChildProcess>();
  const spawnCall = (
    command: string,
    options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ): ChildProcess => {
    // The directory as octal escapes: arguments and working directory must be text here.
    const octal = [...projectBytes].map((byte) => `\\0${byte.toString(8)}`).join('');
    const go = `d=$(printf '%b.' "$0"); cd -- "\${d%.}" && exec "$@"`;
    const enter = options.cwd === undefined ? ['-c', go, octal, '/bin/bash'] : [];
    const child = spawn('/bin/bash', [...enter, '-p', launch, 's1', '/bin/bash', command, ''], {
      cwd: options.cwd ?? base,
      env: options.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    children.add(child);
    child.on('close', () => children.delete(child));
    return child;
  };
  return {
    base,
    state,
    sessionDir,
    project,
    ctx,
    start: (command) => spawnCall(command),
    late,
    async call(command, options = {}) {
      const child = spawnCall(command, options);
      let [stdout, stderr] = ['', ''];
      child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      // A refused call does not read its input.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(options.input ?? '');
      const [code, signal] = await once(child, 'close');
      return { rc: typeof code === 'number' ? code : signal === 'SIGKILL' ? 137 : 143, stdout, stderr };
    },
    log: () => {
      const file = join(sessionDir, 'calls.jsonl');
      if (!existsSync(file)) return [];
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    async replan() {
      await again();
    },
    async close() {
      for (const child of children) if (child.pid !== undefined) tryKill(-child.pid);
      await endProcesses(ctx.source);
      server.close();
      removeTree(base);
    },
  };
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** Answers POST /claim in the protocol of docs/protocol.md, and writes server.json. */
async function claimServer(
  state: string,
  { planDir, again, maskDir }: { planDir: () => string; again: () => Promise<string>; maskDir: () => string },
  late: (() => void)[],
): Promise<{ close(): void }> {
  let n = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [origin = '', text = ''] = Buffer.concat(chunks).toString('latin1').split('\0').slice(3);
      const isAgain = origin.startsWith('again:');
      if (!isAgain) n++;
      if (isAgain && !text.startsWith('ONCE=1;'))
        void again().then(
          (dir) => {
            const end = () => void response.end(`proof\nsandbox c${n} ${dir}\n`);
            if (text.startsWith('LATE=1;')) late.push(end);
            else end();
          },
          (error: Error) => response.end(`proof\nrefuse c${n}\n${error.message}\n`),
        );
      else if (text.startsWith('LATE=1;'))
        late.push(() => response.end(`proof\nsandbox c${n} ${planDir()}\n`));
      else if (text.startsWith('KILLED=1;')) request.socket.resetAndDestroy();
      else if (text.startsWith('PIECES=1;')) {
        for (let i = 0; i < 3; i++) response.writeProcessing();
        response.end(`proof\nsandbox c${n} ${planDir()}\n`);
      } else if (text.startsWith('HALF=1;')) {
        response.setHeader('content-length', 4_000);
        response.write(`proof\nsandbox c${n} ${planDir()}\n`, () => request.socket.end());
      } else if (text.startsWith('REFUSE=1;')) response.end(`proof\nrefuse c${n}\nrefused by the test\n`);
      else if (text.startsWith('JOIN=1;')) response.end(`proof\njoin c${n} ${planDir()}\n`);
      else if (text.startsWith('HOST=1;')) response.end(`proof\nhost c${n} ${maskDir()}\n`);
      else if (text.startsWith('IN=1;')) response.end(`proof\ninside c${n} ${state}/host\n`);
      else if (text.startsWith('OPEN=1;')) response.end(`proof\nhost c${n} -\n`);
      else response.end(`proof\nsandbox c${n} ${planDir()}\n`);
    });
  });
  server.on('checkContinue', (request, response) => {
    request.socket.write('HTTP/1.1 100 Continue\r\nProof: proof\r\n\r\n');
    server.emit('request', request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(state, 'server.json'),
    `${JSON.stringify({ v: 1, pid: process.pid, port, version: '0', hook: 'hook', proof: 'proof' })}\n`,
    { mode: 0o600 },
  );
  return {
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Why no FUSE file system can be mounted here; empty = one can. */
export const NO_FUSE = ((): string => {
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse here';
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return '';
  } catch {
    return 'only root may open /dev/fuse here';
  }
})();
