/** `trai rules add`, `edit`, `move`, `remove`, `trust` and `sandboxed`. The caller has seen that the user asks for it. */
import { loadRules } from '../../../core/rules/files/rule-set.ts';
import { readDecisions } from '../../../core/rules/history/decisions.ts';
import { savedPrompts, setSandboxed } from '../../../core/rules/history/sandboxed.ts';
import {
  changeRules,
  type Edit,
  type Edited,
  importRules,
  trustProject,
  type WritableScope,
} from '../../../core/rules/manage/edit.ts';
import { IMPORT_SOURCES, type ImportSource, planImport } from '../../../core/rules/manage/import.ts';
import { dismissImports } from '../../../core/rules/manage/import-news.ts';
import { contentChanged, noSuchRule } from '../../../core/rules/messages.ts';
import { ruleText } from '../../../core/rules/model/model.ts';
import { toDisplay } from '../../../shared/bytes.ts';
import { fieldOf, RULE_LISTS, type Rule, type RuleList, ruleOf } from '../../../shared/model/rule.ts';
import { oneLine } from '../../../shared/terminal/calls.ts';
import { type Args, badUsage, type Command, choiceOf } from '../../context/command.ts';
import { chosenMeta } from '../../context/session.ts';
import type { Cli } from '../../context/world.ts';
import { noSessionHere, RULES, USAGE } from '../../messages/errors.ts';
import { factsOf, patternOf, placeOf } from './place.ts';
import { findingLine, inRow } from './read.ts';
import { sinceOf } from './since.ts';

export async function add(cli: Cli, args: Args, command: Command): Promise<number> {
  const [, scope, tool = '', pattern, reason = '', extra] = args.words;
  const list = listFlag(args, command) ?? 'allow';
  const about = await editOf(cli, scope, command);
  if (tool === '') throw badUsage(command, USAGE.noTool);
  none(extra, command);
  const field = args.options.get('field') ?? fieldOf(tool);
  if (pattern !== undefined && field === null) throw badUsage(command, USAGE.noField(tool));
  for (const source of [tool, pattern]) patternOf(command, source);
  const match = pattern === undefined || field === null ? undefined : { [field]: pattern };
  const rule = ruleOf(tool, match, reason);
  const edited = await changeRules(about, { do: 'add', list, rule });
  cli.print(editedText(RULES.added, edited), edited);
  return 0;
}

export async function edit(cli: Cli, args: Args, command: Command): Promise<number> {
  const [, scope, named, number, pattern, extra] = args.words;
  const about = await editOf(cli, scope, command, args);
  const { list, index } = placeInFile(named, number, command);
  none(extra, command);
  patternOf(command, pattern);
  const { files } = loadRules(about.request);
  const file = files.find((one) => one.scope === about.scope && one.imported === (about.imported ?? false));
  const rules = [...(file?.rules?.deny ?? []), ...(file?.rules?.ordered ?? [])];
  const found = rules.find(({ ref }) => ref.list === list && ref.index === index);
  if (file === undefined || found === undefined)
    throw noSuchRule(
      file === undefined ? '' : toDisplay(file.path),
      `${list}[${index}]`,
      rules.filter(({ ref }) => ref.list === list).length,
    );
  const rule = editedRule(found.rule, pattern, args, command);
  const to = listFlag(args, command) ?? list;
  const seen = file.hash ?? '';
  const edited = await changeRules({ ...about, seen }, { do: 'replace', list, index, rule, to });
  cli.print(editedText(RULES.changed, edited), edited);
  return 0;
}

function editedRule(
  old: Rule,
  pattern: string | undefined,
  { options, flags }: Args,
  command: Command,
): Rule {
  const { reason, until, disabled, match, ...rest } = old;
  const fields = Object.keys(match ?? {});
  const field =
    options.get('field') ??
    (fields.length === 1 ? fields[0] : undefined) ??
    fieldOf(old.tool ?? '') ??
    undefined;
  if (pattern !== undefined && field === undefined) throw badUsage(command, USAGE.noField(old.tool ?? '*'));
  const nextMatch = pattern === undefined || field === undefined ? match : { ...match, [field]: pattern };
  const nextReason = options.get('reason') ?? reason ?? '';
  const nextUntil = options.get('until') ?? until ?? '';
  if (flags.has('on') && flags.has('off')) throw badUsage(command, USAGE.onAndOff);
  const isOff = flags.has('off') || (disabled === true && !flags.has('on'));
  return {
    ...rest,
    ...(nextMatch === undefined ? {} : { match: nextMatch }),
    ...(nextReason === '' ? {} : { reason: nextReason }),
    ...(nextUntil === '' ? {} : { until: nextUntil }),
    ...(isOff ? { disabled: true } : {}),
  };
}

