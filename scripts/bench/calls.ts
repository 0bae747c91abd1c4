import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLUGIN_DIST } from '../lib/root.ts';
import { makeTrai, startServer, type Trai } from '../lib/trai.ts';
import { makeProject } from '../start/demo.ts';
import { overlaysOf, writeBarePlugin } from './bare-plugin.ts';
import { hook, must, startSession } from './plugin-session.ts';
import type { Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const SESSION = 'bench-0000';

/** The last `call.started` of the session says where it ran. */
function ranInSandbox(on: Trai): boolean {
  const log = readFileSync(path.join(on.state, 'sessions', SESSION, 'calls.jsonl'), 'utf8');
  const started = log.split('\n').filter((line) => line.includes('"t":"call.started"'));
  return started.at(-1)?.includes('"mode":"sandbox"') ?? false;
}

/** The same overlays by util-linux alone, without decision, lock, log, checks or mask. */
export function bareEntry(on: Trai, session: string): { line: string; on: Trai } {
  const home = path.join(on.state, '../bare');
  mkdirSync(home);
  writeBarePlugin(home, overlaysOf(path.join(on.state, 'sessions', session)));
  const bare = { ...on, env: { ...on.env, HOME: home, CLAUDE_ENV_FILE: path.join(home, 'env') } };
  must('bash', [path.join(home, 'start.sh')], bare);
  return { line: readFileSync(bare.env.CLAUDE_ENV_FILE, 'utf8'), on: bare };
}

/** The hook and the launcher with the server up: what every call waits for. */
export async function benchCalls(rounds: number): Promise<Result[]> {
  const what = ['PreToolUse hook, server up', 'enter the sandbox and run true'] as const;
  if (!existsSync(path.join(PLUGIN_DIST, 'lib/server.mjs'))) {
    return what.map((name) => ({ what: name, skipped: 'dist/plugin/lib/server.mjs has not been built' }));
  }
  const on = makeTrai('bench');
  await makeProject(on.project);
  const server = await startServer(on);
  const line = startSession(on, SESSION);
  must('bash', ['-c', `${line}true`], on);
  const bare = bareEntry(on, SESSION);
  let n = 0;
  const event = () => {
    n += 1;
    return JSON.stringify({
      session_id: SESSION,
      hook_event_name: 'PreToolUse',
      cwd: on.project,
      tool_name: 'Bash',
      tool_use_id: `toolu_${n}`,
      tool_input: { command: `make step-${n}` },
    });
  };
  const samples = await interleave(rounds, {
    hook: () => timed(() => must('bash', ['-p', hook('hook.sh'), 'PreToolUse'], on, event())),
    node: () => timed(() => must(process.execPath, ['-e', '0'], on)),
    // Not the form of a client's call, so never decided `host`.
    enter: () => timed(() => must('bash', ['-c', `${line}true`], on)),
    bare: () => timed(() => must('bash', ['-c', `${bare.line}true`], bare.on)),
    bash: () => timed(() => must('bash', ['-c', 'true'], on)),
  });
  if (!ranInSandbox(on)) throw new Error('expected the calls to run in the sandbox, the log says otherwise');
  await server.stop();
  const of = (name: string) => samples[name] ?? [];
  const entering = (peer: string, name: string, atMost: number | null): Result => ({
    what: what[1],
    values: of('enter'),
    unit: 'ms',
    target: null,
    peer: { name: peer, values: of(name), atMost },
  });
  return [
    {
      what: what[0],
      values: of('hook'),
      unit: 'ms',
      target: 8,
      peer: { name: 'node -e 0', values: of('node'), atMost: 1 / 12 },
    },
    entering('node -e 0', 'node', 0.6),
    entering('bare overlays', 'bare', null),
    entering('bash -c true', 'bash', null),
  ];
}
