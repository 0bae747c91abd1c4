/**
 * Doctor: finds out by trying. Each check has a time limit, says what it found, and gives the remedy for this distribution
 * (remedies.ts). SessionStart, `trai doctor`, the dashboard and `npm start` use the same texts.
 *
 *     kernel, client and programs -> namespaces -> an overlay in the state directory -> the mount plan of this project
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { release } from 'node:os';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { isRealRoot } from '../../kernel/proc/real-root.ts';
import { type RunResult, run } from '../../kernel/run.ts';
import type { CoveredDir } from '../../session/session-context.ts';
import { prepareCoveredDir } from '../prepare/covered-dirs.ts';
import { type Check, fail, pass, remedyForNamespaces, remedyForPackage } from './check.ts';
import { checkMounts, checkOwners, checkStateDir } from './check-places.ts';

export interface DoctorInput {
  stateDir: string;
  /** Directory of the project, for the owner check. */
  project?: string;
  env: NodeJS.ProcessEnv;
}

const PROBE_MS = 5_000;
const TOOLS = ['unshare', 'nsenter', 'mount', 'flock'] as const;
export async function runDoctor(input: DoctorInput): Promise<Check[]> {
  const checks = [
    checkSystem(),
    checkNode(),
    checkTools(),
    checkOuterSandbox(input.env),
    checkStateDir(input.stateDir, input.env),
  ];
  if (checks.every((check) => check.ok || check.level === 'warning')) {
    checks.push(await checkNamespaces());
    checks.push(await checkOverlay(input.stateDir));
  }
  if (input.project !== undefined)
    checks.push(checkOwners(input.project), checkMounts(input.stateDir, input.env, input.project));
  return checks;
}

/** True when nothing found keeps the sandbox from being entered. */
export function isHealthy(checks: readonly Check[]): boolean {
  return checks.every((check) => check.ok || check.level === 'warning');
}

function checkSystem(): Check {
  if (process.platform !== 'linux') {
    return fail(
      'system',
      `this is ${process.platform}`,
      'trai needs Linux (overlayfs). Elsewhere use Claude Code’s own sandbox: /sandbox',
    );
  }
  const [major = 0, minor = 0] = release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  if (major < 5 || (major === 5 && minor < 11)) {
    return fail('system', `Linux ${release()}`, 'An overlay for an ordinary user needs Linux 5.11 or newer.');
  }
  return pass('system', `Linux ${release()}`);
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const found = `Node ${process.versions.node} (${process.execPath})`;
  if (major < 20 || (major === 20 && minor < 19))
    return fail(
      'node',
      found,
      'Install Node 20.19 or newer; trai finds it on PATH or under nvm, fnm, volta, asdf and mise.',
    );
  return pass('node', found);
}

function checkTools(): Check {
  const missing = [...TOOLS.map((tool) => `/usr/bin/${tool}`), '/bin/sh'].filter(
    (path) => !isExecutable(path),
  );
  if (missing.length > 0)
    return fail('tools', `missing: ${missing.join(', ')}`, remedyForPackage('util-linux'));
  return pass('tools', `${TOOLS.join(', ')} in /usr/bin`);
}

function checkOuterSandbox(env: NodeJS.ProcessEnv): Check {
  if (env['SANDBOX_RUNTIME'] === '1') {
    return fail(
      'outer-sandbox',
      'inside Claude Code’s own sandbox (SANDBOX_RUNTIME=1)',
      'The two exclude each other. Turn it off with /sandbox to use trai, or disable the trai plugin.',
    );
  }
  return pass('outer-sandbox', 'not inside another sandbox');
}

async function checkNamespaces(): Promise<Check> {
  const args = isRealRoot()
    ? ['--mount', '/bin/true']
    : ['--user', '--map-root-user', '--mount', '/bin/true'];
  const result = await run('/usr/bin/unshare', args, { timeout: PROBE_MS });
  if (result.status === 0)
    return pass(
      'namespaces',
      isRealRoot() ? 'root may make mount namespaces' : 'this user may make user and mount namespaces',
    );
  return fail('namespaces', `unshare: ${reason(result)}`, remedyForNamespaces(readSetting));
}

/** The whole way once, in a directory of its own: mount, write, delete, leave, and what is then in the upper. */
async function checkOverlay(stateDir: string): Promise<Check> {
  const base = mkdtempSync(`${stateDir}/probe-`);
  try {
    for (const dir of ['lower', '1', 'm']) mkdirSync(`${base}/${dir}`);
    const at = (name: string): BytePath => fromText(`${base}/${name}`);
    const covered: CoveredDir = { n: 1, path: at('lower'), upper: at('1/u'), work: at('1/w') };
    prepareCoveredDir(covered, process.getuid?.() ?? 0);
    const options = isRealRoot() ? 'index=off,metacopy=off,redirect_dir=off,xino=off' : 'userxattr,index=on';
    const script = `echo old > lower/gone && mount -t overlay trai-probe -o lowerdir=1/l,upperdir=1/u,workdir=1/w,${options},volatile m && echo new > m/made && rm m/gone && cat m/made`;
    const enter = isRealRoot() ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    const result = await run('/usr/bin/unshare', [...enter, '/bin/sh', '-c', script], {
      timeout: PROBE_MS,
      cwd: base,
    });
    if (result.status !== 0)
      return fail('overlay', `mounting an overlay: ${reason(result)}`, remedyForNamespaces(readSetting));
    const whiteout = existsSync(`${base}/1/u/gone`) && statSync(`${base}/1/u/gone`).isCharacterDevice();
    if (!existsSync(`${base}/1/u/made`) || existsSync(`${base}/lower/made`) || !whiteout) {
      return fail(
        'overlay',
        'an overlay could be mounted, but what was written in it was not where it should be',
        'Please report this with the output of: uname -a; mount --version',
      );
    }
    return pass('overlay', 'an overlay was mounted, written to and left; the host stayed as it was');
  } finally {
    await run('/bin/chmod', ['-R', 'u+rwx', base]);
    rmSync(base, { recursive: true, force: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function reason(result: RunResult): string {
  if (result.timedOut) return `no answer within ${PROBE_MS / 1000} s`;
  return result.stderr.trim().split('\n').slice(0, 2).join(' ') || `exit status ${result.status}`;
}

/** A file below /proc/sys, or null. */
function readSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}
