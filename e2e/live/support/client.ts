/**
 * Plays Claude Code for one session: starts the plugin's own hook scripts with the JSON that the client sends, and the
 * shell with the string that the client composes (measured on 2.1.330). e2e/client/ holds the same against the real one.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Place } from './place.ts';
import { type Ended, runToEnd, runWithOutputFile } from './process.ts';

/** One Bash call of a client. */
export interface Called {
  status: number;
  output: string;
  /** Set when PreToolUse refused it: then nothing was run. */
  refused: string | null;
}

/** The client's own quoting: single quotes, with every `'` as `'"'"'`. */
function quoted(command: string): string {
  return `'${command.replaceAll("'", `'"'"'`)}'`;
}

export class FakeClient {
  readonly id = randomUUID();
  readonly #place: Place;
  readonly #envFile: string;
  /** Stands in /proc for the client, whose pid and start time the hooks note down. */
  readonly #process: ChildProcess;
  #cwd: string;
  #calls = 0;

  private constructor(place: Place) {
    this.#place = place;
    this.#cwd = place.project;
    const dir = path.join(place.home, '.claude/session-env', this.id);
    mkdirSync(dir, { recursive: true });
    mkdirSync(path.join(place.home, '.claude/shell-snapshots'), { recursive: true });
    writeFileSync(this.#snapshot, 'shopt -s expand_aliases\ngreet() { echo "hello $1"; }\n');
    this.#envFile = path.join(dir, 'sessionstart-hook-0.sh');
    this.#process = spawn('sleep', ['3600'], { cwd: place.dir, env: place.env, stdio: 'ignore' });
  }

  /** Starts a session: both of the plugin's SessionStart hooks. */
  static async start(place: Place): Promise<FakeClient> {
    const client = new FakeClient(place);
    const event = client.#event('SessionStart', { source: 'startup' });
    const env = { ...client.#hookEnv(), CLAUDE_ENV_FILE: client.#envFile };
    const script = path.join(place.plugin, 'hooks/session-start.sh');
    const late = runToEnd('bash', ['-p', script, 'late'], { cwd: client.#cwd, env, input: event });
    const ended = await runToEnd('bash', ['-p', script], { cwd: client.#cwd, env, input: event });
    if (ended.status !== 0 || !existsSync(client.#envFile))
      throw new Error(
        `SessionStart: expected an env file, found status ${ended.status}: ${ended.out}${ended.err}`,
      );
    await late;
    return client;
  }

  /** One Bash call: PreToolUse, the shell, PostToolUse or PostToolUseFailure. */
  async bash(command: string): Promise<Called> {
    const id = `toolu_${this.#calls++}_${this.id.slice(0, 8)}`;
    const tool = { tool_name: 'Bash', tool_input: { command, description: 'a step' }, tool_use_id: id };
    const before = await this.#hook(['PreToolUse'], this.#event('PreToolUse', tool));
    if (before.status === 2) return { status: -1, output: '', refused: before.err };
    if (before.status !== 0)
      throw new Error(`PreToolUse: expected status 0 or 2, found ${before.status}: ${before.err}`);
    const denied = /"permissionDecision":"deny","permissionDecisionReason":("(?:[^"\\]|\\.)*")/.exec(
      before.out,
    )?.[1];
    if (denied !== undefined) return { status: -1, output: '', refused: String(JSON.parse(denied)) };

    // The client's own name for it: the sandbox knows this file and leaves it on the host.
    const cwdFile = `/tmp/claude-${randomBytes(2).toString('hex')}-cwd`;
    const output = path.join(this.#place.dir, `tmp/${id}.output`);
    const started = Date.now();
    const ran = await runWithOutputFile(
      '/bin/bash',
      ['-c', this.#shellString(command, cwdFile)],
      this.#inShell(),
      output,
    );
    if (existsSync(cwdFile)) this.#follow(readFileSync(cwdFile, 'utf8').trimEnd());
    rmSync(cwdFile, { force: true });
    const text = ran.out.trimEnd();
    const duration_ms = Date.now() - started;
    const event =
      ran.status === 0
        ? this.#event('PostToolUse', { ...tool, duration_ms, tool_response: response(text) })
        : this.#event('PostToolUseFailure', {
            ...tool,
            duration_ms,
            error: `Exit code ${ran.status}\n${text}`,
            is_interrupt: false,
          });
    await this.#hook([ran.status === 0 ? 'PostToolUse' : 'PostToolUseFailure'], event);
    return { status: ran.status, output: text, refused: null };
  }

  /** Asks whether a call may run, as the main conversation does. Resolves to what the hook says to that. */
  async ask(tool: string, input: object): Promise<string> {
    const asked = this.#event('PermissionRequest', { tool_name: tool, tool_input: input });
    return (await this.#hook(['PermissionRequest'], asked)).out;
  }

  /** The user submits a prompt. */
  async prompt(text: string): Promise<void> {
    await this.#hook(['UserPromptSubmit'], this.#event('UserPromptSubmit', { prompt: text }));
  }

  /** Ends the session, as `/exit` does. */
  async end(): Promise<void> {
    await this.#hook(['SessionEnd'], this.#event('SessionEnd', { reason: 'prompt_input_exit' }));
    this.leave();
  }

  /** The client's process goes without a word. */
  leave(): void {
    this.#process.kill('SIGKILL');
  }

  get #snapshot(): string {
    return path.join(this.#place.home, '.claude/shell-snapshots/snapshot-bash-1-a.sh');
  }

  #shellString(command: string, cwdFile: string): string {
    const line = readFileSync(this.#envFile, 'utf8');
    return (
      `source ${this.#snapshot} 2>/dev/null || true && ${line}: && ` +
      `\\builtin shopt -u extglob 2>/dev/null || true && eval ${quoted(command)} < /dev/null && pwd -P >| ${cwdFile}`
    );
  }

  /** Without a word the client goes back where a directory is only in the sandbox. */
  #follow(cwd: string): void {
    if (existsSync(cwd)) this.#cwd = cwd;
  }

  #event(name: string, more: object): string {
    return JSON.stringify({ session_id: this.id, cwd: this.#cwd, hook_event_name: name, ...more });
  }

  async #hook(args: readonly string[], input: string): Promise<Ended> {
    const script = path.join(this.#place.plugin, 'hooks/hook.sh');
    return await runToEnd('nohup', ['bash', '-p', script, ...args], {
      cwd: this.#cwd,
      env: this.#hookEnv(),
      input,
    });
  }

  #clientEnv(): NodeJS.ProcessEnv {
    return {
      ...this.#place.env,
      CLAUDECODE: '1',
      CLAUDE_CODE_SESSION_ID: this.id,
      CLAUDE_PID: String(this.#process.pid),
    };
  }

  #hookEnv(): NodeJS.ProcessEnv {
    return {
      ...this.#clientEnv(),
      AI_AGENT: 'claude-code_2-1-330_harness',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_PLUGIN_ROOT: this.#place.plugin,
      CLAUDE_PROJECT_DIR: this.#place.project,
    };
  }

  #inShell(): { cwd: string; env: NodeJS.ProcessEnv } {
    const env = { ...this.#clientEnv(), AI_AGENT: 'claude-code_2-1-330_agent', GIT_EDITOR: 'true' };
    return { cwd: this.#cwd, env };
  }
}

function response(stdout: string): object {
  return { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: stdout === '' };
}
