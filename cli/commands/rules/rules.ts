/**
 * `trai rules`: the permission rules of all scopes, what they say about a call, and changes of them.
 *
 *     place.ts     the project and session that a command is about
 *     read.ts      list, test, verify
 *     history.ts   log, suggest, test --history: what was decided
 *     change.ts    add, edit, move, remove, trust, sandboxed, import: only the user
 */
import { callerOf } from '../../../core/kernel/proc/caller.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { type Args, badUsage, type Command, choiceOf } from '../../context/command.ts';
import { withPermit } from '../../context/permit.ts';
import { chosenMeta } from '../../context/session.ts';
import type { Cli } from '../../context/world.ts';
import { needsTerminal, noSessionHere, USAGE } from '../../messages/errors.ts';
import { add, edit, importFrom, move, remove, sandboxed, trust } from './change.ts';
import { logDecisions, suggest } from './history.ts';
import { listAll, testCall, verify } from './read.ts';

export const rules: Command = {
  name: 'rules',
  usage:
    'list | test | verify | log | suggest | add | edit | move | remove | trust | sandboxed | import [...]',
  summary: 'permission rules: which calls of Claude are allowed, asked about or denied',
  arguments: [
    ['list', 'the rules of all scopes: --scope, --list, --source, --tool, --flat, --hits'],
    [
      'test [--] COMMAND',
      'what the rules say about a call: --tool, --file, --mode.\n--history: COMMAND is a pattern; which calls of the past it matches',
    ],
    [
      'verify',
      'what is wrong with the rule files: --scope, --strict, --quiet;\nstatus 1 = errors, 2 = warnings with --strict',
    ],
    ['log', 'what was decided, of all sessions: --since, --event, --tool, --tail'],
    ['suggest', 'allow rules that would have saved prompts, with their evidence: --since'],
    ['add SCOPE TOOL [RE] [REASON]', 'appends a rule: --allow (the default), --ask, --deny, --field'],
    [
      'edit SCOPE LIST INDEX [RE]',
      'changes the rule with this number, from 0, as listed: its pattern,\n--reason, --until, --on, --off, --allow, --ask, --deny, --field, --source',
    ],
    ['move SCOPE LIST INDEX TO', 'gives the rule another place in its list: --source'],
    ['remove SCOPE LIST INDEX', 'removes the rule: --source'],
    [
      'trust [HASH ...]',
      'lets the allow rules of this project count, with their present content;\nHASH, as listed: only with the content that was listed',
    ],
    ['sandboxed [ask | allow]', 'whether calls are asked about whose writes stay pending; allow wants --yes'],
    [
      'import passthru | settings',
      'rules of the passthru plugin, or of Claude Code’s settings:\nshows them; --yes writes, --dismiss: SessionStart names them no more',
    ],
    ['--scope S', 'user, project, session, built-in or all (the default)'],
    ['--list L', 'deny, ask or allow (default: all)'],
    ['--source S', 'authored or imported (default: list: both; edit, move, remove: authored)'],
    ['--tool RE', 'list, log: whose tool matches; test: the tool (default: Bash)'],
    ['--flat', 'one line a rule, with the file'],
    ['--hits', 'list: how often each decided, and when last'],
    ['--file PATH', 'test: the file that a tool works on'],
    ['--mode MODE', 'test: the permission mode (default: default)'],
    ['--history', 'test: the calls of the past that a rule with this pattern matches'],
    [
      '--since WHEN',
      '1h, 7d, today or an ISO time\n(default: log: 7d; test --history: 90d; suggest, sandboxed: 30d)',
    ],
    ['--event RE', 'log: whose decision or outcome matches'],
    ['--tail N', 'log: the newest N (default: 50)'],
    ['--field FIELD', 'the field that RE is about (default: the tool’s own)'],
    ['--reason TEXT', 'edit: the reason; empty removes it'],
    ['--until TIME', 'edit: an ISO time after which it no longer counts; empty removes it'],
    ['--on', 'edit: it counts again'],
    ['--off', 'edit: it stays in the file and does not count'],
    ['--allow', 'an allow rule'],
    ['--ask', 'an ask rule'],
    ['--deny', 'a deny rule'],
    ['--yes', 'sandboxed, import: does it'],
    ['--dismiss', 'import: says no to what is there now, of both sources or of one'],
    ['--strict', 'verify: warnings count'],
    ['--quiet', 'verify: prints only problems'],
    ['--format FORMAT', 'json or plain (the default)'],
  ],
  words: 200,
  session: 'with the rules of this session (default: of none)',
  async run(cli, given) {
    const args = given.fromPrompt ? await typed(cli, given) : given;
    const [name = ''] = args.words;
    const { does, writes, options } = Object.hasOwn(SUBCOMMANDS, name) ? (SUBCOMMANDS[name] ?? NONE) : NONE;
    choiceOf(rules, args, 'format', ['plain', 'json']);
    if (does === null) throw badUsage(rules, USAGE.noSubcommand(Object.keys(SUBCOMMANDS), name));
    const command = { ...rules, usage: subcommandUsage(name, options) };
    refuseOthers(args, options, command);
    if (writes && !given.fromPrompt && writesWith(args)) onlyUser(cli);
    return await does(cli, args, command);
  },
};

