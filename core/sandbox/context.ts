/** Puts together what scan, commit and their like need to know about a session. */
import { hash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { type BytePath, fromText, joinPath } from '../../shared/bytes.ts';
import { orNull, realPath } from '../kernel/fs/port.ts';
import { isRealRoot } from '../kernel/proc/proc.ts';
import { loadConfig } from '../session/config-file.ts';
import { type Env, runtimeDir, sessionDir } from '../session/dirs.ts';
import { readMeta } from '../session/meta-file.ts';
import type { Plan, SessionContext } from '../session/session-context.ts';
import { claudeOwnFiles } from './claude-files.ts';
import { knownCoveredDirs } from './prepare/covered-dirs.ts';
import { readPlan } from './prepare/plan-files.ts';
import { ownReplayDirs } from './replay-dirs.ts';

/**
 * @param stateDir ordinary text
 * @param made the plan that the caller is about; without it that of the newest call. A caller that has one hands it over:
 *   another call of the session may make the next one at any moment, with other covered directories.
 * Before the first call there is no plan and nothing is covered: the change list is empty then.
 * Errors: what readMeta throws for a session that is missing or corrupt.
 */
export async function sessionContext(
  stateDir: string,
  id: string,
  env: Env = process.env,
  made?: Plan,
): Promise<SessionContext> {
  const dir = sessionDir(stateDir, id);
  const meta = await readMeta(dir);
  const plan = made ?? readPlan(dir);
  // Covered directories are named without links, and so must be what is compared with them.
  const home = homeOf(env);
  const runtime = runtimeDir(env);
  const { config } = loadConfig(env, meta.configFile);
  const coveredDirs = knownCoveredDirs(dir, plan?.coveredDirs ?? []);
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
      ...claudeOwnFiles(home, claudeDirs(home, meta.claudeDirs ?? [], env)),
    ],
    ignore: config.ignore,
    undo: config.undo,
  };
}

/** The home directory, without links. */
export function homeOf(env: Env): BytePath {
  return withoutLinks(fromText(env['HOME'] ?? '/'));
}

/** Every config directory that a client of the session had, as it was named and without links (`stow` makes it one). */
function claudeDirs(home: BytePath, recorded: readonly string[], env: Env): BytePath[] {
  const own = env['CLAUDE_CONFIG_DIR'] ?? '';
  const named = [joinPath(home, '.claude'), ...[...recorded, own].filter(isAbsolute).map(fromText)];
  return [...new Set([...named, ...named.map(withoutLinks)])];
}

/** The path without links; as it is where that can't be told. */
function withoutLinks(path: BytePath): BytePath {
  return orNull(() => realPath(path)) ?? path;
}

/** The mount source that names a session in mountinfo. */
export function mountSource(stateDir: string, session: string): string {
  return `trai:${hash('sha256', stateDir).slice(0, 8)}:${session}`;
}
