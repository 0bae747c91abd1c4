/** What every runner's report is brought to, so that counts can be added up and compared. */
export interface TestRecord {
  /** Relative to the repository, forward slashes. */
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, if its author said so. */
  reason: string | null;
  /** Of a failed one: the beginning of what the runner said. */
  message?: string | undefined;
  /** It failed, and passed when its file ran alone: what it had said when it failed. */
  flaky?: string | undefined;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countRecords(records: readonly TestRecord[]): Counts {
  const of = (state: TestRecord['state']) => records.filter((record) => record.state === state).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

/** The plain closing line that CI reads. */
export function closingLine(counts: Counts): string {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
}

/** Lines that tell which tests were skipped and why. */
export function skippedLines(records: readonly TestRecord[]): string[] {
  return records
    .filter((record) => record.state === 'skipped')
    .map(({ file, name, reason }) => `skipped: ${file}: ${name}: ${reason ?? 'NO REASON GIVEN'}`);
}

/** Lines that tell what failed, and what failed first. */
export function failedLines(records: readonly TestRecord[]): string[] {
  return records.flatMap(({ file, name, state, message, flaky }) => {
    if (state === 'failed') return [`FAILED: ${file}: ${name}`, ...(message ? [`    ${message}`] : [])];
    return flaky === undefined ? [] : [`FLAKY (passed alone): ${file}: ${name}`, `    ${flaky}`];
  });
}

/** One line, short enough for a list. */
function shortMessage(message: string): string | undefined {
  const line = message
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, 600);
}

/**
 * The tests that ran (passed or failed) in `wide` and did not run in `narrow`, by file and name.
 * Used to show that the ordinary user's run leaves out nothing that root's run has.
 */
export function ranOnlyIn(wide: readonly TestRecord[], narrow: readonly TestRecord[]): TestRecord[] {
  const key = (record: TestRecord) => `${record.file}\0${record.name}`;
  const ran = new Set(narrow.filter((record) => record.state !== 'skipped').map(key));
  return wide.filter((record) => record.state !== 'skipped' && !ran.has(key(record)));
}

function get(value: unknown, field: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, field) : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Reads what vitest-reporter.ts wrote. */
export function readRecords(json: unknown): TestRecord[] {
  return list(json).map((entry) => {
    const state = get(entry, 'state');
    const reason = get(entry, 'reason');
    const message = shortMessage(text(get(entry, 'message')));
    const flaky = text(get(entry, 'flaky'));
    return {
      file: text(get(entry, 'file')),
      name: text(get(entry, 'name')),
      state: state === 'passed' || state === 'skipped' ? state : 'failed',
      reason: typeof reason === 'string' ? reason : null,
      ...(message === undefined ? {} : { message }),
      ...(flaky === '' ? {} : { flaky }),
    };
  });
}

function recordOfPlaywrightTest(file: string, title: string, test: unknown): TestRecord {
  const status = text(get(test, 'status'));
  const note = list(get(test, 'annotations')).find((entry) =>
    ['skip', 'fixme'].includes(text(get(entry, 'type'))),
  );
  const name = `${title} [${text(get(test, 'projectName'))}]`;
  const state = status === 'skipped' ? 'skipped' : status === 'expected' ? 'passed' : 'failed';
  const reason = text(get(note, 'description')) || null;
  const errors = list(get(test, 'results')).flatMap((result) => list(get(result, 'errors')));
  const message = shortMessage(errors.map((error) => text(get(error, 'message'))).join(' '));
  return { file, name, state, reason, ...(state === 'failed' && message !== undefined ? { message } : {}) };
}

/** Reads Playwright's JSON report; errors outside tests (a file that cannot be loaded) count as failed tests. */
export function readPlaywrightReport(json: unknown): TestRecord[] {
  const suite = (node: unknown, above: string): TestRecord[] => {
    const title = [above, text(get(node, 'title'))].filter(Boolean).join(' > ');
    const specs = list(get(node, 'specs')).flatMap((spec) =>
      list(get(spec, 'tests')).map((test) =>
        recordOfPlaywrightTest(
          `e2e/${text(get(spec, 'file'))}`,
          `${title} > ${text(get(spec, 'title'))}`,
          test,
        ),
      ),
    );
    return [...specs, ...list(get(node, 'suites')).flatMap((child) => suite(child, title))];
  };
  const errors = list(get(json, 'errors')).map(
    (error): TestRecord => ({
      file: 'e2e',
      name: text(get(error, 'message')).split('\n')[0] ?? '',
      state: 'failed',
      reason: null,
    }),
  );
  return [...list(get(json, 'suites')).flatMap((node) => suite(node, '')), ...errors];
}
