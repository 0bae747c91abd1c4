import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import type { TestRecord } from './test-report.ts';

/** A block that is skipped as a whole says why in its own name: `… (skipped, needs root: only root can mount)`. */
function reasonInName(name: string): string | null {
  return /\(skipped[^:)]*: ([^)]+)\)/.exec(name)?.[1] ?? null;
}

function recordsOf(module: TestModule): TestRecord[] {
  const file = module.relativeModuleId;
  const records = [...module.children.allTests()].map((test): TestRecord => {
    const result = test.result();
    const state = result.state === 'passed' || result.state === 'skipped' ? result.state : 'failed';
    const reason = result.state === 'skipped' ? (result.note ?? reasonInName(test.fullName)) : null;
    const message = (result.errors ?? []).map((error) => error.message).join(' ');
    return { file, name: test.fullName, state, reason, ...(state === 'failed' ? { message } : {}) };
  });
  // A file that cannot be loaded, or whose beforeAll throws, has no failed test of its own.
  for (const error of module.errors())
    records.push({ file, name: error.message, state: 'failed', reason: null });
  return records;
}

/** Writes every test with its state, and for skipped ones why, to the file that TRAI_REPORT names. */
export default class RecordReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const target = process.env['TRAI_REPORT'];
    if (!target) return;
    const records = modules.flatMap(recordsOf);
    for (const { message } of unhandled) {
      records.push({ file: 'unhandled error', name: message, state: 'failed', reason: null });
    }
    writeFileSync(target, JSON.stringify(records));
  }
}
