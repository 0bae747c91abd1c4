import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeTrai, startServer, type Trai } from '../lib/trai.ts';
import { makeProject } from '../start/demo.ts';
import { hook, must, startSession } from './plugin-session.ts';
import type { Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const SESSION = 'bench-rules';
const RULES = 100;

/** What permission rules add to PreToolUse: of Bash with 100 rules, and of a tool that none of them is about. */
export async function benchRulesHooks(rounds: number): Promise<Result[]> {
  const [ruled, without] = [makeTrai('bench-rules'), makeTrai('bench-no-rules')];
  write(ruled, 'rules.json', { version: 2, deny: rulesOf('deny'), allow: rulesOf('allow') });
  write(without, 'config.json', { rules: { enabled: false }, server: { idleMinutes: 1440 } });
  const servers = [];
  for (const on of [ruled, without]) {
    await makeProject(on.project);
    servers.push(await startServer(on));
    startSession(on, SESSION);
  }
  let n = 0;
  const ask = (on: Trai, tool: string, input: object) =>
    timed(() => {
      n += 1;
      const event = { session_id: SESSION, hook_event_name: 'PreToolUse', cwd: on.project };
      const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${n}` };
      must('bash', ['-p', hook('hook.sh'), 'PreToolUse'], on, JSON.stringify({ ...event, ...call }));
    });
  const samples = await interleave(rounds, {
    ruled: () => ask(ruled, 'Bash', { command: `make step-${n}` }),
    without: () => ask(without, 'Bash', { command: `make step-${n}` }),
    other: () => ask(ruled, 'WebFetch', { url: `https://a.example/${n}`, prompt: 'p' }),
    bash: () => timed(() => must('bash', ['-c', ':'], ruled)),
  });
  for (const server of servers) await server.stop();
  const of = (name: string) => samples[name] ?? [];
  return [
    {
      what: `PreToolUse of Bash, ${RULES} rules`,
      values: of('ruled'),
      unit: 'ms',
      target: null,
      peer: { name: 'rules turned off', values: of('without'), atMost: null, atMostMore: 1 },
    },
    {
      what: 'PreToolUse of a tool that no rule is about',
      values: of('other'),
      unit: 'ms',
      target: null,
      peer: { name: 'bash -c :', values: of('bash'), atMost: null, atMostMore: 2 },
    },
  ];
}

function write({ env }: Trai, name: string, content: object): void {
  const dir = path.join(env['XDG_CONFIG_HOME'] ?? '', 'trai');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, name), JSON.stringify(content));
}

function rulesOf(word: string): object[] {
  return Array.from({ length: RULES / 2 }, (_one, i) => {
    return { tool: '^Bash$', match: { command: `^${word}-program-${i}(\\s|$)` } };
  });
}
