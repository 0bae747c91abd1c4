import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../lib/exec.ts';
import { endLeftovers, processKeys } from '../lib/leftovers.ts';
import { ROOT } from '../lib/root.ts';
import { KERNEL_FOLDERS, KERNEL_STAGE, runStages } from '../lib/stages.ts';
import { type Counts, countRecords, ranOnlyIn, readRecords, type TestRecord } from '../lib/test-report.ts';
import { installPackages } from './packages.ts';
import { asUser, copyTreeFor, directoryOf, environmentOf, type OrdinaryUser, ordinaryUser } from './user.ts';

const AS_ROOT = '[as root] ';

const failure = (file: string, name: string): TestRecord => ({ file, name, state: 'failed', reason: null });

/** Overlay work directories have mode 000 and module trees may be read-only; root does not mind. */
function removeAll(...dirs: string[]): void {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs the whole suite in the copy as the user and returns its records. */
async function suiteAs(
  user: OrdinaryUser,
  copy: string,
  scratch: string,
  runId: string,
): Promise<TestRecord[]> {
  const result = path.join(scratch, 'suite.json');
  const env = environmentOf(user, {
    TMPDIR: scratch,
    XDG_RUNTIME_DIR: directoryOf(user, path.join(scratch, 'run-')),
    TRAI_TEST_RUN: runId,
  });
  const [program = '', ...words] = asUser(user);
  const args = [...words, process.execPath, 'scripts/run.mjs', 'test', '--suite', result];
  const { status } = await run(program, args, { cwd: copy, env });
  if (!existsSync(result))
    return [failure('suite', `it ended with exit status ${status} and without a result`)];
  const json: unknown = JSON.parse(readFileSync(result, 'utf8'));
  return readRecords(json);
}

/** The kernel-relevant part once more, as root, in the original tree. */
async function kernelAsRoot(scratch: string, runId: string): Promise<TestRecord[]> {
  Object.assign(process.env, { TMPDIR: scratch, TRAI_TEST_RUN: runId });
  const records = await runStages(
    [{ ...KERNEL_STAGE, title: 'sandbox, changes, commit and server as root' }],
    true,
  );
  return records.map((record) => ({ ...record, name: `${AS_ROOT}${record.name}` }));
}

/**
 * Nothing may have run only as root, unless it says that it needs root, in its name or in the reason of its being
 * skipped: what works only as root does not work for whom trai is made.
 */
function compareUsers(user: readonly TestRecord[], root: readonly TestRecord[]): TestRecord[] {
  const inKernel = ({ file }: TestRecord) => KERNEL_FOLDERS.some((folder) => file.startsWith(folder));
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
    `${KERNEL_FOLDERS.join(' ')}: ${ran(countRecords(kernel))} tests ran as the ordinary user, ` +
      `${ran(countRecords(plain))} as root beside those that need root`,
  );
  return ranOnlyIn(plain, kernel).map(({ file, name }) =>
    failure(file, `ran only as root, not as the user: ${name}`),
  );
}

/**
 * What CI runs, as root: installs what is missing, runs the whole suite as an ordinary user in a copy of the tree, and
 * the kernel-relevant part as root too.
 */
export async function testAsBothUsers(userName: string): Promise<TestRecord[]> {
  await installPackages();
  const user = await ordinaryUser(userName);
  const before = processKeys();
  const copy = await copyTreeFor(user);
  const userScratch = directoryOf(user, path.join(tmpdir(), 'trai-t-'));
  const rootScratch = mkdtempSync(path.join(tmpdir(), 'trai-t-'));
  const runId = path.basename(userScratch);
  try {
    console.log(`\n##### the whole suite as ${user.name} (uid ${user.uid}) in a copy of the tree`);
    const userRecords = await suiteAs(user, copy, userScratch, runId);
    console.log('\n##### the kernel-relevant part as root');
    const rootRecords = await kernelAsRoot(rootScratch, runId);
    const left = await endLeftovers(before, [`TRAI_TEST_RUN=${runId}`, copy, userScratch, rootScratch]);
    const faults = left.map(({ pid, command }) => failure('left behind', `process ${pid}: ${command}`));
    const screenshots = path.join(copy, 'test-results');
    if (existsSync(screenshots)) cpSync(screenshots, path.join(ROOT, 'test-results'), { recursive: true });
    return [...userRecords, ...rootRecords, ...compareUsers(userRecords, rootRecords), ...faults];
  } finally {
    removeAll(copy, userScratch, rootScratch);
  }
}
