/**
 * How trai's own directories are hidden from a call on the host: what `masked` (hooks/launcher) mounts in a namespace of the
 * call's own. The state and the runtime directory are empty there, the config's is read-only: it holds no secret, and
 * one that seemed empty would count as deleted where it is kept in a repository.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { type BytePath, bytePath, fromText, isByteString, isWithin } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { fsPath, orNull, realPath } from '../kernel/fs/port.ts';
import { holderOf, type Mount, otherNames, parseMountinfo, visibleMounts } from '../kernel/mounts.ts';
import { isRealRoot } from '../kernel/proc/proc.ts';
import { configDir, type Env, runtimeDir } from '../session/dirs.ts';
import { escapeFstab } from './plan/fstab.ts';
import { copyName, foreignSshFiles, parseEnviron } from './prepare/binds.ts';
import { isWholePlan, savePlan } from './prepare/plan-files.ts';

export interface HostMaskRequest {
  /** Ordinary text, as core/session/dirs.ts makes them. */
  stateDir: string;
  sessionDir: string;
  /** HOME and the XDG variables. */
  env: Env;
  /** Texts of the launcher's /proc/PID/mountinfo and /proc/PID/environ, read as latin1. */
  mountinfo: string;
  environ: string;
  uid: number;
  gid: number;
}

/** `hidden`: nothing is seen of it; `fixed`: it can't be written to. */
interface Rule {
  kind: 'hidden' | 'fixed';
  path: BytePath;
}

/** Of the files: an older launcher does not understand others. */
const FORMAT = 1;

/**
 * Finds or makes the files for a launcher; gives their directory. The same facts lead to the same one, for all sessions.
 * Throws TraiError('unsupported'), and what the file system throws.
 */
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
  // A session whose first call is on the host has none yet.
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
    // Somebody else was faster.
    if (!isWholePlan(dir)) throw error;
  }
  return dir;
}

/** Parents first; what lies in a hidden directory is hidden with it. */
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
    if (one.path.includes('\n'))
      throw new TraiError('unsupported', 'one of trai’s own directories has a newline in its name');
    const covered = (other: Rule): boolean =>
      other.path === one.path || (other.kind === 'hidden' && isWithin(one.path, other.path));
    if (!rules.some(covered)) rules.push(one);
  }
  return rules;
}

/** The names without links under which a directory is seen; none where it is not there. */
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

/** ssh takes no part of its configuration that belongs to nobody, which root is in a user namespace. */
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
