/**
 * `trai box`: Claude Code in a session, and in a box that shows it only what it was given: bubblewrap inside the
 * session's namespace, so that what it writes is pending as with `trai claude` (claude.ts).
 *
 *     options: profile, command line, what the project narrows       core/box/options.ts
 *     facts, and the table made of them                              core/box/facts.ts, table.ts
 *     --dry-run prints it; else the audit screen asks
 *     the instance, the arguments on a descriptor, the client        core/jobs/box-start.ts, claude.ts
 */
import { rmSync } from 'node:fs';
import { ENTRY_PROGRAMS, fixedArgs, rowArgs } from '../../core/box/argv.ts';
import { type Bwrap, canType, findBwrap, hasRun } from '../../core/box/bwrap.ts';
import { type BoxFacts, closedAbove, gatherFacts } from '../../core/box/facts.ts';
import { type Gate, holdGate, makeGate } from '../../core/box/gate.ts';
import {
  brokenProfile,
  hiddenMissing,
  hiddenPattern,
  hiddenWhole,
  noProfile,
  notMade,
  otherProject,
  pendingUnseen,
  programPending,
  variableUnset,
} from '../../core/box/messages/errors.ts';
import { joinedOptions } from '../../core/box/options.ts';
import { gateOf } from '../../core/box/start-files.ts';
import { boxVariables, makeBox, shellOf, viewOf } from '../../core/jobs/box-start.ts';
import { findClient } from '../../core/jobs/client-start.ts';
import { sessionContext } from '../../core/sandbox/context.ts';
import { loadConfig, problemsAbout } from '../../core/session/config-file.ts';
import { sessionDir } from '../../core/session/dirs.ts';
import { readMeta } from '../../core/session/meta-file.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type BytePath, fromText, toText } from '../../shared/bytes.ts';
import {
  BOX_HISTORIES,
  BOX_NETS,
  BOX_WRITES,
  type BoxOptions,
  DEFAULT_BOX_OPTIONS,
} from '../../shared/config/box.ts';
import { AUDIT_CANCELLED, AUDIT_QUESTION, auditText, dryRunText } from '../../shared/terminal/box.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { type Args, badUsage, type Command } from '../context/command.ts';
import { type ClientRun, waiterOf } from '../context/waiter.ts';
import type { Cli } from '../context/world.ts';
import { needsYes, USAGE } from '../messages/errors.ts';
import { type Opening, openGate } from './box-network.ts';
import { expectOutside, ownWords, runClient, sessionOf } from './claude.ts';
import { orNotEntered, withRoom } from './exec.ts';

export const box: Command = {
  name: 'box',
  usage: '[OPTION…] [--] [ARGUMENT…]',
  summary: 'run Claude Code in a session and in a box: it sees only what you give it (bubblewrap)',
  arguments: [
    ['-y, --yes', 'starts without the screen that shows what the box will see'],
    ['--dry-run', 'prints the command, a mount a line with its reason; nothing is made'],
    ['--check', 'tests whether a box can be made here'],
    ['--shell', 'a shell in place of Claude Code; --shell -- COMMAND runs one command'],
    ['--write HOW', 'the project: pending (default), direct (your files at once) or read-only'],
    ['--allow PATH…', 'one more file or directory; PATH:ro for reading only. May be repeated'],
    ['--hide PATH…', 'something of the project that is not there. May be repeated'],
    ['--net NET', 'open (default: this machine’s network, whole), list (hosts of box.network) or off'],
    ['--env NAME…', 'one more variable, or NAME=VALUE. May be repeated'],
    ['--profile NAME', 'a set of options of config.json (box.profiles)'],
    ['--history WHOSE', 'prompt history: of this project (project, default) or yours of all (shared)'],
    ['--commit-inside', 'lets /trai:commit and /trai:undo be typed inside'],
    ['--continue', 'goes on with this project’s newest session, and with its conversation'],
    [
      '--keep-running',
      'leaves what a trai claude of the session left running; a box’s own processes end with it',
    ],
    ['--list', 'lists the boxes of all projects, with size and last use'],
    ['--gc', 'moves boxes to the trash whose project is gone; with --dry-run only names them'],
    ['ARGUMENT…', 'of claude: all words from the first that is none of these options'],
  ],
  words: Number.POSITIVE_INFINITY,
  handsOn: true,
  session: 'goes on with this session; a new ID creates one (default: a new session)',
  async run(cli, args) {
    const { flags } = args;
    expectAlone(args, cli.session);
    // Loaded when asked for: a start is waited for.
    if (flags.has('list')) return await (await import('./boxes.ts')).listBoxes(cli);
    if (flags.has('gc')) return await (await import('./boxes.ts')).gcBoxes(cli, flags.has('dry-run'));
    if (flags.has('check')) return await check(cli);
    expectOutside('box', cli);
    return await orNotEntered(() => start(cli, args));
  },
};

/** What starts no box, with what may stand beside it. */
const ALONE: Readonly<Record<string, readonly string[]>> = { list: [], gc: ['dry-run'], check: [] };

