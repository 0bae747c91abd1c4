import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { isSingleCommand, testRunOf } from './test-run.ts';

const run = (text: string): string | null => testRunOf(text, DEFAULT_CONFIG.testCommands);

describe('a run of tests', () => {
  it.each([
    ['npm test', 'npm test'],
    ['npm t', 'npm t'],
    ['npm test -- --coverage', 'npm test'],
    ['CI=1 npm test', 'npm test'],
    ['env CI=1 FORCE_COLOR=0 npm test', 'npm test'],
    ['timeout 600 cargo test --all', 'cargo test'],
    ['cd web && npm ci && npm test', 'npm test'],
    ['cd web; npm test', 'npm test'],
    ['npm run build\nnpm test', 'npm test'],
    ['npm test 2>&1', 'npm test'],
    ['npm test > /tmp/out.txt 2>&1', 'npm test'],
    ["pytest -k 'not slow' tests/", 'pytest'],
    ['python3 -m pytest -x', 'python3 -m pytest'],
    ['go test ./...', 'go test'],
    ['make check', 'make check'],
    ['"npm" "test"', 'npm test'],
  ])('%j is one', (text, found) => {
    expect(run(text)).toBe(found);
  });

  it.each([
    ['the status is another program’s', 'npm test | tail -20'],
    ['the status is another program’s', 'npm test 2>&1 | tee out'],
    ['the status is thrown away', 'npm test || true'],
    ['the status is thrown away', 'npm test; echo done'],
    ['the status is thrown away', 'npm test\necho $?'],
    ['it is turned round', '! npm test'],
    ['it is not waited for', 'npm test &'],
    ['something may write after it', 'npm test && npm run build'],
    ['it may not run', 'false && npm test || true'],
    ['it may not run', 'if test -e x; then npm test; fi'],
    ['it may not run', 'while ! npm test; do sleep 1; done'],
    ['it may not run', 'for x in; do npm test; done'],
    ['it may not run', '[[ -e x ]] && npm test'],
    ['it may be something else', 'npm() { true; }; npm test'],
    ['it may be something else', 'alias npm=true; npm test'],
    ['it may be something else', '. ./env; npm test'],
    ['it may be something else', '$NPM test'],
    ['it may be something else', 'npm "$TASK"'],
    ['the text ends before it', 'exit 0; npm test'],
    ['the status is the trap’s', "trap 'exit 0' EXIT; npm test"],
    ['it runs no test', 'npm test -- --help'],
    ['it runs no test', 'npm test --if-present'],
    ['it runs no test', 'pytest --collect-only'],
    ['it runs no test', 'cargo test --no-run'],
    ['it runs no test', 'make -n check'],
    ['it runs no test', 'make check -n'],
    ['it runs no test', 'go test -c ./...'],
    ['what it is given is not known', 'npm test -- $FLAGS'],
    ['what it is given is not known', 'pytest $(cat flags)'],
    ['it is another command', 'npm tests'],
    ['it is another command', 'npm run test:unit'],
    ['it is another command', 'echo npm test'],
    ['it is another command', './npm test'],
    ['it is data', "cat <<'EOF'\nnpm test\nEOF"],
    ['it is not understood', 'npm test "'],
    ['there is none', ''],
  ])('is none where %s: %j', (_why, text) => {
    expect(run(text)).toBeNull();
  });
});

it.each([
  ['npm test -- a', true],
  ['A=1 npm test', false],
  ['npm test > x', false],
  ['cd x && npm test', false],
  ['npm test $X', false],
])('%j is a single command of literal words: %s', (text, expected) => {
  expect(isSingleCommand(text)).toBe(expected);
});
