/**
 * Claude Code in a session, for a `bin/trai` that waits for it (hooks/lib/start-client.sh). One that asks before it starts Node
 * gets a new session with its record and its mount plan; null = not done, with nothing left behind: Node makes it then, or says
 * what is wrong. While the client runs its credentials are followed, and at the end is done what follows.
 */
import { randomUUID } from 'node:crypto';
import { realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findBwrap, resetsSignals } from '../../../core/box/bwrap.ts';
import { type BoxFacts, gatherFacts } from '../../../core/box/facts.ts';
import { joinedOptions } from '../../../core/box/options.ts';
import { argsOf, saveArgs } from '../../../core/box/start-files.ts';
import {
  boxVariables,
  type MadeBox,
  makeBox,
  shellOf,
  type WantedBox,
} from '../../../core/jobs/box-start.ts';
import { endOfClient } from '../../../core/jobs/client-end.ts';
import {
  beginFirst,
  type Following,
  firstRecord,
  followCredentials,
} from '../../../core/jobs/client-files.ts';
import { defaultsIn, findClient, ownOptions, sessionForClient } from '../../../core/jobs/client-start.ts';
import { noRoomText } from '../../../core/jobs/no-room.ts';
import { clientEndOf, endBox } from '../../../core/jobs/served-end.ts';
import { givesVariables, startText } from '../../../core/jobs/waited-start.ts';
import { fsPath, orNull, realPath } from '../../../core/kernel/fs/port.ts';
import { readPlainJson } from '../../../core/kernel/fs/state-file.ts';
import { parseEnviron, processLink, processStat, processText } from '../../../core/kernel/proc/proc.ts';
import {
  CLIENT_RECORD,
  isClientRunning,
  readClientRecord,
  removeCopy,
} from '../../../core/sandbox/client-door.ts';
import { installLauncher } from '../../../core/sandbox/launcher-files.ts';
import { configDir, type Env, homeDir, sessionDir, stateDir } from '../../../core/session/dirs.ts';
import type { SessionMeta } from '../../../core/session/meta-file.ts';
import { removeNewSession } from '../../../core/session/store.ts';
import { VERSION } from '../../../core/session/version.ts';
import { type BytePath, fromText, toText } from '../../../shared/bytes.ts';
import { DEFAULT_BOX_OPTIONS } from '../../../shared/config/box.ts';
import { ERROR_TABLE, TraiError, toErrorBody } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/terminal/quoted.ts';
import { visible } from '../../../shared/terminal/visible.ts';
import { HookSession, type HookWorld } from '../../hooks/world/world.ts';
import type { ClientAsker } from '../../http/deps.ts';
import type { SessionManager } from '../index/manager.ts';

export interface ClientParts {
  stateDir: string;
  world: HookWorld;
  manager: SessionManager;
  port: () => number;
  /** Of the box that is about to begin in the session, if its network is to be opened; see BoxNetworks.begin. */
  openNetwork: (session: string, stop: AbortSignal) => Promise<void>;
  report: (thrown: unknown) => void;
}

/** `bin/trai` waits twice as long for the answer, so that it never misses one that was given (ms). */
const MOST_MS = 5_000;

