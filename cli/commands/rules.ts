/** `trai rules`: the permission rules of all scopes, what they say about a call, and changes of them. */
import { decide } from '../../core/decide/decide.ts';
import { callerOf } from '../../core/kernel/proc/caller.ts';
import { loadRules, type RuleSet, type RulesRequest } from '../../core/rules/files/rule-set.ts';
import { builtInRef } from '../../core/rules/judge/built-in.ts';
import { judge } from '../../core/rules/judge/judge.ts';
import { type JudgeFacts, judgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { cutText } from '../../core/rules/judge/segments.ts';
import {
  addRule,
  type Edited,
  removeRule,
  trustProject,
  type WritableScope,
} from '../../core/rules/manage/edit.ts';
import { settingsEntries, settingsSay } from '../../core/rules/manage/settings.ts';
import { type Finding, verifyRules } from '../../core/rules/manage/verify.ts';
import { compilePattern, PatternError } from '../../core/rules/model/pattern.ts';
import { loadConfig } from '../../core/session/config-file.ts';
import { projectOf } from '../../core/session/project.ts';
import { fromText, toDisplay, toText } from '../../shared/bytes.ts';
import type { Config } from '../../shared/config/config.ts';
import { isObject } from '../../shared/json-lines.ts';
import { isShell } from '../../shared/log/calls.ts';
import type { Mode } from '../../shared/model/decision.ts';
import {
  RULE_LISTS,
  type Rule,
  type RuleList,
  type RuleRef,
  type ToolCall,
  type Verdict,
} from '../../shared/model/rule.ts';
import { type Args, badUsage, type Command, choiceOf } from '../context/command.ts';
import { quoted } from '../context/permit.ts';
import { chosenMeta } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { needsTerminal, noSessionHere, RULES, USAGE } from '../messages/errors.ts';

export const rules: Command = {
  name: 'rules',
  usage: 'list | test | verify | add | remove | trust [...]',
  summary: 'permission rules: which calls of Claude are allowed, asked about or denied',
  arguments: [
    ['list', 'the rules of all scopes: --scope, --list, --source, --tool, --flat'],
    ['test [--] COMMAND', 'what the rules say about a call: --tool, --file, --mode'],
    [
      'verify',
      'what is wrong with the rule files: --scope, --strict, --quiet;\nstatus 1 = errors, 2 = warnings with --strict',
    ],
    ['add SCOPE TOOL [RE] [REASON]', 'appends a rule: --allow (the default), --ask, --deny, --field'],
    ['remove SCOPE LIST INDEX', 'the rule with this number, from 0, as listed'],
    ['trust', 'lets the allow rules of this project count, with their present content'],
    ['--scope S', 'user, project, session, built-in or all (the default)'],
    ['--list L', 'deny, ask or allow (default: all)'],
    ['--source S', 'authored or imported (default: both)'],
    ['--tool RE', 'list: rules whose tool matches; test: the tool (default: Bash)'],
    ['--flat', 'one line a rule, with the file'],
    ['--file PATH', 'test: the file that a tool works on'],
    ['--mode MODE', 'test: the permission mode (default: default)'],
    ['--field FIELD', 'add: the field that RE is about (default: the tool’s own)'],
    ['--allow', 'add: an allow rule'],
    ['--ask', 'add: an ask rule'],
    ['--deny', 'add: a deny rule'],
    ['--strict', 'verify: warnings count'],
    ['--quiet', 'verify: prints only problems'],
    ['--format FORMAT', 'json or plain (the default)'],
  ],
  words: 200,
  session: 'with the rules of this session (default: of none)',
  async run(cli, args) {
    const [name = ''] = args.words;
    const run = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
    choiceOf(rules, args, 'format', ['plain', 'json']);
    if (run === undefined) throw badUsage(rules, USAGE.noSubcommand(Object.keys(SUBCOMMANDS), name));
    return await run(cli, args);
  },
};

const SUBCOMMANDS: Readonly<Record<string, (cli: Cli, args: Args) => number | Promise<number>>> = {
  list: listRules,
  test: testCall,
  verify,
  add,
  remove,
  trust,
};

interface Place {
  config: Config;
  request: RulesRequest;
  projectRoot: string;
}

function placeOf(cli: Cli): Place {
  const { config, problems } = loadConfig(cli.env);
  for (const problem of problems) cli.remark(problem);
  const project = projectOf(fromText(cli.cwd));
  const home = cli.env['HOME'] ?? '/';
  const request = { env: cli.env, stateDir: cli.state, project, session: cli.session, home, config };
  return { config, request, projectRoot: toText(project.root) };
}

function factsOf({ config, request: { home } }: Place, runs: Mode | null = null): JudgeFacts {
  return judgeFacts({ view: 'none', home, config, runs });
}

// list

interface Listed {
  ref: RuleRef;
  source: 'authored' | 'imported' | 'built-in';
  rule: Rule;
  /** False: of a file that the user has not trusted, or turned off. */
  counts: boolean;
}

const SCOPES = ['all', 'user', 'project', 'session', 'built-in'] as const;

function listRules(cli: Cli, args: Args): number {
  const { config, request } = placeOf(cli);
  const set = loadRules(request);
  const scope = choiceOf(rules, args, 'scope', SCOPES);
  const list = choiceOf(rules, args, 'list', ['all', ...RULE_LISTS]);
  const source = choiceOf(rules, args, 'source', ['all', 'authored', 'imported']);
  const tool = patternOf(args.options.get('tool'));
  const found = listed(set, config).filter((one) => {
    if (scope !== 'all' && one.ref.scope !== scope) return false;
    if (list !== 'all' && one.ref.list !== list) return false;
    if (source !== 'all' && one.source !== source) return false;
    return tool === null || tool.test(one.rule.tool ?? '');
  });
  const files = set.files.map(({ path, hash, state, trusted, problems, scope: own, imported }) => {
    return { scope: own, imported, path: toDisplay(path), state, trusted, problems, hash };
  });
  const text = args.flags.has('flat') ? found.map(flatLine) : [...groups(found), ...fileLines(files)];
  if (!set.enabled) cli.remark(RULES.off);
  cli.print(text.length === 0 ? RULES.none : text.join('\n'), {
    enabled: set.enabled,
    sandboxed: set.sandboxed,
    allowedDirs: set.allowedDirs,
    rules: found.map(({ ref, ...rest }) => ({ ...ref, ...rest })),
    files,
  });
  return 0;
}

function listed(set: RuleSet, { rules: { builtIn, enabled } }: Config): Listed[] {
  const ofFiles = set.files.flatMap((file) =>
    [...(file.rules?.deny ?? []), ...(file.rules?.ordered ?? [])].map(({ ref, rule }): Listed => {
      const counts = enabled && (file.trusted || ref.list !== 'allow');
      return { ref, rule, source: file.imported ? 'imported' : 'authored', counts };
    }),
  );
  const own = builtIn.map((name): Listed => {
    return { ref: builtInRef(name), rule: { tool: name }, source: 'built-in', counts: enabled };
  });
  return [...ofFiles, ...own];
}

function groups(found: readonly Listed[]): string[] {
  return RULE_LISTS.flatMap((list) => {
    const own = found.filter(({ ref }) => ref.list === list);
    return own.length === 0 ? [] : [list, ...own.map(groupLine)];
  });
}

function groupLine({ ref, source, counts }: Listed): string {
  const where =
    source === 'built-in'
      ? 'built-in'
      : `${ref.scope}${source === 'imported' ? ' (imported)' : ''} ${ref.index}`;
  const reason = ref.reason === '' ? '' : `  # ${ref.reason}`;
  return `  ${where.padEnd(10)}  ${ref.text}${counts ? '' : `  (${RULES.uncounted})`}${reason}`;
}

function flatLine({ ref, counts }: Listed): string {
  const fields = [
    ref.list,
    ref.scope,
    String(ref.index),
    counts ? 'counts' : RULES.uncounted,
    ref.file,
    ref.text,
  ];
  return fields.join('\t');
}

function fileLines(
  files: readonly { path: string; state: string; trusted: boolean; problems: readonly string[] }[],
): string[] {
  return files.flatMap(({ path, state, trusted, problems }) => {
    if (state === 'missing') return [];
    const lines = problems.map((problem) => `${path}: ${problem}`);
    return trusted ? lines : [...lines, `${path}: ${RULES.untrusted}`];
  });
}

// test

function testCall(cli: Cli, args: Args): number {
  const place = placeOf(cli);
  const call = callOf(cli, args);
  const command = isShell(call.tool) && isObject(call.input) ? String(call.input['command']) : null;
  const runs = command === null ? null : whereItRuns(command, cli.cwd, place);
  const facts = factsOf(place, runs);
  const set = loadRules(place.request);
  const verdict = judge(call, set, facts);
  const cut = command === null ? null : cutText(command, cli.cwd, facts.home);
  const about = { env: cli.env, home: facts.home, projectRoot: place.projectRoot };
  const settings = settingsSay(call, cut, settingsEntries(about), about);
  const said = settings.matches.map(({ list, entry, file }) => `  ${list} ${entry} in ${file}`);
  const lines = [
    `${verdict.decision}: ${verdict.why}`,
    ...segmentLines(verdict),
    ...(runs === null ? [] : [RULES.runs[runs]]),
    RULES.settings[settings.decision],
    ...new Set(said),
  ];
  cli.print(lines.join('\n'), { ...verdict, runs, settings });
  return 0;
}

/** A reader counts as sandboxed: what is pending by then is not known. */
function whereItRuns(command: string, cwd: string, { config, request }: Place): Mode {
  const about = { cwd, home: request.home, ownPrograms: [], ownPermit: false, oneShot: false };
  return decide(command, { ...about, pending: true, config }).mode;
}

function segmentLines({ segments }: Verdict): string[] {
  return segments.map(({ text, decision, by, rule, why }) => {
    const from =
      rule === null
        ? why === ''
          ? RULES.byNone
          : why
        : by === 'rule'
          ? `${rule.list}[${rule.index}] of ${rule.file}`
          : by;
    return `  ${decision.padEnd(5)}  ${text}  (${from})`;
  });
}

function callOf(cli: Cli, args: Args): ToolCall {
  const [, ...words] = args.words;
  const tool = args.options.get('tool') ?? 'Bash';
  const file = args.options.get('file');
  const [only = ''] = words;
  const text = words.length === 1 ? only : words.map(quoted).join(' ');
  const about = { tool, cwd: cli.cwd, mode: args.options.get('mode') ?? 'default' };
  if (file !== undefined)
    return { ...about, input: { file_path: file.startsWith('/') ? file : `${cli.cwd}/${file}` } };
  if (!isShell(tool)) return { ...about, input: text === '' ? {} : inputOf(text) };
  if (text === '') throw badUsage(rules, USAGE.noCommand);
  return { ...about, input: { command: text } };
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUsage(rules, USAGE.noInput(text));
  }
}