interface Subcommand {
  does: ((cli: Cli, args: Args, command: Command) => number | Promise<number>) | null;
  writes: boolean;
  /** Options that it takes; all take --format. */
  options: string;
}

const NONE: Subcommand = { does: null, writes: false, options: '' };
const reads = (does: Subcommand['does'], options: string): Subcommand => ({ does, writes: false, options });
const writes = (does: Subcommand['does'], options = ''): Subcommand => ({ does, writes: true, options });

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  list: reads(listAll, 'scope list source tool flat hits'),
  test: reads(testCall, 'tool file mode history field allow ask deny since'),
  verify: reads(verify, 'scope strict quiet'),
  log: reads(logDecisions, 'since event tool tail'),
  suggest: reads(suggest, 'since'),
  add: writes(add, 'allow ask deny field'),
  edit: writes(edit, 'reason until on off allow ask deny field source'),
  move: writes(move, 'source'),
  remove: writes(remove, 'source'),
  trust: writes(trust),
  sandboxed: writes(sandboxed, 'yes since'),
  import: writes(importFrom, 'yes dismiss'),
};

/** Its words and options, as the help spells them. */
function subcommandUsage(name: string, options: string): string {
  const spellings = rules.arguments.map(([spelling]) => spelling);
  const own = options
    .split(' ')
    .map((option) => spellings.find((one) => one.split(' ')[0] === `--${option}`));
  const words = spellings.find((one) => one.split(' ')[0] === name);
  return [words, ...own.flatMap((one) => (one === undefined ? [] : [`[${one}]`]))].join(' ');
}

/** Else `remove --off` would remove the rule instead of turning it off. */
function refuseOthers({ flags, options }: Args, known: string, command: Command): void {
  const names = ['format', ...known.split(' ')];
  const other = [...flags, ...options.keys()].find((name) => !names.includes(name));
  if (other !== undefined) throw badUsage(command, USAGE.unexpected(`--${other}`));
}

/** `trai rules sandboxed` alone, or without --yes, only shows; so does `import`. */
function writesWith({ words: [name, value], flags }: Args): boolean {
  if (name === 'import') return flags.has('yes') || flags.has('dismiss');
  return name !== 'sandboxed' || value === 'ask' || (value === 'allow' && flags.has('yes'));
}

/** What the model writes into rule files would be a permit that it gives itself. */
function onlyUser(cli: Cli): void {
  const caller = callerOf(process.pid, cli.state);
  if (caller.kind !== 'user') throw needsTerminal(caller);
}

/** The arguments of `/trai:rules`, which the user typed: the permit is used up. */
async function typed(cli: Cli, given: Args): Promise<Args> {
  const meta = await chosenMeta(cli);
  if (meta === null) throw noSessionHere(cli.cwd);
  return await withPermit(cli, rules, given, await sessionContext(cli.state, meta.id, cli.env));
}
