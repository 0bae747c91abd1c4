/** Later entries of the host in directories that hid nothing when the bases were recorded. */
import { afterEach, expect, test } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

let s: TestSession | undefined;
afterEach(() => s?.remove());

const user = asRoot ? 'root' : 'an ordinary user';
/** Longer than a tick of the kernel's clock. */
const tick = 'sleep 0.05';

/** A call, and what the host does before and after the pass that follows. */
type Call = readonly [sandbox: string, host?: string, later?: string];

interface Row {
  name: string;
  first: string;
  calls: readonly Call[];
  unseen: readonly string[];
}

async function wrong(rows: readonly Row[]): Promise<string[]> {
  const t = testSession();
  s = t;
  const each = (lines: (row: Row) => string | undefined) =>
    rows.map((row, i) => `( cd ${i}; ${lines(row) ?? 'true'} )`).join('; ');
  t.onHost(`${rows.map((_, i) => `mkdir ${i}`).join('; ')}; ${each(({ first }) => first)}; ${tick}`);
  for (let n = 0; n < Math.max(...rows.map(({ calls }) => calls.length)); n++) {
    const earliestCall = Date.now();
    t.inSandbox(each(({ calls }) => calls[n]?.[0]));
    t.onHost(`${tick}; ${each(({ calls }) => calls[n]?.[1])}`);
    await recordBases(t.ctx, { earliestCall });
    t.onHost(`${tick}; ${each(({ calls }) => calls[n]?.[2])}; ${tick}`);
  }
  const { changes } = await scan(t.ctx);
  return rows.flatMap(({ name, unseen }, i) => {
    const at = `${t.host}/${i}/`;
    const mine = changes.filter(({ path }) => path.startsWith(at));
    const inConflict = (path: string) =>
      mine.some((one) => one.path === `${at}${path}` && one.conflict !== null);
    if (unseen.length === 0)
      return mine.flatMap((one) => (one.conflict === null ? [] : [`${name}: needless ${one.path}`]));
    return unseen.filter((path) => !inConflict(path)).map((path) => `${name}: ${path}`);
  });
}

test(`a part of a directory that was none on the host when the bases were recorded is in conflict with what comes later, as ${user}`, async () => {
  const again = 'rm -rf d; mkdir -p d/e; echo host > d/k; echo host > d/e/k';
  const onHost: Record<string, [lines: string, later: string]> = {
    'a file': ['rm -r d; echo file > d', again],
    'a link': ['mv d x; ln -s x d', again],
    gone: ['rm -r d', again],
    closed: ['echo host > d/k; echo host > d/e/k; chmod 0 d', 'chmod 700 d'],
  };
  const then: Record<string, string> = {
    'moves it away': 'mv d/k f; mv d/e/k g',
    'deletes it': 'rm d/k d/e/k',
    'deletes the directory': 'rm -r d',
    'makes it anew': 'rm d/k d/e/k; echo more > d/k; echo more > d/e/k',
    'puts another file there': 'echo more > t; mv t d/k; echo more > t; mv t d/e/k',
    'puts a directory there': 'rm d/k d/e/k; mkdir d/k d/e/k; echo more > d/k/n; echo more > d/e/k/n',
  };
  const rows = Object.entries(onHost).flatMap(([was, [host, later]]) =>
    Object.entries(then).map(([does, second]) => ({
      name: `it was ${was}, the sandbox ${does}`,
      first: 'mkdir -p d/e; echo old > d/k; echo old > d/e/k',
      calls: [['echo box > t; mv t d/k; echo box > t; mv t d/e/k', host, later], [second]] as const,
      unseen: ['d/k', 'd/e/k'],
    })),
  );
  expect(await wrong(rows)).toEqual([]);
});

const instead: Record<string, [host: string, later: string]> = {
  none: ['rm -r d', 'mkdir -p d/e; echo host > d/m; echo host > d/e/h'],
  'a file': ['rm -r d; echo file > d', 'rm d; mkdir -p d/e; echo host > d/m; echo host > d/e/h'],
  'an empty one': ['rm -r d; mkdir d', 'mkdir -p d/e; echo host > d/m; echo host > d/e/h'],
  'a closed one': ['chmod 0 d', 'chmod 700 d; mkdir -p d/e; echo host > d/m; echo host > d/e/h'],
};
const touched: Call = ['chmod 711 d; echo box > d/k'];

test(`what came into a directory that the sandbox had made anew, when that hid nothing yet, was never seen, as ${user}`, async () => {
  const last: Record<string, string> = {
    'deletes it': 'rm -r d',
    'writes names of its own': 'echo box > d/m; mkdir d/e; echo box > d/e/h',
    'writes another name': 'echo box > d/n',
    'makes it anew once more': 'rm -r d; mkdir d; echo box > d/n',
    'makes it anew with names of its own': 'rm -r d; mkdir -p d/e; echo box > d/m; echo box > d/e/h',
  };
  const rows = Object.entries(instead).flatMap(([had, [host, later]]) =>
    Object.entries(last).map(([does, third]) => ({
      name: `the host had ${had}, the sandbox ${does}`,
      first: 'mkdir d; echo old > d/k',
      calls: [touched, ['rm -r d; mkdir d', host, later], [third]] as const,
      unseen: ['d/m', 'd/e/h'],
    })),
  );
  expect(await wrong(rows)).toEqual([]);
});

test(`what came into a directory that the sandbox had deleted or replaced was never seen, as ${user}`, async () => {
  const gone: Record<string, string> = {
    'deleted it': 'rm -r d',
    'put a file there': 'rm -r d; echo box > d',
    'put a link there': 'rm -r d; ln -s . d',
  };
  const rows = Object.entries(instead).flatMap(([had, [host, later]]) =>
    Object.entries(gone).map(([did, second]) => ({
      name: `the host had ${had}, the sandbox ${did}`,
      first: 'mkdir d; echo old > d/k',
      calls: [touched, [second, host, later], ['echo box > other']] as const,
      unseen: ['d/m', 'd/e/h'],
    })),
  );
  expect(await wrong(rows)).toEqual([]);
});

test(`what came into a directory of which the sandbox has a part was seen, as ${user}`, async () => {
  const first = 'echo box >> d/k; echo box > d/e/k';
  const later = 'echo host > d/m; echo host > d/e/m; echo host > d/x';
  const then = ['echo box >> d/m; rm d/e/m; mv d/x f', 'rm -r d', 'rm -r d; mkdir d; echo box > d/m'];
  const rows = then.map((second) => ({
    name: second,
    first: 'mkdir -p d/e; echo old > d/k; echo old > d/e/k',
    calls: [[first, 'true', later], [second]] as const,
    unseen: [],
  }));
  expect(await wrong(rows)).toEqual([]);
});
