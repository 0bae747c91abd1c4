/** Small files that hooks keep in the state directory. */
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isNoSpace, orNull } from '../../../core/kernel/fs/port.ts';
import { readPlainJson, readTail, readText, writeWhole } from '../../../core/kernel/fs/state-file.ts';
import { isHealthy, runDoctor } from '../../../core/sandbox/doctor/doctor.ts';
import { logPath } from '../../../core/session/log/append.ts';
import { VERSION } from '../../../core/session/version.ts';
import { messageOf } from '../../../shared/errors.ts';
import { isObject, jsonLines } from '../../../shared/json-lines.ts';
import { message } from '../../messages/hooks.ts';
import { text } from './input.ts';

function textOrEmpty(file: string): string {
  return orNull(() => readText(file)) ?? '';
}

/** The user's file `sessions/ID/off`: its first line is the reason. Hook scripts read it without Node. */
export function readOff(sessionDir: string): string | null {
  const text = orNull(() => readText(path.join(sessionDir, 'off')));
  return text === null ? null : text.split('\n')[0] || 'no reason was given';
}

/** Beside `lib` in an installed plugin; at the top of a repository used as the plugin (`dist/plugin/lib`). */
export function programsBeside(lib: string): string[] {
  const plugin = path.dirname(lib);
  const programs = [path.join(plugin, 'bin/trai')];
  if (plugin.endsWith('/dist/plugin')) programs.push(path.join(plugin, '../../bin/trai'));
  return programs;
}

/** From the session's hooks: the launcher's copy of the Node path lies outside the plugin. */
export function readPrograms(sessionDir: string): string[] {
  return textOrEmpty(path.join(sessionDir, 'programs'))
    .split('\n')
    .filter((line) => line !== '');
}

export function rememberPrograms(sessionDir: string, programs: readonly string[]): void {
  const known = readPrograms(sessionDir);
  const fresh = programs.filter((program) => !known.includes(program) && !program.includes('\n'));
  if (fresh.length > 0)
    appendFileSync(path.join(sessionDir, 'programs'), `${fresh.join('\n')}\n`, { mode: 0o600 });
}

/** A passthrough holds for the next prompt only: ends those that were open at the previous one already. */
export function expirePassthroughs(sessionDir: string): void {
  const dir = path.join(sessionDir, 'grants');
  const seenFile = path.join(sessionDir, 'seen-passthrough');
  const seen = textOrEmpty(seenFile).split('\n');
  const open = (orNull(() => readdirSync(dir)) ?? []).filter((name) => name.startsWith('passthrough.'));
  for (const name of open) if (seen.includes(name)) rmSync(path.join(dir, name), { force: true });
  const left = open.filter((name) => !seen.includes(name));
  if (left.length === 0) rmSync(seenFile, { force: true });
  else writeFileSync(seenFile, left.join('\n'), { mode: 0o600 });
}

/** The call was logged a moment ago: the end of the log suffices. */
const NEWEST_BYTES = 1024 * 1024;

/** Types of recent events that name `id` as call or request; none when the log is unreadable. */
export function eventsNaming(sessionDir: string, id: string): string[] {
  const tail = orNull(() => readTail(logPath(sessionDir), NEWEST_BYTES))?.toString('utf8') ?? '';
  const lines = tail.split('\n').filter((line) => line.includes(id));
  // The tail may begin in the middle of a line.
  return [...jsonLines(lines.join('\n'))]
    .filter((event) => text(event, 'call') === id || text(event, 'request') === id)
    .map((event) => text(event, 't'));
}

/** A batch's calls were logged moments ago, and the client waits for the answer to the batch. */
const BATCH_BYTES = 256 * 1024;

/** Requests of recent events `permission` that have no outcome yet; none when the log is unreadable. */
export function requestsWithoutOutcome(sessionDir: string): Set<string> {
  const tail = orNull(() => readTail(logPath(sessionDir), BATCH_BYTES))?.toString('utf8') ?? '';
  const lines = tail.split('\n').filter((line) => line.includes('"t":"permission'));
  const found = new Set<string>();
  for (const event of jsonLines(lines.join('\n'))) {
    if (text(event, 't') === 'permission') found.add(text(event, 'request'));
    else found.delete(text(event, 'request'));
  }
  return found;
}

/** Of a conversation, as it is logged; empty without one in the newest part of the log. */
export function lastPrompt(sessionDir: string, claude: string): string {
  const tail = orNull(() => readTail(logPath(sessionDir), NEWEST_BYTES))?.toString('utf8') ?? '';
  const lines = tail.split('\n').filter((line) => line.includes('"t":"prompt"'));
  const own = [...jsonLines(lines.join('\n'))].filter((event) => text(event, 'claude') === claude);
  const [last] = own.slice(-1);
  return last === undefined ? '' : text(last, 'text');
}

/** How long a good verdict holds, within one boot (ms). */
const HEALTHY_MS = 60 * 60 * 1000;

/** The reason with the remedy, or null. Only a good verdict is kept: the user may just have repaired it. */
export async function whyUnable(stateDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const file = path.join(stateDir, 'doctor.json');
  const key = `${VERSION} ${process.version} ${textOrEmpty('/proc/sys/kernel/random/boot_id').trim()}`;
  if (isFresh(file, key)) return null;
  const checks = await runDoctor({ stateDir, env });
  if (!isHealthy(checks)) {
    const failed = checks.filter((check) => !check.ok && check.level === 'error');
    return failed.map(({ found, remedy }) => `${found}.${remedy === '' ? '' : ` ${remedy}`}`).join(' ');
  }
  writeWhole(file, JSON.stringify({ key, at: new Date().toISOString() }));
  return null;
}

function isFresh(file: string, key: string): boolean {
  const kept = orNull(() => readPlainJson(file));
  return (
    isObject(kept) && text(kept, 'key') === key && Date.now() - Date.parse(text(kept, 'at')) < HEALTHY_MS
  );
}

/** A full disk is named with the directory, which the system's text lacks. */
export function failureText(thrown: unknown, stateDir: string): string {
  const why = messageOf(thrown);
  return isNoSpace(thrown) ? message('no-space', { dir: stateDir, why }) : why;
}
