/** What a box is started with, whoever starts it (client-start.ts): its instance, its arguments, and the way into it. */
import { rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type BytePath, fromText, isWithin, toText } from '../../shared/bytes.ts';
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxRecord } from '../../shared/model/box.ts';
import type { BoxView } from '../../shared/terminal/box.ts';
import { boxArgs, ENTRY, hiddenPaths } from '../box/argv.ts';
import { type Bwrap, canType } from '../box/bwrap.ts';
import { entryWord } from '../box/entry-word.ts';
import { boxEnvironment } from '../box/environment.ts';
import type { BoxFacts } from '../box/facts.ts';
import { makeInstance, runFiles } from '../box/instance.ts';
import { gateOf } from '../box/start-files.ts';
import { PROGRAM_DIR, programPath } from '../kernel/programs.ts';
import { instanceAt } from '../sandbox/client-door.ts';
import { type Env, ensureStateDir, homeDir } from '../session/dirs.ts';
import type { BoxStart } from './client-files.ts';
import { DISABLED } from './client-start.ts';

/** Each box has them. */
const SHELL_DIRS = ['/usr/', '/bin/', `${PROGRAM_DIR}/`];

export function shellOf(env: Env): string[] {
  const shell = env['SHELL'] ?? '';
  return [SHELL_DIRS.some((dir) => shell.startsWith(dir)) ? shell : '/bin/sh', '-i'];
}

/** @param options as they were given */
export function boxVariables(
  env: Env,
  { facts, options, isShell }: { facts: BoxFacts; options: BoxOptions; isShell: boolean },
): Record<string, string> {
  const { input } = facts;
  const allowed = input.allow.map(({ path }) => toText(path));
  const unlinked = belowHome(env, input.home);
  const own = { ...(isShell ? {} : DISABLED), ...unlinkedEnv(env, facts, unlinked) };
  const named = options.env.map((given) => {
    const [name = '', ...parts] = given.split('=');
    const value = parts.join('=');
    if (parts.length === 0 || value === env[name]) return name;
    return `${name}=${unlinked(value)}`;
  });
  return boxEnvironment(own, { ...options, env: named }, allowed);
}

/** What HOME leads to, as the box has it, which has none of the links above. */
function belowHome(env: Env, home: BytePath): (value: string) => string {
  const given = resolve(homeDir(env));
  const unlinked = (path: string): string =>
    `${path}/`.startsWith(`${given}/`) ? toText(home) + path.slice(given.length) : path;
  return (value) => value.split(':').map(unlinked).join(':');
}

function unlinkedEnv(
  env: Env,
  { input: { home, configDir, stateDir }, found }: BoxFacts,
  unlinked: (value: string) => string,
): Env {
  // A link on PATH that leads into the home is not there: a tool chain's, or one in the home.
  const reached = (dir: string): string => {
    const real = found.get(fromText(dir))?.real;
    return real !== undefined && isWithin(real, home) ? toText(real) : unlinked(dir);
  };
  const path = env['PATH'];
  const made = Object.entries(env).map(([name, value]) => [name, value && unlinked(value)]);
  const isSet = (name: string) => (env[name] ?? '') !== '';
  return {
    ...Object.fromEntries(made),
    HOME: toText(home),
    ...(path === undefined ? {} : { PATH: path.split(':').map(reached).join(':') }),
    ...(isSet('CLAUDE_CONFIG_DIR') ? { CLAUDE_CONFIG_DIR: toText(configDir) } : {}),
    ...(isSet('TRAI_STATE_HOME') || isSet('XDG_STATE_HOME') ? { TRAI_STATE_HOME: toText(stateDir) } : {}),
  };
}

export const viewOf = ({ table, options }: BoxFacts, variables: Record<string, string>): BoxView => ({
  rows: table.rows,
  variables: Object.keys(variables).sort(),
  net: options.net,
});

export interface WantedBox {
  stateDir: string;
  session: string;
  cwd: BytePath;
  facts: BoxFacts;
  variables: Record<string, string>;
  commitInside: boolean;
  bwrap: Bwrap;
  /** The process that waits for the client. */
  pid: number;
  /** Known of the env(1) that the session has. */
  resets?: boolean;
}

export interface MadeBox {
  start: BoxStart;
  /** Where bwrap notes its status. */
  status: string;
  /** For descriptor 3. */
  args: Buffer;
  /** Before the command, and a `--`. */
  entry: string[];
  /** Signals that its terminal cannot send it. */
  signals: readonly NodeJS.Signals[];
}

/** Makes its instance. Errors: those of ensureStateDir and makeInstance. */
export function makeBox(want: WantedBox): MadeBox {
  const { stateDir, session, cwd, facts, variables, commitInside, bwrap, pid, resets } = want;
  const { table, options, project, input } = facts;
  ensureStateDir(stateDir);
  const instance = makeInstance(stateDir, project);
  const files = runFiles(instance, session, pid);
  // Of a start that was killed, in a container whose numbers of processes come again: not the process that it names.
  rmSync(files.status, { force: true });
  const record: BoxRecord = {
    v: 1,
    instance,
    ...viewOf(facts, variables),
    write: options.write,
    direct: facts.direct.dirs,
    directFiles: facts.direct.files,
    commitInside,
  };
  const inside = instanceAt(stateDir);
  const status = join(inside, 'run', basename(files.status));
  const gate = options.net === 'list' ? gateOf(status) : '';
  // Not by PATH: in the session's view that may lead to a program of the agent's.
  const start = [programPath('bash'), '-p', '-c', ENTRY, 'trai-box'];
  const places = [bwrap.path, status, gate, join(inside, 'none'), entryWord(input.project)];
  const entry = [...start, ...places, resets === true ? 'yes' : ''];
  const make = table.make.flatMap(({ path, type }) => [type, entryWord(path)]);
  const hidden = hiddenPaths(
    table.rows,
    facts.unseen.map(({ path }) => path),
  );
  const hide = hidden.flatMap((path) => ['hide', entryWord(path)]);
  const newSession = canType();
  return {
    start: { record, copy: files.state },
    status: files.status,
    args: boxArgs({ rows: table.rows, cwd, net: options.net, newSession }),
    entry: [...entry, ...make, ...hide, '--'],
    signals: newSession ? ['SIGINT', 'SIGWINCH'] : [],
  };
}
