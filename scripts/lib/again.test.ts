import { describe, expect, test } from 'vitest';
import { afterRunningAgain, filesToRunAgain, MAX_FILES_AGAIN, seedOf } from './again.ts';
import { failedLines, type TestRecord } from './test-report.ts';

const record = (file: string, name: string, state: TestRecord['state'], message?: string): TestRecord => {
  return { file, name, state, reason: null, ...(message === undefined ? {} : { message }) };
};

describe('which files run again', () => {
  test('those of failed tests, each once', () => {
    const records = [record('a.test.ts', 'x', 'failed'), record('a.test.ts', 'y', 'failed')];
    expect(filesToRunAgain([...records, record('b.spec.ts', 'z', 'passed')])).toEqual(['a.test.ts']);
  });
  test('none when many failed, or something that is no test file', () => {
    const many = Array.from({ length: MAX_FILES_AGAIN + 1 }, (_, i) => record(`${i}.test.ts`, 'x', 'failed'));
    expect(filesToRunAgain(many)).toEqual([]);
    expect(filesToRunAgain([record('a.test.ts', 'x', 'failed'), record('unit', 'exit 1', 'failed')])).toEqual(
      [],
    );
  });
});

test('a file runs again with the seed that its failure names, and with a new one otherwise', () => {
  const records = [
    record('a.test.ts', 'x', 'failed', 'AssertionError: TRAI_SEED=493 TRAI_RUNS=1: expected [] to equal'),
    record('b.test.ts', 'y', 'failed', 'too slow'),
  ];
  expect(records.map(({ file }) => seedOf(records, file))).toEqual(['493', undefined]);
});

describe('a file that ran again', () => {
  const first = [record('a.test.ts', 'x', 'failed', 'too slow'), record('b.test.ts', 'y', 'passed')];
  test('and failed again stays a failure', () => {
    expect(afterRunningAgain(first, 'a.test.ts', [record('a.test.ts', 'x', 'failed')])).toEqual(first);
    // Nothing ran: that is no success.
    expect(afterRunningAgain(first, 'a.test.ts', [])).toEqual(first);
  });
  test('and passed is said to be flaky, with what it had said', () => {
    const after = afterRunningAgain(first, 'a.test.ts', [record('a.test.ts', 'x', 'passed')]);
    expect(after).toHaveLength(2);
    expect(failedLines(after)).toEqual(['FLAKY (passed alone): a.test.ts: x', '    too slow']);
  });
  test('keeps the message of an error outside its tests', () => {
    const broken = [record('a.test.ts', 'beforeAll: no port', 'failed')];
    const after = afterRunningAgain(broken, 'a.test.ts', [record('a.test.ts', 'x', 'passed')]);
    expect(failedLines(after)).toEqual(['FLAKY (passed alone): a.test.ts: x', '    beforeAll: no port']);
  });
});
