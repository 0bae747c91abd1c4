/** A machine with `claude` on PATH, for tests of `trai claude` and `trai box`. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Bench, type BenchOptions, type RunOptions, type ShellRun } from './bench.ts';
import { type ClaudeRun, parseRun } from './stream.ts';
import { Terminal } from './terminal.ts';

export const closers: (() => Promise<void> | void)[] = [];

export async function closeWorlds(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

const WORK = { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read'] } };

/** A machine with `claude` on PATH, and without the plugin: `trai claude` brings it along. */
export class World {
  readonly bench: Bench;
  readonly trai: string;

  private constructor(bench: Bench, trai: string) {
    this.bench = bench;
    this.trai = trai;
  }

  static async open(options: BenchOptions = {}): Promise<World> {
    const bench = await Bench.open({ settings: WORK, ...options });
    closers.push(() => bench.close());
    const bin = path.join(bench.base, 'bin');
    mkdirSync(bin);
    symlinkSync(bench.program, path.join(bin, 'claude'));
    bench.own(bin);
    return new World(bench, path.join(bench.plugin ?? '', 'bin/trai'));
  }

  get path(): Record<string, string> {
    return { PATH: `${path.join(this.bench.base, 'bin')}:${this.bench.env['PATH']}` };
  }

  async run(words: readonly string[], options: RunOptions = {}): Promise<ShellRun> {
    return await this.bench.exec([this.trai, ...words], {
      ...options,
      env: { ...this.path, ...options.env },
    });
  }

  /** `trai claude WORDS -p SCENARIO:name` */
  async claude(name: string, words: readonly string[] = [], options: RunOptions = {}): Promise<ClaudeRun> {
    const stream = ['-p', `SCENARIO:${name}`, '--output-format', 'stream-json', '--verbose'];
    return parseRun(await this.run(['claude', ...words, ...stream], options));
  }

  /** `trai box -y WORDS -p SCENARIO:name` */
  async box(name: string, words: readonly string[] = [], options: RunOptions = {}): Promise<ClaudeRun> {
    const stream = ['-p', `SCENARIO:${name}`, '--output-format', 'stream-json', '--verbose'];
    return parseRun(await this.run(['box', '-y', ...words, ...stream], options));
  }

  async pending(): Promise<string[]> {
    const { out } = await this.run(['diff', '--list']);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.trim());
  }

  async terminal(words: readonly string[] = [], command: readonly string[] = ['claude']): Promise<Terminal> {
    const argv = this.bench.argv.bind(this.bench);
    const { base, project } = this.bench;
    const shell = { base, project, program: 'bash', plugin: null, argv } as unknown as Bench;
    const terminal = await Terminal.open(shell, { args: [this.trai, ...command, ...words], env: this.path });
    closers.push(() => terminal.close());
    return terminal;
  }

  /** What waits for the client: `bin/trai`, or the Node that it has become. */
  waiting(command: 'claude' | 'box'): number | undefined {
    const own = new RegExp(`^\\S*(bash \\S*bin/trai|node \\S*cli\\.cjs) ${command} `);
    // bin/trai has another one of that name below it, which keeps a server running.
    return this.bench.processes().find((pid) => own.test(commandOf(pid)));
  }

  /** Every file of the home, with its content, but trai's state and what the client keeps of its own. */
  host(): Map<string, string> {
    const found = new Map<string, string>();
    const home = this.bench.home;
    const walk = (dir: string): void => {
      for (const entry of readdirSync(path.join(home, dir), { withFileTypes: true })) {
        const name = path.join(dir, entry.name);
        if (OWN.test(name)) continue;
        if (entry.isDirectory()) walk(name);
        else found.set(name, readFileSync(path.join(home, name), 'latin1'));
      }
    };
    walk('');
    return found;
  }
}

const OWN =
  /^\.local\/state\/trai|^\.claude\/(projects|sessions|history\.jsonl|\.last-cleanup)|^\.claude\.json/;

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** What a typed command answered to the prompt. */
export function answerOf(run: ShellRun): string {
  return parseRun(run).answer.replace(/^UserPromptExpansion operation blocked by hook:\n/, '');
}

/** Speaks the protocol of MCP on stdio; its tool `write` writes a file. */
export const MCP_SERVER = `
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize')
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'w', version: '1' } });
  else if (method === 'tools/list')
    answer({ tools: [{ name: 'write', description: 'writes', inputSchema: { type: 'object', properties: { name: { type: 'string' } } } }] });
  else if (method === 'tools/call') {
    require('fs').writeFileSync(params.arguments.name, 'by MCP\\n');
    answer({ content: [{ type: 'text', text: 'written' }] });
  } else if (id !== undefined) answer({});
});
`;

/** bash: posts a body to a route of the server, with a credential. */
export const FORGE = `forge() { exec 3<>/dev/tcp/127.0.0.1/$1
  printf 'POST %s HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nContent-Length: %s\\r\\nConnection: close\\r\\n\\r\\n%s' "$2" "$1" "$3" "\${#4}" "$4" >&3
  cat <&3; }
forge "$@"
`;
