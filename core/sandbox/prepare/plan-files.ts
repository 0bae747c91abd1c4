/** sessions/<id>/plan/: one immutable directory a plan; `current` links to that of the newest call that was not refused. */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orNull } from '../../kernel/fs/port.ts';
import { readPlainFile, readPlainJson } from '../../kernel/fs/state-file.ts';
import type { Plan } from '../../session/session-context.ts';

export function readPlan(sessionDir: string, id = currentId(sessionDir)): Plan | null {
  return id === null ? null : readPlanFile(`${sessionDir}/plan/${id}/plan.json`);
}

export function currentId(sessionDir: string): string | null {
  return orNull(() => readlinkSync(`${sessionDir}/plan/current`, 'latin1'));
}

export function pointTo(sessionDir: string, id: string): void {
  const link = `${sessionDir}/plan/.current-${randomBytes(6).toString('hex')}`;
  symlinkSync(id, link);
  const current = `${sessionDir}/plan/current`;
  if (lstatSync(current, { throwIfNoEntry: false })?.isDirectory() === true)
    rmSync(current, { recursive: true });
  renameSync(link, current);
}

/**
 * Atomic; what a power cut leaves of it is no whole plan, and is replaced. A damaged one is replaced but for `entered`, with which
 * calls join its namespaces.
 */
export function savePlan(dir: string, plan: object, files: Readonly<Record<string, Buffer>>): void {
  const parent = dirname(dir);
  const temp = `${parent}/.new-${randomBytes(6).toString('hex')}`;
  mkdirSync(temp, { mode: 0o700 });
  const sums = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sumOf(content)]));
  const all = { ...files, 'plan.json': Buffer.from(`${JSON.stringify({ ...plan, sums })}\n`) };
  for (const [name, content] of Object.entries(all))
    writeFileSync(`${temp}/${name}`, content, { mode: 0o600 });
  if (lstatSync(dir, { throwIfNoEntry: false }) !== undefined) {
    const entered = readPlainFile(`${dir}/entered`);
    if (entered !== null) writeFileSync(`${temp}/entered`, entered, { mode: 0o600 });
    rmSync(dir, { recursive: true });
  }
  renameSync(temp, dir);
}

/** Null if missing or damaged: the next call writes the plan again. */
export function readPlanFile(path: string): Plan | null {
  const value = readPlainJson(path);
  const { v, coveredDirs, source } = Object(value);
  // Trusted: savePlan writes it into a directory of mode 0700.
  return v === 1 && Array.isArray(coveredDirs) && source !== undefined ? (value as Plan) : null;
}

/** Asked for each call: the launcher uses the files without a check of its own. */
export function isWholePlan(dir: string): boolean {
  const { sums } = Object(readPlainJson(`${dir}/plan.json`));
  if (typeof sums !== 'object' || sums === null) return false;
  const entered = lstatSync(`${dir}/entered`, { throwIfNoEntry: false });
  if (entered !== undefined && !entered.isFile()) return false;
  return Object.entries(sums).every(([name, sum]) => {
    const content = readPlainFile(`${dir}/${name}`);
    return content !== null && sumOf(content) === sum;
  });
}

function sumOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
