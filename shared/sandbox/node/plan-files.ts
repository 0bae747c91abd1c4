/** sessions/<id>/plan/: one directory a plan, never changed once it is there; `current` points to the newest call's. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { TraiError } from '../../errors.ts';
import type { Plan } from '../types.ts';

/** The plan of a session's newest call, null before the first. */
export function readPlan(sessionDir: string): Plan | null {
  const id = currentId(sessionDir);
  return id === null ? null : readPlanFile(`${sessionDir}/plan/${id}/plan.json`);
}

export function currentId(sessionDir: string): string | null {
  try {
    return readlinkSync(`${sessionDir}/plan/current`, 'latin1');
  } catch {
    return null;
  }
}

export function pointTo(sessionDir: string, id: string): void {
  const link = `${sessionDir}/plan/.current-${randomBytes(6).toString('hex')}`;
  symlinkSync(id, link);
  renameSync(link, `${sessionDir}/plan/current`);
}

/** Writes a plan's files and gives the directory its name last. After a power cut they are whole or not there. */
export function savePlan(dir: string, files: Readonly<Record<string, Buffer>>): void {
  const parent = dir.slice(0, dir.lastIndexOf('/'));
  const temp = `${parent}/.new-${randomBytes(6).toString('hex')}`;
  mkdirSync(temp, { mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(`${temp}/${name}`, content, { mode: 0o600, flush: true });
  }
  syncDirectory(temp);
  renameSync(temp, dir);
  syncDirectory(parent);
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function readPlanFile(path: string): Plan | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('v' in value) || value.v !== 1) {
    throw new TraiError('corrupt', `expected a plan of format 1, found something else in ${path}`, {
      hint: 'Remove that directory; the plan is made again.',
    });
  }
  // Written by savePlan into a directory of mode 0700.
  return value as Plan;
}
