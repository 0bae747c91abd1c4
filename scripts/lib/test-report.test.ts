import { describe, expect, test } from 'vitest';
import {
  closingLine,
  countRecords,
  ranOnlyIn,
  readPlaywrightReport,
  skippedLines,
  type TestRecord,
} from './test-report.ts';

const record = (name: string, state: TestRecord['state'], reason: string | null = null): TestRecord => {
  return { file: 'shared/a.test.ts', name, state, reason };
};

test('the closing line has the form that CI reads', () => {
  const records = [
    record('a', 'passed'),
    record('b', 'failed'),
    record('c', 'skipped'),
    record('d', 'passed'),
  ];
  expect(closingLine(countRecords(records))).toBe('2 passed, 1 failed, 1 skipped');
});

test('a skipped test without a reason stands out', () => {
  expect(skippedLines([record('a', 'skipped', 'no zsh'), record('b', 'skipped')])).toEqual([
    'skipped: shared/a.test.ts: a: no zsh',
    'skipped: shared/a.test.ts: b: NO REASON GIVEN',
  ]);
});

test('a test that was skipped as the user and failed as root ran only as root', () => {
  const root = [record('a', 'failed'), record('b', 'passed'), record('c', 'skipped')];
  const user = [record('a', 'skipped'), record('b', 'failed'), record('c', 'passed')];
  expect(ranOnlyIn(root, user).map(({ name }) => name)).toEqual(['a']);
});

describe("Playwright's report", () => {
  const specs = (status: string, annotations: object[] = []) => ({
    suites: [
      {
        title: 'fake/tree.spec.ts',
        specs: [],
        suites: [
          {
            title: 'the tree',
            specs: [
              {
                title: 'folds',
                file: 'fake/tree.spec.ts',
                tests: [{ status, projectName: 'fake', annotations }],
              },
            ],
          },
        ],
      },
    ],
    errors: [],
  });

  test.each([
    ['expected', 'passed'],
    ['unexpected', 'failed'],
    ['flaky', 'failed'],
    ['skipped', 'skipped'],
  ])('%s is %s', (status, state) => {
    expect(readPlaywrightReport(specs(status)).map((entry) => entry.state)).toEqual([state]);
  });

  test('the reason of a skipped test is kept', () => {
    const [entry] = readPlaywrightReport(
      specs('skipped', [{ type: 'skip', description: 'no overlay here' }]),
    );
    expect(entry?.reason).toBe('no overlay here');
  });

  test('an error outside a test is a failure', () => {
    const records = readPlaywrightReport({ suites: [], errors: [{ message: 'Cannot find module\nstack' }] });
    expect(records).toEqual([{ file: 'e2e', name: 'Cannot find module', state: 'failed', reason: null }]);
  });
});
