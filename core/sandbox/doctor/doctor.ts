/**
 * Finds problems by trying. Each check has a time limit, and reports what it found with the remedy for this
 * distribution (check.ts). SessionStart, `trai doctor`, the dashboard and `npm start` use the same texts.
 *
 *     kernel, client, programs -> namespaces -> an overlay in the state directory -> the project's mount plan
 */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { type BytePath, fromText, toText } from '../../../shared/bytes.ts';
import { ROOT_OPTIONS } from '../../kernel/fs/mounts.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { isRealRoot } from '../../kernel/proc/proc.ts';
import { PROGRAM_DIR, programPath } from '../../kernel/programs.ts';
import { plainEnv, type RunResult, run } from '../../kernel/run.ts';
import { prepareCoveredDir } from '../prepare/covered-dirs.ts';
import {
  type Check,
  type Finding,
  fail,
  pass,
  readSetting,
  remedyForNamespaces,
  remedyForPackage,
} from './check.ts';
import { checkMounts, checkOwners, checkStateDir } from './check-dirs.ts';

export interface DoctorInput {
  stateDir: string;
  project?: BytePath;
  env: NodeJS.ProcessEnv;
}

const PROBE_MS = 5_000;
const TOOLS = ['unshare', 'nsenter', 'mount', 'flock'] as const;

export async function runDoctor({ stateDir, project, env }: DoctorInput): Promise<Check[]> {
  const checks: Check[] = [
    { id: 'system', ...checkSystem() },
    { id: 'node', ...checkNode() },
    { id: 'tools', ...checkTools() },
    { id: 'outer-sandbox', ...checkOuterSandbox(env) },
    { id: 'state', ...checkStateDir(stateDir, env) },
  ];
  if (isHealthy(checks)) {
    checks.push({ id: 'namespaces', ...(await checkNamespaces()) });
    checks.push({ id: 'overlay', ...(await checkOverlay(stateDir)) });
  }
  if (project !== undefined) {
    checks.push({ id: 'owners', ...checkOwners(project) });
    checks.push({ id: 'mounts', ...checkMounts(stateDir, env, project) });
  }
  return checks;
}

export function isHealthy(checks: readonly Check[]): boolean {
  return checks.every((check) => check.ok || check.level === 'warning');
}

function checkSystem(): Finding {
  if (process.platform !== 'linux') {
    return fail(
      `this is ${process.platform}`,
      'trai needs Linux (overlayfs). Elsewhere use Claude Code’s own sandbox: /sandbox',
    );
  }
  const found = `Linux ${release()}`;
  if (isAtLeast(release(), 5, 11)) return pass(found);
  return fail(found, 'An overlay for an ordinary user needs Linux 5.11 or newer.');
}

function checkNode(): Finding {
  const found = `Node ${process.versions.node} (${process.execPath})`;
  if (isAtLeast(process.versions.node, 20, 19)) return pass(found);
  return fail(
    found,
    'Install Node 20.19 or newer; trai finds it on PATH or under nvm, fnm, volta, asdf and mise.',
  );
}

function isAtLeast(version: string, leastMajor: number, leastMinor: number): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function checkTools(): Finding {
  const programs = [...TOOLS.map(programPath), '/bin/sh'];
  const missing = programs.filter((path) => orNull(() => accessSync(path, constants.X_OK)) === null);
  if (missing.length > 0) return fail(`missing: ${missing.join(', ')}`, remedyForPackage('util-linux'));
  return pass(`${TOOLS.join(', ')} in ${PROGRAM_DIR}`);
}

function checkOuterSandbox(env: NodeJS.ProcessEnv): Finding {
  if (env['SANDBOX_RUNTIME'] !== '1') return pass('not inside another sandbox');
  return fail(
    'inside Claude Code’s own sandbox (SANDBOX_RUNTIME=1)',
    'The two exclude each other. Turn it off with /sandbox to use trai, or disable the trai plugin.',
  );
}

const enter = (): string[] => (isRealRoot() ? ['--mount'] : ['--user', '--map-root-user', '--mount']);

async function checkNamespaces(): Promise<Finding> {
  const result = await run(programPath('unshare'), [...enter(), programPath('true')], { timeout: PROBE_MS });
  if (result.status !== 0) return fail(`unshare: ${reason(result)}`, remedyForNamespaces(readSetting));
  return pass(`${isRealRoot() ? 'root may make' : 'this user may make user and'} mount namespaces`);
}

/** Mounts, writes, deletes and leaves in a directory of its own, then checks the upper. */
async function checkOverlay(stateDir: string): Promise<Finding> {
  const base = mkdtempSync(`${stateDir}/probe-`);
  try {
    for (const dir of ['lower', '1', 'm']) mkdirSync(`${base}/${dir}`);
    const at = (name: string): BytePath => fromText(`${base}/${name}`);
    prepareCoveredDir(
      { n: 1, path: at('lower'), upper: at('1/u'), work: at('1/w') },
      process.getuid?.() ?? 0,
    );
    const options = isRealRoot() ? ROOT_OPTIONS : 'userxattr,index=on';
    const script = `echo old > lower/gone && mount -t overlay trai-probe -o lowerdir=1/l,upperdir=1/u,workdir=1/w,${options},volatile m && echo new > m/made && rm m/gone && cat m/made`;
    const args = [...enter(), '/bin/sh', '-c', script];
    const result = await run(programPath('unshare'), args, { timeout: PROBE_MS, cwd: base, env: plainEnv() });
    if (result.status !== 0)
      return fail(`mounting an overlay: ${reason(result)}`, remedyForNamespaces(readSetting));
    const whiteout = existsSync(`${base}/1/u/gone`) && statSync(`${base}/1/u/gone`).isCharacterDevice();
    if (existsSync(`${base}/1/u/made`) && !existsSync(`${base}/lower/made`) && whiteout)
      return pass('an overlay was mounted, written to and left; the host stayed as it was');
    return fail(
      'an overlay could be mounted, but what was written in it was not where it should be',
      'Please report this with the output of: uname -a; mount --version',
    );
  } finally {
    await run(programPath('chmod'), ['-R', 'u+rwx', base], { timeout: PROBE_MS });
    rmSync(base, { recursive: true, force: true });
  }
}

function reason(result: RunResult): string {
  if (result.timedOut) return `no answer within ${PROBE_MS / 1000} s`;
  const said = toText(result.stderr);
  return said.trim().split('\n').slice(0, 2).join(' ') || `exit status ${result.status}`;
}
