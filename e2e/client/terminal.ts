import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Bench, RunOptions } from './bench.ts';

/** How long anything on the screen may take (ms): two shared cores, one client of several hundred MB. */
const PATIENCE_MS = 60_000;

/** The client in a terminal of tmux: what a user types and sees. */
export class Terminal {
  readonly #bench: Bench;
  readonly #socket: string;
  readonly #name: string;

  private constructor(bench: Bench, socket: string, name = 't') {
    this.#bench = bench;
    this.#socket = socket;
    this.#name = name;
  }

  static async open(bench: Bench, options: RunOptions = {}): Promise<Terminal> {
    const terminal = new Terminal(bench, path.join(bench.base, 'tmux.sock'));
    const plugin = bench.plugin === null ? [] : ['--plugin-dir', bench.plugin];
    const command = [bench.program, ...plugin, ...(options.args ?? [])].map(quote).join(' ');
    const size = ['-x', '150', '-y', '50', '-c', options.cwd ?? bench.project];
    terminal.#tmux(['-f', '/dev/null', 'new-session', '-d', '-s', 't', ...size, command], options);
    return terminal;
  }

  /** Another terminal of the same user's, with a shell command in place of the client. */
  beside(command: string): Terminal {
    const size = ['-x', '150', '-y', '50', '-c', this.#bench.project];
    this.#tmux(['new-session', '-d', '-s', 'beside', ...size, command]);
    return new Terminal(this.#bench, this.#socket, 'beside');
  }

  /** The visible text. */
  screen(): string {
    return this.#tmux(['capture-pane', '-p', '-J', '-t', this.#name, '-S', '-300']);
  }

  /** Waits until the screen holds `pattern`, and gives the screen. Fails with the screen when it does not come. */
  async sees(pattern: RegExp | string, patience = PATIENCE_MS): Promise<string> {
    const until = Date.now() + patience;
    let screen = '';
    while (Date.now() < until) {
      screen = this.screen();
      if (typeof pattern === 'string' ? screen.includes(pattern) : pattern.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`waited for ${pattern}, the screen shows:\n${screen}`);
  }

  /** Waits until the client is ready for input. */
  async ready(): Promise<void> {
    await this.sees(/^\s*❯/m);
  }

  /** Types a text and, after the client has shown it, Enter. */
  async type(text: string): Promise<void> {
    // Character by character at first: `!` and `/` switch the input's mode.
    const first = text.slice(0, 1);
    this.#tmux(['send-keys', '-t', this.#name, '-l', first]);
    await new Promise((resolve) => setTimeout(resolve, 150));
    // A client that has just drawn its prompt may not take the key yet.
    if (/\w/.test(first) && !(await this.#shows(new RegExp(`❯\\s${first}`))))
      this.#tmux(['send-keys', '-t', this.#name, '-l', first]);
    if (text.length > 1) this.#tmux(['send-keys', '-t', this.#name, '-l', text.slice(1)]);
    await this.sees(text.slice(1, 40).trim());
    await new Promise((resolve) => setTimeout(resolve, 300));
    this.key('Enter');
  }

  /** Whether the screen holds `text` within three seconds. */
  async #shows(text: RegExp): Promise<boolean> {
    return await this.sees(text, 3_000).then(
      () => true,
      () => false,
    );
  }

  /** Waits for a dialog with `text` and presses Enter until it is gone: one that has just been drawn may not take the key yet. */
  async confirm(text: string | RegExp): Promise<void> {
    const shown = await this.sees(text);
    const line = typeof text === 'string' ? text : (text.exec(shown)?.[0] ?? '');
    for (let presses = 0; presses < 100; presses++) {
      try {
        if (!this.screen().includes(line)) return;
        this.key('Enter');
      } catch {
        // The client has left, and its terminal with it.
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    throw new Error(`Enter does not close the dialog:\n${this.screen()}`);
  }

  key(name: string): void {
    this.#tmux(['send-keys', '-t', this.#name, name]);
  }

  close(): void {
    this.#tmux(['kill-server'], {}, true);
  }

  #tmux(args: readonly string[], options: RunOptions = {}, mayFail = false): string {
    const argv = this.#bench.argv(['tmux', '-S', this.#socket, ...args], options.env);
    const [program = '', ...rest] = argv;
    const ran = spawnSync(program, rest, { encoding: 'utf8', cwd: options.cwd ?? this.#bench.project });
    if (ran.status !== 0 && !mayFail) throw new Error(`tmux ${args[0]}: ${ran.stderr}`);
    return ran.stdout;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
