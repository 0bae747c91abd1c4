import { defineConfig } from 'vitest/config';
import { makeNeutral } from './scripts/lib/neutral.ts';

makeNeutral();

const minutes = (count: number) => count * 60_000;

/** Tests of server and terminal that need what only root has (a second user, a mount): the project `kernel` is also run as root. */
const AS_ROOT = ['{server,cli}/**/*.root.test.ts'];

/** Wording depends on neither kernel nor user. */
const MESSAGES = 'core/**/messages.test.ts';
/** Fast, and help texts change often. */
const HELP = 'cli/help.test.ts';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Two cores is what CI has; more workers only make tests of real processes wait for each other.
    maxWorkers: 2,
    // Room for what lives briefly: collecting garbage takes a tenth of the processor time otherwise (MB).
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // One second, which it is otherwise, is soon over on a machine that does much else.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: minutes(1),
    hookTimeout: minutes(1),
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [
            '{shared,web,core/decide,core/rules/{model,judge,propose},scripts}/**/*.test.{ts,tsx}',
            MESSAGES,
            HELP,
          ],
          // These change nothing outside of themselves, so the files share a process and what it has loaded.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // What depends on the kernel and on the user: it is also run as root.
          name: 'kernel',
          include: ['{core,hooks}/**/*.test.ts', ...AS_ROOT],
          exclude: ['core/{decide,rules/model,rules/judge,rules/propose}/**', MESSAGES],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,cli,bin,testing}/**/*.test.ts'],
          exclude: [...AS_ROOT, HELP],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['e2e/client/**/*.test.ts'],
          // Each test starts the real client, which is one native process of several hundred MB.
          fileParallelism: false,
          testTimeout: minutes(3),
          hookTimeout: minutes(5),
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['e2e/programs/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: minutes(5),
          hookTimeout: minutes(5),
        },
      },
    ],
  },
});