/** Else `--gc --dry-rum` would move what it was to name. Errors: `bad-usage`. */
function expectAlone({ flags, options, lists, words }: Args, session: string | null): void {
  const alone = Object.keys(ALONE).find((name) => flags.has(name));
  if (alone === undefined) return;
  const given = [...flags, ...options.keys(), ...lists.keys(), ...(session === null ? [] : ['session'])];
  const other = given.find((name) => name !== alone && ALONE[alone]?.includes(name) !== true);
  const [unexpected] = [...(other === undefined ? [] : [`--${other}`]), ...words];
  if (unexpected !== undefined) throw badUsage(box, USAGE.unexpectedBeside(`--${alone}`, unexpected));
}

async function check(cli: Cli): Promise<number> {
  const { checkBox } = await import('../../core/box/check.ts');
  const { checksText } = await import('./doctor.ts');
  const checks = await checkBox(cli.env);
  const ok = checks.every((one) => one.ok || one.level === 'warning');
  const end = ok
    ? 'A box can be made here.'
    : 'No box can be made here until the above is fixed. Without one: trai claude';
  cli.print([...checksText(checks, cli.style), end].join('\n'), { ok, checks });
  return ok ? 0 : 1;
}

interface Wanted {
  session: string;
  /** Null: it is new. */
  ctx: SessionContext | null;
  cwd: BytePath;
  facts: BoxFacts;
  /** What of the options and of the project's file has no effect. */
  remarks: readonly string[];
  variables: Record<string, string>;
  command: string[];
}

async function wanted(cli: Cli, args: Args): Promise<Wanted> {
  const isShell = args.flags.has('shell');
  const options = optionsOf(cli, args);
  const cwd = cli.dir;
  // A command's own words name no conversation.
  const session = await sessionOf(box, cli, isShell ? { ...args, words: [] } : args);
  const facts = gatherFacts({
    env: cli.env,
    stateDir: cli.state,
    cwd,
    plugin: cli.root,
    program: isShell ? null : findClient(cli.env),
    session,
    options,
  });
  const meta = await readMeta(sessionDir(cli.state, session)).catch(() => null);
  if (meta !== null && meta.projectId !== facts.project.id)
    throw otherProject(session, meta.projectRoot as BytePath);
  const ctx = meta === null ? null : await sessionContext(cli.state, session, cli.env);
  const variables = boxVariables(cli.env, { facts, options, isShell });
  const unset = (args.lists.get('env') ?? []).filter((name) => !name.includes('=') && !(name in variables));
  const slipped = await slips(ctx, facts, args.lists.get('hide') ?? []);
  const remarks = [...facts.ignored, ...slipped, ...unset.map(variableUnset)];
  if (ctx !== null && facts.options.write === 'direct') {
    const { pendingBelow } = await import('../../core/scan/lookup/overlap.ts');
    if (pendingBelow(ctx, facts.input.project, 1).count > 0) remarks.push(pendingUnseen(session));
  }
  const shell = args.words.length > 0 ? [...args.words] : shellOf(cli.env);
  const client = facts.input.program;
  const command = client === null ? shell : [toText(client), ...ownWords(cli, args)];
  return { session, ctx, cwd, facts, remarks, variables, command };
}

/** `hide` of a profile may be about other projects, and that of this one about what is made later. */
async function slips(
  ctx: SessionContext | null,
  { unseen, input }: BoxFacts,
  typed: readonly string[],
): Promise<string[]> {
  const said: string[] = [];
  for (const { given, path } of unseen) {
    const isTyped = given !== null && typed.includes(given);
    if (!isTyped && !path.includes('*', input.project.length)) continue;
    if (ctx !== null && (await isInView(ctx, path))) continue;
    if (!isTyped) {
      said.push(hiddenPattern(path));
      continue;
    }
    const closed = closedAbove(path);
    const isThere = closed !== null && (ctx === null || (await isInView(ctx, closed)));
    said.push(isThere ? hiddenWhole(given, closed) : hiddenMissing(given));
  }
  return said;
}

/** Loaded when needed: a new session has nothing pending. */
const loadLook = async () => await import('../../core/scan/lookup/look.ts');

async function isInView(ctx: SessionContext, path: BytePath): Promise<boolean> {
  const { lookThrough } = await loadLook();
  const { kind, inView, onHost } = await lookThrough(ctx, path, false);
  // As on the host, where it may be missing.
  return kind === 'none' ? onHost : inView;
}

/** Errors: `bad-usage`. */
function optionsOf(cli: Cli, args: Args): BoxOptions {
  const loaded = loadConfig(cli.env);
  const { profiles } = loaded.config.box;
  const named = args.options.get('profile');
  // In its place would be the default, which gives more.
  const wrong = named === undefined ? [] : problemsAbout(loaded, ['box', 'profiles', named]);
  if (wrong.length > 0) throw brokenProfile(named ?? '', wrong);
  const profile = named === undefined ? DEFAULT_BOX_OPTIONS : profiles[named];
  if (profile === undefined) throw noProfile(named ?? '', Object.keys(profiles));
  const choice = <T extends string>(option: string, choices: readonly T[]): T | undefined => {
    const given = args.options.get(option);
    const found = choices.find((one) => one === given);
    if (given !== undefined && found === undefined)
      throw badUsage(box, USAGE.noChoice(option, choices, given));
    return found;
  };
  const [write, net, history] = [
    choice('write', BOX_WRITES),
    choice('net', BOX_NETS),
    choice('history', BOX_HISTORIES),
  ];
  const list = (option: string) => args.lists.get(option) ?? [];
  return joinedOptions(profile, {
    ...(write === undefined ? {} : { write }),
    ...(net === undefined ? {} : { net }),
    ...(history === undefined ? {} : { history }),
    allow: list('allow'),
    hide: list('hide'),
    env: list('env'),
  });
}

