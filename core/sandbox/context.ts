import { hash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { type BytePath, fromText, joinPath } from '../../shared/bytes.ts';
import { orNull, realPath } from '../kernel/fs/port.ts';
import { isRealRoot } from '../kernel/proc/proc.ts';
import { loadConfig } from '../session/config-file.ts';
import { configDir, type Env, homeDir, runtimeDir, sessionDir } from '../session/dirs.ts';
import { readMeta, type SessionMeta } from '../session/meta-file.ts';
import type { Plan, SessionContext } from '../session/session-context.ts';
import { claudeOwnFiles } from './claude-files.ts';
import { knownCoveredDirs } from './prepare/covered-dirs.ts';
import { readPlan } from './prepare/plan-files.ts';
import { ownReplayDirs } from './replay-dirs.ts';

/**
 * Before the first call there is no plan and nothing is covered. Errors: those of readMeta.
 * @param made the plan that the caller works on; without it the newest, which another call may replace at any
 * moment
 */
export async function sessionContext(
  stateDir: string,
  id: string,
  env: Env = process.env,
  made?: Plan,
): Promise<SessionContext> {
  return contextOf(stateDir, await readMeta(sessionDir(stateDir, id)), env, made);
}

/** For a caller that has read the session's meta.json. */
export function contextOf(stateDir: string, meta: SessionMeta, env: Env, made?: Plan): SessionContext {
  const { id } = meta;
  const dir = sessionDir(stateDir, id);
  const plan = made ?? readPlan(dir);
  // Covered directories are named without links, so everything that is compared with them has to be as well.
  const home = homeOf(env);
  const runtime = runtimeDir(env);
  const { config } = loadConfig(env, meta.configFile);
  const coveredDirs = knownCoveredDirs(dir, plan?.coveredDirs ?? []);
  const configDirs = claudeDirs(home, meta.claudeDirs ?? [], env);
  return {
    session: id,
    stateDir,
    sessionDir: dir,
    coveredDirs,
    source: plan?.source ?? mountSource(stateDir, id),
    root: isRealRoot(),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
    home,
    projectRoot: meta.projectRoot as BytePath,
    excluded: [
      fromText(stateDir),
      ...(runtime === null ? [] : [fromText(runtime)]),
      ...ownReplayDirs({ sessionDir: dir, projectRoot: meta.projectRoot as BytePath, home, coveredDirs }),
      ...claudeOwnFiles(home, configDirs, meta.levels?.includes('box')),
      ...linkedFiles(home, configDirs),
    ],
    ignore: config.ignore,
    configDir: configDir(env),
    undo: config.undo,
  };
}

export function homeOf(env: Env): BytePath {
  return withoutLinks(fromText(homeDir(env)));
}

/** Each config directory of the session's clients as it was named and without links (`stow` links it). */
function claudeDirs(home: BytePath, recorded: readonly string[], env: Env): BytePath[] {
  const own = env['CLAUDE_CONFIG_DIR'] ?? '';
  const named = [joinPath(home, '.claude'), ...[...recorded, own].filter(isAbsolute).map(fromText)];
  return [...new Set([...named, ...named.map(withoutLinks)])];
}

/** Where files of the client are links themselves: what they lead to, and what it makes beside that. Other names there are the user's. */
function linkedFiles(home: BytePath, configDirs: readonly BytePath[]): BytePath[] {
  const named = [home, ...configDirs].map((dir) => joinPath(dir, '.claude.json'));
  named.push(...configDirs.map((dir) => joinPath(dir, '.credentials.json')));
  const linked = named.map(withoutLinks).filter((path) => !named.includes(path));
  return linked.flatMap((path) =>
    ['', '.lock', '.backup*', '.tmp.*'].map((end) => `${path}${end}` as BytePath),
  );
}

function withoutLinks(path: BytePath): BytePath {
  return orNull(() => realPath(path)) ?? path;
}

/** The overlays' source in mountinfo, which identifies the session. */
export function mountSource(stateDir: string, session: string): string {
  return `trai:${hash('sha256', stateDir).slice(0, 8)}:${session}`;
}
