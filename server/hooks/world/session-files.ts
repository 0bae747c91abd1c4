/** Small files that hooks keep in the state directory. */
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainJson, readTail } from '../../../core/kernel/fs/state-file.ts';
import { isHealthy, runDoctor } from '../../../core/sandbox/doctor/doctor.ts';
import { VERSION } from '../../../core/session/version.ts';
import { isObject, text } from './input.ts';

function textOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * `sessions/ID/off` turns the sandbox off for a session; its first line says why. Only a user makes it. A file of its
 * own, since the hook scripts read it without Node.
 */
export function readOff(sessionDir: string): string | null {
  try {
    const [why] = readFileSync(path.join(sessionDir, 'off'), 'utf8').split('\n');
    return why === undefined || why === '' ? 'no reason was given' : why;
  } catch {
    return null;
  }
}

/**
 * Spellings of the plugin's `bin/trai` for a program in `lib`: beside it in an installed plugin, and at the top of a
 * repository that is used as the plugin's folder (`dist/plugin/lib`).
 */
export function programsBeside(lib: string): string[] {
  const plugin = path.dirname(lib);
  const programs = [path.join(plugin, 'bin/trai')];
  if (plugin.endsWith('/dist/plugin')) programs.push(path.join(plugin, '../../bin/trai'));
  return programs;
}

/** The spellings that a session's hooks have named; the launcher's copy of the Node path lies outside the plugin. */
export function readPrograms(sessionDir: string): string[] {
  return textOrEmpty(path.join(sessionDir, 'programs'))
    .split('\n')
    .filter((line) => line !== '');
}

/** Remembers where the plugin of a session lies. An update in mid-session adds a line. */
export function rememberPrograms(sessionDir: string, programs: readonly string[]): void {
  const known = readPrograms(sessionDir);
  const fresh = programs.filter((program) => !known.includes(program) && !program.includes('\n'));
  if (fresh.length > 0)
    appendFileSync(path.join(sessionDir, 'programs'), `${fresh.join('\n')}\n`, { mode: 0o600 });
}

/**
 * Ends the passthroughs that were open at the prompt before this one already: opened between two prompts, one is
 * meant for what the next prompt makes the agent do, and for nothing after that.
 */
export function expirePassthroughs(sessionDir: string): void {
  const dir = path.join(sessionDir, 'grants');
  const seenFile = path.join(sessionDir, 'seen-passthrough');
  const seen = textOrEmpty(seenFile).split('\n');
  let open: string[] = [];
  try {
    open = readdirSync(dir).filter((name) => name.startsWith('passthrough.'));
  } catch {
    // Nothing was ever granted.
  }
  for (const name of open) if (seen.includes(name)) rmSync(path.join(dir, name), { force: true });
  const left = open.filter((name) => !seen.includes(name));
  if (left.length === 0) rmSync(seenFile, { force: true });
  else writeFileSync(seenFile, left.join('\n'), { mode: 0o600 });
}

/** A call that is asked for was logged a moment ago: of a longer log only this much is searched. */
const NEWEST_BYTES = 1024 * 1024;

/** Types of the newest events that name `id` as their call or request. A log that can't be read has none. */
export function eventsNaming(sessionDir: string, id: string): string[] {
  try {
    const lines = readTail(path.join(sessionDir, 'calls.jsonl'), NEWEST_BYTES)?.toString('utf8') ?? '';
    return lines.split('\n').flatMap((line) => (line.includes(id) ? typeNaming(line, id) : []));
  } catch {
    return [];
  }
}

function typeNaming(line: string, id: string): string[] {
  try {
    const event: unknown = JSON.parse(line);
    const names = isObject(event) && (text(event, 'call') === id || text(event, 'request') === id);
    return names ? [text(event, 't')] : [];
  } catch {
    // The tail may begin in the middle of a line.
    return [];
  }
}

/** A machine that could enter the sandbox since its last start still can, unless an hour has passed (ms). */
const HEALTHY_MS = 60 * 60 * 1000;

/**
 * Why the sandbox can't be entered, with the remedy; null = it can. A good verdict is kept for an hour and this boot,
 * a bad one is never kept: the user may just have fixed it.
 */
export async function whyUnable(stateDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const file = path.join(stateDir, 'doctor.json');
  const key = `${VERSION} ${process.version} ${textOrEmpty('/proc/sys/kernel/random/boot_id').trim()}`;
  if (isFresh(file, key)) return null;
  const checks = await runDoctor({ stateDir, env });
  if (!isHealthy(checks)) {
    const failed = checks.filter((check) => !check.ok && check.level === 'error');
    return failed.map(({ found, remedy }) => `${found}.${remedy === '' ? '' : ` ${remedy}`}`).join(' ');
  }
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ key, at: new Date().toISOString() }), { mode: 0o600 });
  renameSync(temporary, file);
  return null;
}

function isFresh(file: string, key: string): boolean {
  try {
    const kept: unknown = readPlainJson(file);
    return (
      isObject(kept) && text(kept, 'key') === key && Date.now() - Date.parse(text(kept, 'at')) < HEALTHY_MS
    );
  } catch {
    return false;
  }
}

/** Why something could not be done. A full disk is named with the directory, since the system's text names none. */
export function failureText(thrown: unknown, stateDir: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const isFull =
    thrown instanceof Error &&
    'code' in thrown &&
    ['ENOSPC', 'EDQUOT', 'no-space'].includes(String(thrown.code));
  return isFull
    ? `${stateDir} has no space left (${message}). Free some space on that disk; what is pending stays`
    : message;
}