// verify

function verify(cli: Cli, args: Args): number {
  const place = placeOf(cli);
  const set = loadRules(place.request);
  const scope = choiceOf(rules, args, 'scope', SCOPES);
  const files = set.files.filter((file) => scope === 'all' || file.scope === scope);
  const names = new Set(files.map(({ path }) => toDisplay(path)));
  const findings = verifyRules(set, factsOf(place)).filter(({ file }) => names.has(file));
  const errors = findings.filter(({ level }) => level === 'error').length;
  const status = errors > 0 ? 1 : findings.length > 0 && args.flags.has('strict') ? 2 : 0;
  const read = files.filter(({ state }) => state !== 'missing').length;
  const lines = findings.map(findingLine);
  if (findings.length === 0 && !args.flags.has('quiet')) lines.push(RULES.verified(read));
  cli.print(lines.join('\n'), {
    ok: status === 0,
    errors,
    warnings: findings.length - errors,
    files: read,
    findings,
  });
  return status;
}

function findingLine({ level, code, file, at, text }: Finding): string {
  return `${level}: ${[file, at].filter((one) => one !== '').join(' ')}: ${text} [${code}]`;
}

// add, remove, trust

/** The field that a rule is usually about. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^(Bash|Monitor)$/, 'command'],
  [/^(Read|Edit|MultiEdit|Write)$/, 'file_path'],
  [/^(NotebookEdit|NotebookRead)$/, 'notebook_path'],
  [/^(Grep|Glob|LS)$/, 'path'],
  [/^WebFetch$/, 'url'],
  [/^WebSearch$/, 'query'],
  [/^Skill$/, 'skill'],
];

async function add(cli: Cli, args: Args): Promise<number> {
  onlyUser(cli, args);
  const [, scope, tool = '', pattern, reason, extra] = args.words;
  const lists = RULE_LISTS.filter((list) => args.flags.has(list));
  if (lists.length > 1) throw badUsage(rules, USAGE.twoLists);
  if (tool === '') throw badUsage(rules, USAGE.noTool);
  if (extra !== undefined) throw badUsage(rules, USAGE.unexpected(extra));
  const name = tool.replace(/^\^|\$$/g, '');
  const field = args.options.get('field') ?? FIELDS.find(([tools]) => tools.test(name))?.[1];
  if (pattern !== undefined && field === undefined) throw badUsage(rules, USAGE.noField(tool));
  for (const source of [tool, pattern ?? '']) patternOf(source);
  // A bare name is that tool alone: `Bash` would match `BashOutput`.
  const rule: Rule = {
    tool: /^[A-Za-z]\w*$/.test(tool) ? `^${tool}$` : tool,
    ...(pattern === undefined || field === undefined ? {} : { match: { [field]: pattern } }),
    ...(reason === undefined ? {} : { reason }),
  };
  const edited = await addRule(await editOf(cli, scope), lists[0] ?? 'allow', rule);
  cli.print(editedText(RULES.added, edited), edited);
  return 0;
}

async function remove(cli: Cli, args: Args): Promise<number> {
  onlyUser(cli, args);
  const [, scope, named, index = '', extra] = args.words;
  const list = RULE_LISTS.find((one): one is RuleList => one === named);
  if (list === undefined) throw badUsage(rules, USAGE.noList(named ?? ''));
  if (!/^\d{1,6}$/.test(index)) throw badUsage(rules, USAGE.noIndex(index));
  if (extra !== undefined) throw badUsage(rules, USAGE.unexpected(extra));
  const edited = await removeRule(await editOf(cli, scope), list, Number(index));
  cli.print(editedText(RULES.removed, edited), edited);
  return 0;
}

async function trust(cli: Cli, args: Args): Promise<number> {
  onlyUser(cli, args);
  const { request } = placeOf(cli);
  const waiting = await trustProject(request);
  const files = waiting.map(({ path, hash }) => ({ file: toDisplay(path), hash }));
  const lines = files.map(({ file, hash }) => RULES.trusted(file, hash ?? ''));
  cli.print(lines.length === 0 ? RULES.nothingToTrust : lines.join('\n'), {
    project: request.project.id,
    files,
  });
  return 0;
}

/** What the model writes into rule files would be a permit that it gives itself. */
function onlyUser(cli: Cli, { fromPrompt }: Args): void {
  const caller = callerOf(process.pid, cli.state);
  if (caller.kind !== 'user' || fromPrompt) throw needsTerminal(caller);
}

async function editOf(cli: Cli, scope: string | undefined): Promise<Parameters<typeof addRule>[0]> {
  const known = WRITABLE.find((one) => one === scope);
  if (known === undefined) throw badUsage(rules, USAGE.noScope(WRITABLE, scope ?? ''));
  const place = placeOf(cli);
  const facts = factsOf(place);
  if (known !== 'session' || place.request.session !== null)
    return { request: place.request, facts, scope: known };
  const meta = await chosenMeta(cli);
  if (meta === null) throw noSessionHere(cli.cwd);
  return { request: { ...place.request, session: meta.id }, facts, scope: known };
}

const WRITABLE: readonly WritableScope[] = ['user', 'project', 'session'];

function editedText(done: (rule: string, file: string) => string, edited: Edited): string {
  const { list, index, rule, file, findings, trusted } = edited;
  const lines = [done(`${list}[${index}]: ${JSON.stringify(rule)}`, file), ...findings.map(findingLine)];
  return (trusted ? lines : [...lines, RULES.untrusted]).join('\n');
}

function patternOf(source: string | undefined): RegExp | null {
  if (source === undefined) return null;
  try {
    return compilePattern(source).regexp;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw badUsage(rules, USAGE.noPattern(source, error.message));
  }
}