export async function move(cli: Cli, args: Args, command: Command): Promise<number> {
  const [, scope, named, number, to = '', extra] = args.words;
  const about = await editOf(cli, scope, command, args);
  const { list, index } = placeInFile(named, number, command);
  none(extra, command);
  if (!INDEX.test(to)) throw badUsage(command, USAGE.noIndex(to));
  const edited = await changeRules(about, { do: 'move', list, index, before: Number(to) });
  cli.print(editedText(RULES.moved, edited), edited);
  return 0;
}

export async function remove(cli: Cli, args: Args, command: Command): Promise<number> {
  const [, scope, named, number, extra] = args.words;
  const about = await editOf(cli, scope, command, args);
  const { list, index } = placeInFile(named, number, command);
  none(extra, command);
  const edited = await changeRules(about, { do: 'remove', list, index });
  cli.print(editedText(RULES.removed, edited), edited);
  return 0;
}

/** Shows what is trusted. With hashes, as `list` shows them, only what the user saw there. */
export async function trust(cli: Cli, args: Args, command: Command): Promise<number> {
  const seen = args.words.slice(1);
  const odd = seen.find((one) => !HASH.test(one));
  if (odd !== undefined) throw badUsage(command, USAGE.noHash(odd));
  const { request } = placeOf(cli);
  const waiting = await trustProject(request, seen.length === 0 ? null : seen);
  const present = seen.length === 0 ? [] : loadRules(request).files;
  const gone = seen.find((one) => !present.some(({ trusted, hash }) => trusted && hash?.startsWith(one)));
  if (gone !== undefined) throw contentChanged(gone);
  const files = waiting.map(({ path, hash, rules }) => ({
    file: toDisplay(path),
    hash: hash ?? '',
    allow: (rules?.ordered ?? []).flatMap(({ ref }) => (ref.list === 'allow' ? [ref.text] : [])),
    allowedDirs: rules?.allowedDirs ?? [],
  }));
  const lines = files.flatMap(({ file, hash, allow, allowedDirs }) => [
    RULES.trusted(file, hash),
    ...allow.map((text) => `  allow  ${text}`),
    ...(allowedDirs.length === 0 ? [] : [`  ${RULES.allowedDirs(allowedDirs, true)}`]),
  ]);
  cli.print(lines.length === 0 ? RULES.nothingToTrust : lines.map(inRow).join('\n'), {
    project: request.project.id,
    files,
  });
  return 0;
}

/** A plan; with --yes it is written, with --dismiss SessionStart says nothing more about it. */
export async function importFrom(cli: Cli, args: Args, command: Command): Promise<number> {
  const [, named, extra] = args.words;
  none(extra, command);
  const from = IMPORT_SOURCES.find((one) => one === named);
  const place = placeOf(cli);
  const { request, projectRoot } = place;
  const set = loadRules(request);
  const planOf = (source: ImportSource) =>
    planImport(source, { env: cli.env, home: request.home, projectRoot, set });
  if (args.flags.has('dismiss')) {
    if (named !== undefined && from === undefined) throw badUsage(command, USAGE.noSource(named));
    const dismissed = await dismissImports(
      request,
      (from === undefined ? IMPORT_SOURCES : [from]).map(planOf),
    );
    cli.print(RULES.dismissed(dismissed), { dismissed });
    return 0;
  }
  if (from === undefined) throw badUsage(command, USAGE.noSource(named ?? ''));
  const plan = planOf(from);
  const lines = [
    ...plan.rules.map(
      ({ scope, list, rule, entry }) => `  ${scope} ${list}  ${entry}  ->  ${ruleText(rule)}`,
    ),
    ...plan.dirs.map(({ scope, dir }) => `  ${scope} allowed_dirs  ${dir}`),
    ...plan.left.map(({ entry, file, why }) => RULES.leftOut(entry, file, why)),
    RULES.importable(plan.rules.length, plan.dirs.length, plan.known),
  ];
  const files: string[] = [];
  if (args.flags.has('yes')) {
    for (const scope of ['user', 'project'] as const) {
      const rules = plan.rules.filter((one) => one.scope === scope);
      const dirs = plan.dirs.filter((one) => one.scope === scope);
      if (rules.length + dirs.length === 0) continue;
      const { file, findings } = await importRules({ request, facts: factsOf(place), scope }, rules, dirs);
      files.push(file);
      lines.push(RULES.written(file), ...findings.map(findingLine));
    }
  } else if (plan.rules.length + plan.dirs.length > 0) lines.push(RULES.importWith(from));
  cli.print(lines.join('\n'), { ...plan, files });
  return 0;
}

