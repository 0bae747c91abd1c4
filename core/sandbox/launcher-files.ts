/** The launcher's copy in the state directory, which env lines name, and which outlives the plugin's folder. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fromText } from '../../shared/bytes.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { sameContent } from '../kernel/fs/file-content.ts';
import { resultAtOnce } from '../kernel/fs/pace.ts';
import { realPath } from '../kernel/fs/port.ts';
import { readPlainFile } from '../kernel/fs/state-file.ts';
import { programPath } from '../kernel/programs.ts';
import { VERSION } from '../session/version.ts';

export function launcherDir(stateDir: string): string {
  return join(stateDir, 'bin', VERSION);
}

/** Before the command. @param text of the call, for the log */
export const launchWords = (stateDir: string, origin: string, session: string, text: string): string[] => [
  programPath('bash'),
  '-p',
  join(launcherDir(stateDir), 'launch'),
  '-o',
  origin,
  session,
  text,
];

const SETPRIV = programPath('setpriv');

/** Before a launcher: it is killed with the process that waits for it, as nothing of a box may go on without its terminal. */
export const ENDS_WITH_PARENT: readonly string[] = existsSync(SETPRIV)
  ? [SETPRIV, '--pdeathsig', 'KILL', '--']
  : [];

/**
 * `launch` comes last, because it is the entry.
 * @param root the plugin's folder
 */
export function installLauncher(stateDir: string, root: string): void {
  const bin = launcherDir(stateDir);
  const lib = existsSync(join(root, 'lib/fallback.mjs')) ? join(root, 'lib') : join(root, 'dist/plugin/lib');
  mkdirSync(join(bin, 'lib'), { recursive: true, mode: 0o700 });
  const source = join(root, 'hooks/launcher');
  const names = readdirSync(source).sort((a, b) => Number(a === 'launch') - Number(b === 'launch'));
  copyNewer(join(lib, 'fallback.mjs'), join(bin, 'lib/fallback.mjs'));
  for (const name of names) copyNewer(join(source, name), join(bin, name));
  const node = join(stateDir, 'node');
  if (namesProgram(node)) return;
  rmSync(node, { recursive: true, force: true });
  writeFileSync(node, `${process.execPath}\n`, { mode: 0o600 });
}

function namesProgram(file: string): boolean {
  const program = readPlainFile(file)?.toString('utf8').trim() ?? '';
  return program.startsWith('/') && existsSync(program);
}

function copyNewer(source: string, target: string): void {
  if (hasSameBytes(source, target)) return;
  // bash reads a script while it runs it: a running one must keep its file.
  const temporary = `${target}.${process.pid}`;
  copyFileSync(source, temporary);
  chmodSync(temporary, 0o700);
  renameSync(temporary, target);
}

/** Of the largest, with a megabyte, a server remembers it. */
function hasSameBytes(source: string, target: string): boolean {
  const [from, to] = [realPath(fromText(source)), fromText(target)];
  const [a, b] = [lstatEntry(from), lstatEntry(to)];
  return a !== null && b?.type === 'file' && resultAtOnce(sameContent(from, a, to, b));
}
