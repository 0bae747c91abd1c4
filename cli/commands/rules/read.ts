/** `trai rules list`, `test` and `verify`. */

import { loadRules } from '../../../core/rules/files/rule-set.ts';
import { hitsOf, readDecisions } from '../../../core/rules/history/decisions.ts';
import { judge } from '../../../core/rules/judge/judge.ts';
import { whereItRuns } from '../../../core/rules/judge/judge-facts.ts';
import { cutText } from '../../../core/rules/judge/segments.ts';
import { listFiles, listRules } from '../../../core/rules/manage/list.ts';
import { settingsEntries, settingsSay } from '../../../core/rules/manage/settings.ts';
import { verifyRules } from '../../../core/rules/manage/verify.ts';
import type { RuleFileState } from '../../../shared/api/rules.ts';
import { toDisplay } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import {
  type Effect,
  type Finding,
  type ListedRule,
  RULE_LISTS,
  type ToolCall,
  type Verdict,
} from '../../../shared/model/rule.ts';
import { ruleLimits } from '../../../shared/model/rule-limits.ts';
import { quoted } from '../../../shared/terminal/quoted.ts';
import { minuteText } from '../../../shared/terminal/text.ts';
import { type Args, badUsage, type Command, choiceOf } from '../../context/command.ts';
import type { Cli } from '../../context/world.ts';
import { RULES, USAGE } from '../../messages/errors.ts';
import { testHistory } from './history.ts';
import { factsOf, patternOf, placeOf } from './place.ts';

const SCOPES = ['all', 'user', 'project', 'session', 'built-in'] as const;

export async function listAll(cli: Cli, args: Args, command: Command): Promise<number> {
  const { config, request } = placeOf(cli);
  const set = loadRules(request);
  const scope = choiceOf(command, args, 'scope', SCOPES);
  const list = choiceOf(command, args, 'list', ['all', ...RULE_LISTS]);
  const source = choiceOf(command, args, 'source', ['all', 'authored', 'imported']);
  const tool = patternOf(command, args.options.get('tool'));
  // Reading all logs takes longer than the rest.
  const decisions = args.flags.has('hits') ? await readDecisions({ stateDir: cli.state, since: '' }) : [];
  const found = listRules(set, config, hitsOf(decisions), Date.now()).filter((one) => {
    if (scope !== 'all' && one.ref.scope !== scope) return false;
    if (list !== 'all' && one.ref.list !== list) return false;
    if (source !== 'all' && one.source !== source) return false;
    return tool === null || tool.test(one.rule.tool ?? '');
  });
  const files = listFiles(set.files);
  const withHits = args.flags.has('hits');
  const text = args.flags.has('flat')
    ? found.map(flatLine)
    : [...groups(found, withHits), ...fileLines(files)];
  if (!set.enabled) cli.remark(RULES.off);
  cli.print(text.length === 0 ? RULES.none : text.map(inRow).join('\n'), {
    enabled: set.enabled,
    sandboxed: set.sandboxed,
    allowedDirs: set.allowedDirs,
    rules: found.map(({ ref, hits, last, ...rest }) => {
      const use = withHits ? { hits, last } : {};
      return { ...ref, ...rest, ...use };
    }),
    files,
  });
  return 0;
}

function groups(found: readonly ListedRule[], withHits: boolean): string[] {
  return RULE_LISTS.flatMap((list) => {
    const own = found.filter(({ ref }) => ref.list === list);
    return own.length === 0 ? [] : [list, ...own.map((one) => groupLine(one, withHits))];
  });
}

