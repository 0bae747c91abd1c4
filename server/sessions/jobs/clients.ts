/**
 * Claude Code in a session of its own, for a `bin/trai` that asks before it starts Node: makes the session with its record
 * and its mount plan, follows the credentials while it runs, and does the end. What `bin/trai` runs and waits for is its own
 * (hooks/lib/start-client.sh). Null = not done, with nothing left behind: Node does it then, and says what is wrong.
 */
import { randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { entryWord } from '../../../core/box/argv.ts';
import { endOfClient, noRoomText } from '../../../core/jobs/client-end.ts';
import {
  beginFirst,
  type Following,
  firstRecord,
  followCredentials,
} from '../../../core/jobs/client-files.ts';
import { DISABLED, findClient, ownOptions, sessionForClient } from '../../../core/jobs/client-start.ts';
import { fsPath, orNull } from '../../../core/kernel/fs/port.ts';
import { parseEnviron, processLink, processStat, processText } from '../../../core/kernel/proc/proc.ts';
import { programPath } from '../../../core/kernel/programs.ts';
import { CLIENT_RECORD, isClientRunning, readClientRecord } from '../../../core/sandbox/client-door.ts';
import { installLauncher, launcherDir } from '../../../core/sandbox/launcher-files.ts';
import { configDir, type Env, homeDir, sessionDir, stateDir } from '../../../core/session/dirs.ts';
import { removeNewSession } from '../../../core/session/store.ts';
import { type BytePath, fromText, toText } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { quoted } from '../../../shared/terminal/quoted.ts';
import { visible } from '../../../shared/terminal/visible.ts';
import type { HookWorld } from '../../hooks/world/world.ts';
import type { ClientAsker } from '../../http/deps.ts';
import type { SessionManager } from '../index/manager.ts';

export interface ClientParts {
  stateDir: string;
  world: HookWorld;
  manager: SessionManager;
  port: () => number;
  report: (thrown: unknown) => void;
}

/**
 * What changes bash, or what it would change before the client gets it. Functions may have the names of the script's own; those
 * of distributions (which, module ...) have not.
 */
const OF_BASH =
  /^(POSIXLY_CORRECT|SHELLOPTS|BASHOPTS|BASH_COMPAT|TRAI_ROOT|BASH_FUNC_(?!which|module|ml|scl|_).*)$/;

/** `bin/trai` waits twice as long for the answer, so that it never misses one that was given (ms). */
const MOST_MS = 5_000;

export class Clients {
  readonly #parts: ClientParts;
  readonly #followed = new Map<string, Following>();

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** Asked with the plugin's folder, the command and its words. The answer is what `start-client.sh` reads. */
  async start({ pid, words: [root = '', command, ...given], hasLeft }: ClientAsker): Promise<string | null> {
    const began = performance.now();
    const words = command === 'claude' ? clientWords(given) : null;
    const asker = words === null ? null : askerOf(pid);
    if (words === null || asker === null || !this.#isOurs(toText(root), asker.env)) return null;
    const session = randomUUID();
    try {
      const argv = await this.#make(session, toText(root), asker, words);
      if (hasLeft() || performance.now() - began > MOST_MS) throw new TraiError('busy', 'too late');
      return argv;
    } catch (error) {
      if (!(error instanceof TraiError)) this.#parts.report(error);
      await this.#stopFollowing(session);
      removeNewSession(this.#parts.stateDir, session);
      return null;
    }
  }

  /** Asked with the session and the status. Returns what is to be said. */
  async end({ pid, words: [session = '', status] }: ClientAsker): Promise<string | null> {
    const { stateDir, manager, port } = this.#parts;
    const asker = askerOf(pid);
    const record = orNull(() => readClientRecord(sessionDir(stateDir, session)));
    if (asker === null || record?.pid !== pid || record.start !== asker.by.start) return null;
    const said: string[] = [];
    const full = noRoomText(stateDir, Number(status));
    if (full !== null) said.push(full);
    const follows = this.#followed.get(session) ?? this.#follow(session, asker.env, record.mounted);
    this.#followed.delete(session);
    await endOfClient({
      stateDir,
      session,
      env: asker.env,
      cwd: asker.cwd,
      keepsRunning: false,
      follows,
      say: (text) => void said.push(text),
      isServed: () => true,
      port: async () => port(),
      count: async () => (await manager.see(session).list.get('now')).head,
    });
    return said.map((text) => `${visible(text, false)}\n`).join('');
  }

  /** A client of an earlier server. */
  resume(session: string): void {
    const record = readClientRecord(sessionDir(this.#parts.stateDir, session));
    const asker = record?.mounted === undefined ? null : askerOf(record.pid);
    if (asker !== null) this.#follow(session, asker.env, record?.mounted);
  }

  async close(): Promise<void> {
    for (const session of [...this.#followed.keys()]) await this.#stopFollowing(session);
  }

  /** This server is of that plugin, and has the directories of that user's environment. */
  #isOurs(root: string, env: Env): boolean {
    const { world } = this.#parts;
    const program = join(root, 'bin/trai');
    const same = (of: (env: Env) => string) => orNull(() => of(env)) === of(world.env);
    return (
      env['SANDBOX_RUNTIME'] !== '1' &&
      !Object.keys(env).some((name) => OF_BASH.test(name)) &&
      world.programs.some((one) => orNull(() => realpathSync(one)) === program) &&
      orNull(() => stateDir(env)) === this.#parts.stateDir &&
      same(homeDir) &&
      same(configDir)
    );
  }

  async #make(
    session: string,
    root: string,
    { by, env, cwd }: Asker,
    words: readonly string[],
  ): Promise<string> {
    const { stateDir, world } = this.#parts;
    const program = findClient(env);
    const { config } = world.config();
    const dir = sessionDir(stateDir, session);
    await sessionForClient(stateDir, session, {
      cwd,
      level: 'claude',
      files: (project) => ({ [CLIENT_RECORD]: JSON.stringify(firstRecord(env, project.root, null, by)) }),
    });
    installLauncher(stateDir, root);
    beginFirst(dir, env, null);
    this.#follow(session, env, readClientRecord(dir)?.mounted);
    const made = await world.session(session);
    // So that the claim finds it.
    await made?.plan(by.pid, config, true);
    const more = Object.entries(DISABLED).filter(([name]) => env[name] === undefined);
    const text = ['claude', ...words.map(toText)].map(quoted).join(' ');
    const launch = [programPath('bash'), '-p', join(launcherDir(stateDir), 'launch'), '-o', 'client'];
    const own = [
      ...more.map((pair) => pair.join('=')),
      ...launch,
      session,
      text,
      program,
      ...ownOptions(root, words),
    ];
    const lines = own.map((word) => entryWord(fromText(word)));
    const given = words.map((word) => entryWord(word as BytePath));
    const keep = config.server.autostart ? 'keep' : '-';
    return [`started ${session} ${keep} ${more.length}`, ...lines, ...given, ''].join('\n');
  }

  #follow(session: string, env: Env, mounted?: string): Following {
    const { stateDir } = this.#parts;
    const dir = sessionDir(stateDir, session);
    const follows = followCredentials({ stateDir, session }, env, {
      mounted,
      runs: () => isClientRunning(dir),
    });
    this.#followed.set(session, follows);
    return follows;
  }

  async #stopFollowing(session: string): Promise<void> {
    const follows = this.#followed.get(session);
    this.#followed.delete(session);
    await follows?.stop(null);
  }
}

/**
 * Those of the client, as `trai claude` reads them; null where it takes more than this to tell: an option of trai's own, or a
 * session that is named by a conversation.
 */
export function clientWords(given: readonly string[]): string[] | null {
  const [first = '--'] = given;
  const words = first === '--' ? given.slice(1) : given;
  const isPlain = first === '--' || !/^(--|-h$)/.test(first);
  const names = (word: string): boolean => /^(--continue|-c|--resume|-r|--answer)$|^--resume=/.test(word);
  return isPlain && !words.some(names) ? [...words] : null;
}

interface Asker {
  by: { pid: number; start: string };
  env: Record<string, string>;
  cwd: BytePath;
}

/** As the kernel has it. Null for one that has ended, or whose directory is gone. */
function askerOf(pid: number): Asker | null {
  const [stat, environ, cwd] = [processStat(pid), processText(pid, 'environ'), processLink(pid, 'cwd')];
  if (stat === null || environ === null || cwd === null) return null;
  const at = cwd as BytePath;
  const isThere = orNull(() => statSync(fsPath(at)).ino) === orNull(() => statSync(`/proc/${pid}/cwd`).ino);
  const env = Object.fromEntries(
    [...parseEnviron(environ)].map(([name, value]) => [toText(name), toText(value)]),
  );
  return isThere ? { by: { pid, start: stat.start }, env, cwd: at } : null;
}
