/**
 * The mounts that hide trai's directories from a host call; `hooks/launcher/masked` makes them in a namespace
 * of the call's own. The state and runtime directories are empty there. The config directory is read-only: it
 * holds no secret, and an empty one would count as deleted where a repository tracks it.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { type BytePath, bytePath, fromText, isByteString, isWithin } from '../../shared/bytes.ts';
import { holderOf, type Mount, otherNames, parseMountinfo, visibleMounts } from '../kernel/fs/mounts.ts';
import { fsPath, orNull, realPath } from '../kernel/fs/port.ts';
import { isRealRoot, parseEnviron } from '../kernel/proc/proc.ts';
import { configDir, type Env, runtimeDir } from '../session/dirs.ts';
import { newlineInOwnDir } from './messages/errors.ts';
import { escapeFstab } from './plan/fstab.ts';
import { copyName, foreignSshFiles } from './prepare/binds.ts';
import { isWholePlan, savePlan } from './prepare/plan-files.ts';

export interface HostMaskRequest {
  stateDir: string;
  sessionDir: string;
  env: Env;
  /** The launcher's /proc/PID/mountinfo and /proc/PID/environ, read as latin1. */
  mountinfo: string;
  environ: string;
  uid: number;
  gid: number;
}

/** `hidden`: shown empty; `fixed`: read-only. */
interface Rule {
  kind: 'hidden' | 'fixed';
  path: BytePath;
}

/** Part of the files' id. */
const FORMAT = 1;

/** The directory with the launcher's files; equal facts share one. Errors: `unsupported`. */
export function ensureHostMask(request: HostMaskRequest): string {
  const { stateDir, sessionDir, uid, gid } = request;
  const mounts = visibleMounts(parseMountinfo(request.mountinfo));
  const rules = rulesFor(request, mounts);
  const copies = isRealRoot() ? new Map<BytePath, Buffer>() : foreignSshFiles(uid);
  const ids = isRealRoot() ? 'root' : `${uid}:${gid}`;
  const facts = [FORMAT, ids, rules, [...copies].map(([path, content]) => [path, copyName(content)])];
  const flags = rules.map(({ path }) => holderOf(path, mounts)?.flags ?? []);
  const id = hash('sha256', JSON.stringify([...facts, flags, stateDir])).slice(0, 16);
  const dir = `${stateDir}/host/${id}`;
  if (!existsSync(`${sessionDir}/run`)) mkdirSync(`${sessionDir}/run`, { recursive: true, mode: 0o700 });
  if (isWholePlan(dir)) return dir;
  mkdirSync(`${stateDir}/host`, { recursive: true, mode: 0o700 });
  const lines = [...copyLines(copies, dir, mounts), ...rules.map((rule) => ruleLine(rule, mounts))];
  try {
    savePlan(
      dir,
      { v: 1 },
      {
        ...Object.fromEntries([...copies.values()].map((content) => [copyName(content), content])),
        fstab: Buffer.from(lines.join(''), 'latin1'),
        rules: Buffer.from(
          `${[ids, ...rules.map(({ kind, path }) => `${kind} ${path}`)].join('\n')}\n`,
          'latin1',
        ),
      },
    );
  } catch (error) {
    if (!isWholePlan(dir)) throw error;
  }
  return dir;
}

function rulesFor(request: HostMaskRequest, mounts: ReadonlyMap<BytePath, Mount>): Rule[] {
  const named = parseEnviron(request.environ).get('XDG_RUNTIME_DIR') ?? '';
  const hidden = [request.stateDir, runtimeDir(request.env) ?? '']
    .filter((path) => path !== '')
    .map(fromText);
  if (named.startsWith('/') && isByteString(named)) hidden.push(bytePath(`${named}/trai`));
  const rulesOf = (kind: Rule['kind'], path: BytePath): Rule[] =>
    namesOf(path, mounts).map((name) => ({ kind, path: name }));
  const all = [
    ...hidden.flatMap((path) => rulesOf('hidden', path)),
    ...rulesOf('fixed', fromText(configDir(request.env))),
  ].sort((a, b) => a.path.length - b.path.length);
  const rules: Rule[] = [];
  for (const one of all) {
    if (one.path.includes('\n')) throw newlineInOwnDir();
    const covered = (other: Rule): boolean =>
      other.path === one.path || (other.kind === 'hidden' && isWithin(one.path, other.path));
    if (!rules.some(covered)) rules.push(one);
  }
  return rules;
}

/** All names without links under which a directory is visible, bind mounts included. */
function namesOf(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): BytePath[] {
  const found = identity(path);
  if (found === null) return [];
  const real = realPath(path);
  return [real, ...otherNames(real, mounts).filter((other) => identity(other) === found)];
}

function identity(path: BytePath): string | null {
  const stat = orNull(() => statSync(fsPath(path), { bigint: true, throwIfNoEntry: false }));
  return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}` : null;
}

function ruleLine({ kind, path }: Rule, mounts: ReadonlyMap<BytePath, Mount>): string {
  const target = escapeFstab(path);
  if (kind === 'hidden') return `trai-hidden ${target} tmpfs ro,mode=0555,nosuid,nodev,noexec 0 0\n`;
  return `${target} ${target} none ${['rbind', 'ro', ...flagsAt(path, mounts)].join(',')} 0 0\n`;
}

/** ssh rejects included files of nobody, which is whom root is in a user namespace: copies replace them. */
function copyLines(
  copies: ReadonlyMap<BytePath, Buffer>,
  dir: string,
  mounts: ReadonlyMap<BytePath, Mount>,
): string[] {
  return [...copies].map(([path, content]) => {
    const source = fromText(`${dir}/${copyName(content)}`);
    const options = ['bind', 'ro', ...flagsAt(source, mounts)].join(',');
    return `${escapeFstab(source)} ${escapeFstab(path)} none ${options} 0 0\n`;
  });
}

function flagsAt(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): string[] {
  return holderOf(path, mounts)?.flags ?? [];
}