async function start(cli: Cli, args: Args): Promise<number> {
  const want = await wanted(cli, args);
  const bwrap = await findBwrap(cli.env);
  await expectHosts(want, bwrap);
  if (args.flags.has('dry-run')) return dryRun(cli, want, bwrap);
  if (!args.flags.has('yes') && !(await isAgreed(cli, want))) return 1;
  return await run(cli, args, want, bwrap);
}

/** What makes the box runs in the session's view, where root may have changed it. Errors: `not-entered`. */
async function expectHosts({ ctx, session }: Wanted, { path }: Bwrap): Promise<void> {
  if (ctx === null) return;
  const { lookThrough, readsOtherwise } = await loadLook();
  for (const program of [fromText(path), ...ENTRY_PROGRAMS])
    if (readsOtherwise(await lookThrough(ctx, program, true))) throw programPending(session, program);
}

function dryRun(cli: Cli, want: Wanted, { path }: Bwrap): number {
  const { cwd, facts, remarks, variables, command } = want;
  const { table, options } = facts;
  const rows = table.rows.map((row) => ({ words: rowArgs(row), row }));
  const fixed = fixedArgs({ cwd, net: options.net, newSession: canType() });
  const view = viewOf(facts, variables);
  cli.print(
    dryRunText({
      program: fromText(path),
      rows,
      fixed,
      command: command.map(fromText),
      variables: view.variables,
    }),
    view,
  );
  for (const one of remarks) cli.remark(one);
  return 0;
}

/** False: the user said no. Errors: `needs-permit` without a terminal. */
async function isAgreed(cli: Cli, { facts, remarks, variables }: Wanted): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) throw needsYes();
  const { network } = loadConfig(cli.env).config.box;
  const view = { ...viewOf(facts, variables), ...(facts.options.net === 'list' ? { hosts: network } : {}) };
  const { home } = facts.input;
  cli.remark(auditText(view, { home, remarks, style: cli.style }));
  const { createInterface } = await import('node:readline');
  process.stderr.write(AUDIT_QUESTION);
  // The line is the terminal's, whose Ctrl-Z stops bin/trai as well, and which is never left without echo.
  const reader = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of reader) {
      if (['', 'y', 'yes'].includes(line.trim().toLowerCase())) return true;
      break;
    }
  } finally {
    reader.close();
  }
  cli.remark(AUDIT_CANCELLED);
  return false;
}

async function run(cli: Cli, args: Args, want: Wanted, bwrap: Bwrap): Promise<number> {
  const { session, facts, remarks, variables, command } = want;
  // Else they were on the screen.
  if (args.flags.has('yes')) for (const one of remarks) cli.remark(one);
  const waiter = await waiterOf(cli, true);
  const isListed = facts.options.net === 'list';
  const made = await withRoom(cli, async () => {
    const commitInside = args.flags.has('commit-inside');
    const pid = waiter?.by.pid ?? process.pid;
    const box = makeBox({ ...want, stateDir: cli.state, commitInside, bwrap, pid });
    if (isListed) await makeGate(box.status);
    return box;
  });
  const client: ClientRun = {
    session,
    text: ['box', ...(args.flags.has('shell') ? ['--shell', '--', ...args.words] : args.words)]
      .map(quoted)
      .join(' '),
    argv: command,
    variables,
    keepsRunning: args.flags.has('keep-running'),
    box: made,
    waiter,
  };
  if (waiter !== null) return await runClient(cli, client);
  return await runWithGate(cli, client, {
    session,
    status: made.status,
    gate: isListed ? holdGate(made.status) : null,
  });
}

/** With this process beside it. */
async function runWithGate(
  cli: Cli,
  client: ClientRun,
  { gate, ...at }: Omit<Opening, 'gate'> & { gate: Gate | null },
): Promise<number> {
  const ended = new AbortController();
  const opened =
    gate === null
      ? Promise.resolve(null)
      : openGate(cli, { ...at, gate }, ended.signal).catch((error: unknown) => error);
  try {
    const code = await runClient(cli, client);
    ended.abort();
    const failed = await opened;
    if (failed instanceof Error) throw failed;
    if (typeof failed === 'number') return failed;
    if (code === 1 && !hasRun(at.status)) throw notMade();
    return code;
  } finally {
    ended.abort();
    gate?.close();
    for (const file of [at.status, gateOf(at.status)]) rmSync(file, { force: true });
  }
}
