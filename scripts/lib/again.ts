/**
 * A test file that failed is run once more, alone. What fails again is a failure; what passes then was disturbed by
 * something beside it (a slow disk, another test's processes) and is named FLAKY, with its first message, for all to see.
 */
import type { TestRecord } from './test-report.ts';

/** More files than this don't fail by chance. */
export const MAX_FILES_AGAIN = 3;

/** The files to run again: those of failed tests, if each failure has a file and they are few. Otherwise none. */
export function filesToRunAgain(records: readonly TestRecord[]): string[] {
  const failed = records.filter(({ state }) => state === 'failed');
  const files = [...new Set(failed.map(({ file }) => file))];
  const isTestFile = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
  return files.length <= MAX_FILES_AGAIN && files.every(isTestFile) ? files : [];
}

/** The seed that a failed test of the file names: with another one the run alone would not meet what it found. */
export function seedOf(records: readonly TestRecord[], file: string): string | undefined {
  const failed = records.filter((record) => record.file === file && record.state === 'failed');
  return failed
    .map(({ message = '' }) => /\bTRAI_SEED=(\d+)/.exec(message)?.[1])
    .find((seed) => seed !== undefined);
}

/** The records of a stage, given those of the run of `file` alone. */
export function afterRunningAgain(
  records: readonly TestRecord[],
  file: string,
  again: readonly TestRecord[],
): TestRecord[] {
  const passes =
    again.some(({ state }) => state === 'passed') && again.every(({ state }) => state !== 'failed');
  if (!passes) return [...records];
  const first = records.filter((record) => record.file === file && record.state === 'failed');
  const known = new Set(again.map(({ name }) => name));
  // An error outside all tests (its name is its message) has no record in the run alone.
  const outside = first.filter(({ name }) => !known.has(name)).map(({ name, message }) => message ?? name);
  return [
    ...records.filter((record) => record.file !== file),
    ...again.map((record, i): TestRecord => {
      const before = first.find(({ name }) => name === record.name);
      const flaky =
        before === undefined ? (i === 0 ? outside.join('; ') : '') : (before.message ?? 'it failed');
      return flaky === '' ? record : { ...record, flaky };
    }),
  ];
}
