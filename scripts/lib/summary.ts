import { closingLine, countRecords, failedLines, skippedLines, type TestRecord } from './test-report.ts';

/** Prints what was skipped and why, what failed, and the closing line; true when nothing failed. */
export function printSummary(records: readonly TestRecord[]): boolean {
  console.log('');
  for (const line of skippedLines(records)) console.log(line);
  for (const line of failedLines(records)) console.log(line);
  const counts = countRecords(records);
  console.log(closingLine(counts));
  return counts.failed === 0 && counts.passed > 0;
}