export class Clients {
  readonly #parts: ClientParts;
  readonly #followed = new Map<string, Following>();
  /** Of networks. */
  readonly #openings = new Map<string, { stop: AbortController; done: Promise<void> }>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** Asked with the plugin's folder, the command and its words. The answer is what `start-client.sh` reads. */
  async start({ pid, words: [root = '', command, ...given], hasLeft }: ClientAsker): Promise<string | null> {
    const began = performance.now();
    const wanted = clientWanted(command, given);
    const asker = wanted === null ? null : askerOf(pid);
    if (wanted === null || asker === null || !isIn(asker) || !this.#isOurs(toText(root), asker.env))
      return null;
    const session = randomUUID();
    try {
      const argv = await this.#make(session, toText(root), asker, wanted);
      if (hasLeft() || performance.now() - began > MOST_MS) throw new TraiError('busy', 'too late');
      return argv;
    } catch (error) {
      const isWaiting = !hasLeft() && askerOf(pid) !== null;
      if (isWaiting && !(error instanceof TraiError)) this.#parts.report(error);
      await this.#stopFollowing(session);
      const { stateDir } = this.#parts;
      orNull(() => endBox({ stateDir, session, pid }, 0));
      orNull(() => removeCopy(sessionDir(stateDir, session)));
      removeNewSession(stateDir, session);
      return null;
    }
  }

  /** Asked with the session and the status. Returns the status to leave with, and in the lines below what is to be said. */
  async end({ pid, words: [session = '', ...status] }: ClientAsker): Promise<string | null> {
    const { stateDir, manager, port } = this.#parts;
    const asker = askerOf(pid);
    const dir = orNull(() => sessionDir(stateDir, session));
    const record = dir === null ? null : readClientRecord(dir);
    if (asker === null || dir === null || record?.pid !== pid || record.start !== asker.by.start) return null;
    const opened = this.#stopOpening(session);
    const said: string[] = [];
    const ended = await clientEndOf(dir, status);
    let { code } = ended;
    const full = noRoomText(stateDir, code);
    if (full !== null) said.push(full);
    const follows = this.#followed.get(session) ?? this.#follow(session, asker.env, record.mounted);
    this.#followed.delete(session);
    await endOfClient({
      stateDir,
      session,
      env: asker.env,
      cwd: asker.cwd,
      keepsRunning: ended.keepsRunning,
      follows,
      say: (text) => void said.push(text),
      isServed: () => true,
      port: async () => port(),
      count: async () => (await manager.see(session).list.get('now')).head,
    });
    try {
      endBox({ stateDir, session, pid }, code);
      await opened;
    } catch (error) {
      const { message, hint, code: why } = toErrorBody(error).error;
      code = ERROR_TABLE[why].exit;
      said.push(`trai: ${message}${hint === undefined ? '' : `\n${hint}`}`);
    }
    return `${code}\n${said.map((text) => `${visible(text, false)}\n`).join('')}`;
  }

  /** A client for which `bin/trai` waits, and which Node or an earlier server has made. Nothing without one. */
  serve(session: string): void {
    const record = readClientRecord(sessionDir(this.#parts.stateDir, session));
    const asker = record?.mounted === undefined ? null : askerOf(record.pid);
    if (asker === null) return;
    void this.#stopFollowing(session);
    this.#follow(session, asker.env, record?.mounted);
    void this.#stopOpening(session);
    const stop = new AbortController();
    const done = this.#parts.openNetwork(session, stop.signal);
    // Said at the end.
    done.catch(() => undefined);
    this.#openings.set(session, { stop, done });
  }

  async close(): Promise<void> {
    for (const session of [...this.#openings.keys()]) void this.#stopOpening(session);
    for (const session of [...this.#followed.keys()]) await this.#stopFollowing(session);
  }

  /** This server is of that plugin as it is by now, and has the directories of that user's environment. */
  #isOurs(root: string, env: Env): boolean {
    const { world } = this.#parts;
    const program = join(root, 'bin/trai');
    const same = (of: (env: Env) => string) => orNull(() => of(env)) === of(world.env);
    return (
      env['SANDBOX_RUNTIME'] !== '1' &&
      givesVariables(env, false) &&
      world.programs.some((one) => orNull(() => realpathSync(one)) === program) &&
      versionOf(root) === VERSION &&
      orNull(() => stateDir(env)) === this.#parts.stateDir &&
      same(homeDir) &&
      same(configDir)
    );
  }

  async #make(
    session: string,
    root: string,
    { by, env, cwd }: Asker,
    { box, words }: ClientWanted,
  ): Promise<string> {
    const { stateDir, world } = this.#parts;
    const program = box === 'shell' ? null : fromText(findClient(env));
    const { config } = world.config();
    const dir = sessionDir(stateDir, session);
    const wanted = { stateDir, session, cwd, pid: by.pid };
    const made = box === null ? null : await boxOf(wanted, { env, root, program });
    const variables = made?.variables ?? defaultsIn(env);
    // Before anybody can find the session.
    const fill = async (place: string, meta: SessionMeta): Promise<void> => {
      beginFirst(place, env, made?.start ?? null);
      // A box's launcher has its variables alone.
      const pairs = Object.entries(variables).map((pair) => pair.join('='));
      const environ = made === null ? null : fromText(pairs.join('\0'));
      await new HookSession(world, meta).firstPlan(place, by.pid, config, environ);
    };
    try {
      await sessionForClient(stateDir, session, {
        cwd,
        level: box === null ? 'claude' : 'box',
        files: (project) => ({
          [CLIENT_RECORD]: JSON.stringify(
            firstRecord(env, project.root, { box: made?.start ?? null, served: by }),
          ),
        }),
        fill,
      });
    } catch (error) {
      if (made !== null)
        for (const file of [argsOf(made.status), made.start.copy]) rmSync(file, { force: true });
      throw error;
    }
    installLauncher(stateDir, root);
    this.#follow(session, env, readClientRecord(dir)?.mounted);
    const text = [
      box === null ? 'claude' : 'box',
      ...(box === 'shell' ? ['--shell', '--'] : []),
      ...words.map(toText),
    ];
    const shell = words.length > 0 ? words : shellOf(env).map(fromText);
    const client = made === null ? program : made.program;
    const command = client === null ? shell : [client, ...ownOptions(root, words).map(fromText), ...words];
    return startText({
      stateDir,
      session,
      keepsServer: config.server.autostart,
      keepsRunning: false,
      variables,
      box: made,
      text: text.map(quoted).join(' '),
      command: command as BytePath[],
    });
  }

  #follow(session: string, env: Env, mounted?: string): Following {
    const { stateDir } = this.#parts;
    const dir = sessionDir(stateDir, session);
    const follows = followCredentials({ stateDir, session }, env, {
      mounted,
      runs: () => {
        const runs = isClientRunning(dir);
        // Node has done its end, or nobody.
        if (!runs) for (const one of [this.#followed, this.#openings]) one.delete(session);
        return runs;
      },
    });
    this.#followed.set(session, follows);
    return follows;
  }

  async #stopFollowing(session: string): Promise<void> {
    const follows = this.#followed.get(session);
    this.#followed.delete(session);
    await follows?.stop(null);
  }

  /** Errors, which are handled: those of `openNetwork`. */
  #stopOpening(session: string): Promise<void> | undefined {
    const opening = this.#openings.get(session);
    this.#openings.delete(session);
    opening?.stop.abort();
    return opening?.done;
  }
}

interface ClientWanted {
  box: 'client' | 'shell' | null;
  /** The client's, or the shell's; byte strings. */
  words: readonly string[];
}

/**
 * As `trai claude` and `trai box` read them; null where it takes more than this to tell: other options of trai's own, or a session that
 * is named by a conversation.
 */
export function clientWanted(command: string | undefined, given: readonly string[]): ClientWanted | null {
  if (command === 'claude') return wantedOf(null, given);
  if (command !== 'box') return null;
  const first = given.findIndex((word) => !/^(-y|--yes|--shell)$/.test(word));
  const options = given.slice(0, first < 0 ? given.length : first);
  if (!options.some((word) => word === '-y' || word === '--yes')) return null;
  return wantedOf(options.includes('--shell') ? 'shell' : 'client', given.slice(options.length));
}

function wantedOf(box: ClientWanted['box'], given: readonly string[]): ClientWanted | null {
  const [first = '--'] = given;
  if (first !== '--' && (/^(--|-h$)/.test(first) || given.includes('--answer'))) return null;
  const words = first === '--' ? given.slice(1) : given;
  // A command's own words name no conversation.
  const isNamed =
    box !== 'shell' && words.some((word) => /^(--continue|-c|--resume|-r)$|^--resume=/.test(word));
  return isNamed ? null : { box, words };
}

/** A plugin that was updated where it is has another launcher than this version's, which running clients have. */
const versionOf = (root: string): unknown =>
  Object(orNull(() => readPlainJson(realpathSync(join(root, '.claude-plugin/plugin.json')))))['version'];

interface BoxProgram {
  env: Env;
  root: string;
  program: string | null;
}

/** Of the default options. Errors: those of gatherFacts and findBwrap; `unsupported` for what Node says or does besides. */
async function boxOf(
  wanted: Pick<WantedBox, 'stateDir' | 'session' | 'cwd' | 'pid'>,
  { env, root, program }: BoxProgram,
): Promise<MadeBox & Pick<BoxFacts['input'], 'program'> & { variables: Record<string, string> }> {
  const options = joinedOptions(DEFAULT_BOX_OPTIONS, {});
  const cwd = realPath(wanted.cwd);
  const facts = gatherFacts({
    ...wanted,
    cwd,
    env,
    plugin: root,
    program: program === null ? null : toText(program),
    options,
  });
  const variables = boxVariables(env, { facts, options, isShell: program === null });
  if (
    facts.ignored.length > 0 ||
    facts.unseen.length > 0 ||
    facts.options.net === 'list' ||
    !givesVariables(env, true)
  )
    throw new TraiError('unsupported', 'not without Node');
  const bwrap = await findBwrap({ ...env });
  const resets = await resetsSignals();
  const made = makeBox({ ...wanted, cwd, facts, variables, commitInside: false, bwrap, resets });
  saveArgs(made);
  return { ...made, program: facts.input.program, variables };
}

interface Asker {
  by: { pid: number; start: string };
  env: Record<string, string>;
  cwd: BytePath;
}

/** As the kernel has it: the directory may be gone. Null for one that has ended. */
function askerOf(pid: number): Asker | null {
  const [stat, environ, cwd] = [processStat(pid), processText(pid, 'environ'), processLink(pid, 'cwd')];
  if (stat === null || environ === null || cwd === null) return null;
  const env = Object.fromEntries(
    [...parseEnviron(environ)].map(([name, value]) => [toText(name), toText(value)]),
  );
  return { by: { pid, start: stat.start }, env, cwd: cwd as BytePath };
}

/** Whether its directory is what the name says. */
const isIn = ({ by: { pid }, cwd }: Asker): boolean =>
  orNull(() => statSync(fsPath(cwd)).ino) === orNull(() => statSync(`/proc/${pid}/cwd`).ino);
