import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { matchEffects } from '../../core/rules/effects/matching.ts';
import { RuleFiles } from '../../core/rules/files/files.ts';
import { loadRules, type RuleSet } from '../../core/rules/files/rule-set.ts';
import { judge } from '../../core/rules/judge/judge.ts';
import { type JudgeFacts, judgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { projectOf } from '../../core/session/project.ts';
import { fromText } from '../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { Rule, RuleFile } from '../../shared/model/rule.ts';
import { linesOf, putSession } from '../../testing/rules/decisions.ts';
import { makeTrai, type Trai, trai } from '../lib/trai.ts';
import type { Result } from './table.ts';
import { interleave, percentile, timed } from './timing.ts';

const DECISIONS = 100;

/** Rules as people have them: most begin with a program, some with a choice of them. */
function rulesOf(count: number): RuleFile {
  const rule = (i: number): Rule => {
    const command = i % 10 === 0 ? `^(tool${i}|other${i})\\s+[a-z-]+$` : `^tool${i}\\b.*`;
    return { tool: '^Bash$', match: { command }, reason: `rule ${i}` };
  };
  const rules = Array.from({ length: count }, (_, i) => rule(i));
  const third = Math.ceil(count / 3);
  return {
    version: 2,
    deny: rules.slice(0, third),
    ask: rules.slice(third, 2 * third),
    allow: rules.slice(2 * third),
  };
}

const COMMANDS = [
  'npm test',
  'git status && git diff --stat | head -20',
  'cd src && grep -rn "foo bar" . | sort | uniq -c | sort -rn | head -5',
  'for f in *.ts; do echo "$f"; sed -i s/a/b/ "$f"; done',
  'timeout 60 env A=1 bash -c "npm run build && npm test -- --run"',
  "cat > notes.md <<'EOF'\nsome text\nmore of it\nEOF",
];

/** 10 kB of different commands. */
function longCommand(): string {
  let text = '';
  for (let i = 0; text.length < 9_700; i++)
    text += `echo "line ${i}" | tee -a out/${i % 7}.log && step-${i} --n=${i}\n`;
  return text;
}

interface Bench {
  on: Trai;
  facts: JudgeFacts;
}

function setOf({ on, facts }: Bench, files: RuleFiles): RuleSet {
  const project = projectOf(fromText(on.project));
  const about = { env: on.env, stateDir: on.state, project, session: null, home: facts.home };
  return loadRules({ ...about, config: DEFAULT_CONFIG }, files);
}

/**
 * The 99th of a hundred decisions, with the rule files looked at before each, as the server does: processor time (ms), since
 * a decision is too short for the wall clock of a busy machine.
 */
function slowest(bench: Bench, files: RuleFiles, commands: readonly string[]): number {
  const times: number[] = [];
  for (let i = 0; i < DECISIONS; i++) {
    const before = process.cpuUsage();
    const call = {
      tool: 'Bash',
      input: { command: commands[i % commands.length] },
      cwd: bench.on.project,
      mode: 'default',
    };
    judge(call, setOf(bench, files), bench.facts);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return percentile(times, 0.99);
}

const HISTORY_CALLS = 10_000;

/** `trai rules test --history` on a log of different calls, a fifth of which the rule is about. */
async function historyOf(on: Trai): Promise<() => Promise<number>> {
  const at = new Date().toISOString();
  const calls = Array.from({ length: HISTORY_CALLS }, (_, i) => {
    const command = i % 5 === 0 ? `npm run build -- --n=${i}` : `${COMMANDS[i % COMMANDS.length]} # ${i}`;
    return { command, at, cwd: on.project };
  });
  await putSession(on.state, 'history', linesOf(calls), on.project);
  return () => timed(() => trai(on, ['rules', 'test', '--history', '--', '^npm run [a-z]+( -- .*)?$']));
}

const PENDING = 50_000;
/** As people have them: names anywhere, places, places of the project. */
const EFFECTS = [
  ...['**/.env*', '~/.ssh/**', 'project:migrations/**', '*.lock', 'project:dist/', '**/secrets/**', '*.pem'],
  ...[
    'project:src/**/*.gen.ts',
    'outside-project:**',
    '/etc/**',
    '**/node_modules/**',
    '*.min.js',
    '**/id_*',
  ],
  ...['project:**/build/**', '~/.config/**', '**/*.key', '.github/**', '**/Dockerfile*', '*.sqlite?', 'a/b'],
].map((glob) => ({ paths: [glob] }));

/** Processor time of matching so many effect rules with a long list, ms. */
function effectsOf(on: Trai, home: string): (count: number) => number {
  const roots = { home: fromText(home), projectRoot: fromText(on.project) };
  const entries = Array.from({ length: PENDING }, (_, i) => {
    const dir = path.join(on.project, `packages/part_${Math.floor(i / 100)}/src/components`);
    return { path: fromText(path.join(dir, `file_${i}.test.ts`)), isDir: false };
  });
  return (count) => {
    const before = process.cpuUsage();
    matchEffects(EFFECTS.slice(0, count), entries, roots);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

/** Decisions by permission rules, and `trai rules list`; neither needs a server. */
export async function benchRules(rounds: number): Promise<Result[]> {
  const on = makeTrai('rules');
  // As SessionStart writes it: without it each start looks for a Node.
  writeFileSync(path.join(on.state, 'node'), `${process.execPath}\n`);
  const home = on.env['HOME'] ?? '/';
  const facts = judgeFacts({ view: 'none', home, config: DEFAULT_CONFIG, runs: 'sandbox' });
  const bench = { on, facts };
  const file = path.join(on.env['XDG_CONFIG_HOME'] ?? '', 'trai/rules.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const use = (count: number): RuleFiles => {
    writeFileSync(file, JSON.stringify(rulesOf(count)));
    const files = new RuleFiles(on.state);
    setOf(bench, files);
    return files;
  };
  const of = async (count: number, commands: readonly string[]) => {
    const files = use(count);
    const { judged = [] } = await interleave(rounds, { judged: () => slowest(bench, files, commands) });
    return judged;
  };
  // The first decisions of a process are compiled meanwhile.
  await of(100, [...COMMANDS, longCommand()]);
  const none = await of(0, COMMANDS);
  const hundred = await of(100, COMMANDS);
  const thousand = await of(1_000, COMMANDS);
  const long = await of(1_000, [longCommand()]);
  const before = heapMb();
  const kept = use(1_000);
  const memory = Math.max(0, heapMb() - before);
  // Only now may the compiled rules be collected.
  setOf(bench, kept);
  const { list = [] } = await interleave(rounds, { list: () => timed(() => trai(on, ['rules', 'list'])) });
  const { history = [] } = await interleave(rounds, { history: await historyOf(on) });
  const effects = effectsOf(on, home);
  const { all = [], one = [] } = await interleave(rounds, {
    all: () => effects(EFFECTS.length),
    one: () => effects(1),
  });
  const peer = { name: 'without rules', values: none, atMost: null };
  return [
    { what: 'decision, processor time p99, 100 rules', values: hundred, unit: 'ms', target: 5, peer },
    { what: 'decision, processor time p99, 1,000 rules', values: thousand, unit: 'ms', target: null, peer },
    {
      what: 'decision, processor time p99, 1,000 rules, 10 kB',
      values: long,
      unit: 'ms',
      target: 20,
      peer: null,
    },
    { what: 'heap of 1,000 compiled rules', values: [memory], unit: 'MB', target: 10, peer: null },
    { what: 'trai rules list, 1,000 rules', values: list, unit: 'ms', target: 300, peer: null },
    {
      what: `${EFFECTS.length} effect rules on 50,000 pending entries, processor time`,
      values: all,
      unit: 'ms',
      target: 300,
      peer: { name: 'one of them', values: one, atMost: null },
    },
    { what: 'one rule on the log of 10,000 calls', values: history, unit: 'ms', target: 500, peer: null },
  ];
}
