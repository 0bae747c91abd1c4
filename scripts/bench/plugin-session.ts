/** Sessions of the plugin without a client: what its hooks make of one, and programs with their environment. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLUGIN_DIST } from '../lib/root.ts';
import type { Trai } from '../lib/trai.ts';

/** Runs a program with the environment of a hook or a call, and fails unless it ends with 0. */
export function must(program: string, args: readonly string[], on: Trai, input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: on.project,
    env: on.env,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${args[0]}: exit status ${status}: ${stderr}`);
  return stdout;
}

export const hook = (name: string) => path.join(PLUGIN_DIST, 'hooks', name);

/** What the client does at the start of a session; returns the line that it then puts into every call. */
export function startSession(on: Trai, session: string): string {
  const dir = path.join(on.state, '../session-env', session);
  mkdirSync(dir, { recursive: true });
  const envFile = path.join(dir, 'sessionstart-hook-0.sh');
  on.env = {
    ...on.env,
    CLAUDE_ENV_FILE: envFile,
    CLAUDE_PID: String(process.pid),
    CLAUDE_PLUGIN_ROOT: PLUGIN_DIST,
  };
  const event = { session_id: session, hook_event_name: 'SessionStart', source: 'startup', cwd: on.project };
  must('bash', ['-p', hook('session-start.sh')], on, JSON.stringify(event));
  return readFileSync(envFile, 'utf8');
}