function groupLine({ ref, rule, source, counts, hits, last }: ListedRule, withHits: boolean): string {
  const where =
    source === 'built-in'
      ? 'built-in'
      : `${ref.scope}${source === 'imported' ? ' (imported)' : ''} ${ref.index}`;
  const reason = ref.reason === '' ? '' : `  # ${ref.reason}`;
  const used = withHits ? `${String(hits).padStart(6)}  ${minuteText(last).padEnd(16)}  ` : '';
  const notes = [...ruleLimits(rule), ...(counts ? [] : [RULES.uncounted])].map((note) => `  (${note})`);
  return `  ${where.padEnd(10)}  ${used}${ref.text}${notes.join('')}${reason}`;
}

function flatLine({ ref, counts }: ListedRule): string {
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

/** A repository's text must not make a row of its own, as of a hash to trust. */
export function inRow(text: string): string {
  return text.replaceAll('\n', '\\n');
}

/** What a file says beside its rules. */
function fileLines(files: readonly RuleFileState[]): string[] {
  return files.flatMap(({ path, state, trusted, hash, problems, allowedDirs, effects }) => {
    if (state === 'missing') return [];
    const lines = [
      ...problems,
      ...(allowedDirs.length === 0 ? [] : [RULES.allowedDirs(allowedDirs, trusted)]),
      ...effects.map((effect, i) => `effects[${i}]  ${effectLine(effect)}`),
      ...(trusted || state === 'broken' ? [] : [RULES.untrusted(hash)]),
    ];
    return lines.map((line) => `${path}: ${line}`);
  });
}

function effectLine({ do: does, paths, kinds = [], reason = '' }: Effect): string {
  return [
    does,
    ...paths,
    kinds.length === 0 ? '' : `(${kinds.join(', ')})`,
    reason === '' ? '' : `# ${reason}`,
  ]
    .filter((part) => part !== '')
    .join('  ');
}

export async function testCall(cli: Cli, args: Args, command: Command): Promise<number> {
  if (args.flags.has('history')) return await testHistory(cli, args, command);
  const place = placeOf(cli);
  const call = callOf(cli, args, command);
  const text = isShell(call.tool) && isObject(call.input) ? String(call.input['command']) : null;
  const runs =
    text === null ? null : whereItRuns(text, cli.cwd, { home: place.request.home, config: place.config });
  const facts = factsOf(place, runs);
  const set = loadRules(place.request);
  const verdict = judge(call, set, facts);
  const cut = text === null ? null : cutText(text, cli.cwd, facts.home);
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

function callOf(cli: Cli, args: Args, command: Command): ToolCall {
  const [, ...words] = args.words;
  const tool = args.options.get('tool') ?? 'Bash';
  const file = args.options.get('file');
  const [only = ''] = words;
  const text = words.length === 1 ? only : words.map(quoted).join(' ');
  const about = { tool, cwd: cli.cwd, mode: args.options.get('mode') ?? 'default' };
  if (file !== undefined)
    return { ...about, input: { file_path: file.startsWith('/') ? file : `${cli.cwd}/${file}` } };
  if (!isShell(tool)) return { ...about, input: text === '' ? {} : inputOf(text, command) };
  if (text === '') throw badUsage(command, USAGE.noCommand);
  return { ...about, input: { command: text } };
}

function inputOf(text: string, command: Command): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUsage(command, USAGE.noInput(text));
  }
}

export async function verify(cli: Cli, args: Args, command: Command): Promise<number> {
  const place = placeOf(cli);
  const set = loadRules(place.request);
  const scope = choiceOf(command, args, 'scope', SCOPES);
  const files = set.files.filter((file) => scope === 'all' || file.scope === scope);
  const names = new Set(files.map(({ path }) => toDisplay(path)));
  const decisions = await readDecisions({ stateDir: cli.state, since: '' });
  const use = { hits: hitsOf(decisions), oldest: decisions[0]?.at ?? '' };
  const findings = verifyRules(set, factsOf(place), use).filter(({ file }) => names.has(file));
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

export function findingLine({ level, code, file, at, text }: Finding): string {
  return `${level}: ${[file, at].filter((one) => one !== '').join(' ')}: ${text} [${code}]`;
}
