import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../lib/exec.ts';
import { hostileCommand, hostileEnvironment } from '../lib/hostile.ts';
import { endLeftovers, processKeys } from '../lib/leftovers.ts';
import { ROOT } from '../lib/root.ts';
import { isKernelTest } from '../lib/stages.ts';
import { type Counts, countRecords, ranOnlyIn, readRecords, type TestRecord } from '../lib/test-report.ts';
import { installPackages } from './packages.ts';
import { asUser, copyTreeFor, directoryOf, environmentOf, giveTo, ordinaryUser } from './user.ts';

const AS_ROOT = '[as root] ';

const failure = (file: string, name: string): TestRecord => ({ file, name, state: 'failed', reason: null });

/** Overlay work directories have mode 000 and module trees may be read-only; root does not mind. */
function removeAll(...dirs: string[]): void {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}

interface Run {
  /** Before `npm test`: who runs it. */
  as: readonly string[];
  /** After it. */
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** A directory of whoever runs it. */
  dir: string;
}

/** Random cases are the commit's: a run that fails fails again, and the next commit has others. */
async function seedOfCommit(): Promise<{ TRAI_CI_SEED?: string }> {
  const { text } = await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT, output: 'collect' });
  const digits = /^[0-9a-f]{7}/.exec(text)?.[0];
  return digits === undefined ? {} : { TRAI_CI_SEED: String(Number.parseInt(digits, 16)) };
}

/** `npm test` as anybody types it, without CI's variable, under an environment that no test may notice. */
async function npmTest({ as, args, cwd, env, dir }: Run): Promise<TestRecord[]> {
  const result = path.join(dir, 'records.json');
  const words = ['npm', 'test', '--', ...args, '--records', result];
  const [program = '', ...rest] = [...as, ...hostileCommand(words)];
  const { CI: _, ...plain } = env;
  const more = { TRAI_TEST_COMPLETE: '1', ...(await seedOfCommit()) };
  const { status } = await run(program, rest, { cwd, env: { ...plain, ...more } });
  if (!existsSync(result))
    return [failure('npm test', `it ended with exit status ${status} and without a result`)];
  const json: unknown = JSON.parse(readFileSync(result, 'utf8'));
  return readRecords(json);
}

/**
 * Nothing may have run only as root, unless it says that it needs root, in its name or in the reason of its being
 * skipped: what works only as root does not work for whom trai is made.
 */
function compareUsers(user: readonly TestRecord[], root: readonly TestRecord[]): TestRecord[] {
  const inKernel = ({ file }: TestRecord) => isKernelTest(file);
  const kernel = user.filter(inKernel);
  const key = ({ file, name }: TestRecord) => `${file}\0${name}`;
  const reasons = new Map(kernel.map((record) => [key(record), record.reason ?? '']));
  const plain = root
    .map((record) => ({ ...record, name: record.name.replace(AS_ROOT, '') }))
    .filter(
      (record) => inKernel(record) && !/\broot\b/i.test(`${record.name} ${reasons.get(key(record)) ?? ''}`),
    );
  const ran = ({ passed, failed }: Counts) => passed + failed;
  console.log(
    `kernel: ${ran(countRecords(kernel))} tests ran as the ordinary user, ` +
      `${ran(countRecords(plain))} as root beside those that need root`,
  );
  return ranOnlyIn(plain, kernel).map(({ file, name }) =>
    failure(file, `ran only as root, not as the user: ${name}`),
  );
}

/**
 * What CI runs, as root: installs what is missing, then `npm test` twice as users type it, side by side: the whole suite as
 * an ordinary user in a copy of the tree without its packages, and as root in place what depends on kernel and user.
 */
export async function testAsBothUsers(userName: string): Promise<TestRecord[]> {
  await installPackages();
  const user = await ordinaryUser(userName);
  const before = processKeys();
  const copy = await copyTreeFor(user);
  const userDir = directoryOf(user, path.join(tmpdir(), 'trai-t-'));
  const rootDir = mkdtempSync(path.join(tmpdir(), 'trai-t-'));
  try {
    console.log(
      `\n##### npm test as ${user.name} (uid ${user.uid}) in a copy of the tree, and as root in place`,
    );
    const env = environmentOf(user, hostileEnvironment(userDir));
    await giveTo(user, userDir);
    const rootEnv = { ...process.env, ...hostileEnvironment(rootDir), TRAI_TEST_USER: user.name };
    const rootStages = ['--only', 'kernel,client-start'];
    const [userRecords, found] = await Promise.all([
      npmTest({ as: asUser(user), args: ['--as', user.name], cwd: copy, env, dir: userDir }),
      npmTest({ as: [], args: ['--as', 'root', ...rootStages], cwd: ROOT, env: rootEnv, dir: rootDir }),
    ]);
    const rootRecords = found.map((record) => ({ ...record, name: `${AS_ROOT}${record.name}` }));
    const left = await endLeftovers(before, [copy, userDir, rootDir]);
    const faults = left.map(({ pid, command }) => failure('left behind', `process ${pid}: ${command}`));
    const screenshots = path.join(copy, 'test-results');
    if (existsSync(screenshots)) cpSync(screenshots, path.join(ROOT, 'test-results'), { recursive: true });
    return [...userRecords, ...rootRecords, ...compareUsers(userRecords, rootRecords), ...faults];
  } finally {
    removeAll(copy, userDir, rootDir);
  }
}