const MOST_SHOWN = 10;

/** Shows first what `allow` would have meant for the calls of the last 30 days. */
export async function sandboxed(cli: Cli, args: Args, command: Command): Promise<number> {
  const place = placeOf(cli);
  const [, value, extra] = args.words;
  none(extra, command);
  const { sandboxed: now } = place.config.rules;
  if (value !== undefined && value !== 'ask' && value !== 'allow')
    throw badUsage(command, USAGE.noSandboxed(value));
  if (value === undefined || (value === 'allow' && !args.flags.has('yes'))) {
    const since = sinceOf(command, args.options.get('since') ?? '30d');
    const decisions = await readDecisions({ stateDir: cli.state, since });
    const found = savedPrompts(decisions, place.request, place.config);
    const still = found.still
      .slice(-MOST_SHOWN)
      .map(({ call, why }) => `  ${oneLine(call.subject)}  (${why})`);
    const lines = [
      RULES.sandboxed[now],
      RULES.wouldSave(found.saved.length, found.saved.length + found.still.length),
      ...still,
      RULES.networkOpen,
      ...(now === 'allow' ? [] : [RULES.turnOn]),
    ];
    cli.print(lines.join('\n'), { sandboxed: now, since, saved: found.saved.length, still: found.still });
    return value === undefined ? 0 : 1;
  }
  const file = await setSandboxed(place.request, value);
  cli.print(`${RULES.sandboxed[value]}\n${RULES.written(file)}`, { sandboxed: value, file });
  return 0;
}

const INDEX = /^\d{1,6}$/;
const HASH = /^[0-9a-f]{8,64}$/;

function placeInFile(named = '', number = '', command: Command): { list: RuleList; index: number } {
  const list = RULE_LISTS.find((one): one is RuleList => one === named);
  if (list === undefined) throw badUsage(command, USAGE.noList(named));
  if (!INDEX.test(number)) throw badUsage(command, USAGE.noIndex(number));
  return { list, index: Number(number) };
}

function listFlag({ flags }: Args, command: Command): RuleList | undefined {
  const lists = RULE_LISTS.filter((list) => flags.has(list));
  if (lists.length > 1) throw badUsage(command, USAGE.twoLists);
  return lists[0];
}

function none(extra: string | undefined, command: Command): void {
  if (extra !== undefined) throw badUsage(command, USAGE.unexpected(extra));
}

/** @param args may say `--source imported`; null = of one's own rules */
async function editOf(
  cli: Cli,
  scope: string | undefined,
  command: Command,
  args: Args | null = null,
): Promise<Edit> {
  const imported = args !== null && choiceOf(command, args, 'source', SOURCES) === 'imported';
  // A session has no imported ones.
  const scopes = imported ? WRITABLE.filter((one) => one !== 'session') : WRITABLE;
  const known = scopes.find((one) => one === scope);
  if (known === undefined) throw badUsage(command, USAGE.noScope(scopes, scope ?? ''));
  const place = placeOf(cli);
  const about = { request: place.request, facts: factsOf(place), scope: known, imported };
  if (known !== 'session' || place.request.session !== null) return about;
  const meta = await chosenMeta(cli);
  if (meta === null) throw noSessionHere(cli.cwd);
  return { ...about, request: { ...place.request, session: meta.id } };
}

const SOURCES = ['authored', 'imported'] as const;
const WRITABLE: readonly WritableScope[] = ['user', 'project', 'session'];

function editedText(done: (rule: string, file: string) => string, edited: Edited): string {
  const { list, index, rule, file, findings, trusted } = edited;
  const lines = [done(`${list}[${index}]: ${JSON.stringify(rule)}`, file), ...findings.map(findingLine)];
  return (trusted ? lines : [...lines, RULES.untrusted('')]).join('\n');
}
