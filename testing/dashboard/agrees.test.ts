/** The recorded backend of the browser's tests says what a server says of the same session. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Backend } from '../../shared/api/contract.ts';
import { fromText } from '../../shared/bytes.ts';
import type { ChangeList, ConflictReason } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { createLiveBackend } from '../../web/backend/live.ts';
import { TestClient } from '../server/client.ts';
import { type TestServer, testServer } from '../server/server.ts';
import { createFakeBackend } from './fake.ts';
import {
  dirEntry,
  type FakeEntry,
  type FakeSession,
  makeCall,
  makeChange,
  otherEntry,
  side,
  textEntry,
} from './make.ts';
import { makeSession } from './sessions.ts';

const ID = 'store';
const CART = ['total = 1;\nrest\n', 'total = 2;\nrest\n'] as const;
const OLD = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('');
const COMMANDS = [
  "printf 'total = 2;\\nrest\\n' > src/cart.ts; printf 'user\\342\\200\\256\\n' > src/user.ts",
  'mkdir src/new; echo a > src/new/a.ts; echo b > src/new/b.ts',
  "rm src/old.ts; chmod 755 run.sh; ln -sfn releases/2 current; printf 'x\\0\\1y' > logo.png",
  "mkdir -p ~/.npm/_logs; echo log > ~/.npm/_logs/1.log; echo 'A shop, cheap.' > README.md",
] as const;

let t: TestServer;
let client: TestClient;

function hostFiles(): void {
  const put = (name: string, text: string) => {
    writeFileSync(path.join(t.project, name), text);
  };
  mkdirSync(path.join(t.project, 'src'));
  put('src/cart.ts', CART[0]);
  put('src/user.ts', 'user\n');
  put('src/old.ts', OLD);
  put('run.sh', 'echo run\n');
  chmodSync(path.join(t.project, 'run.sh'), 0o644);
  symlinkSync('releases/1', path.join(t.project, 'current'));
  put('logo.png', 'x\0\u0002y');
  put('README.md', 'A shop.\n');
  put('untouched', 'as it was\n');
  execFileSync('git', ['init', '-q', '-b', 'main', t.project]);
}

/** The same session as the makers write it down; each entry with the calls that wrote it. */
function recorded(calls: readonly string[], conflict: ConflictReason | null): FakeSession {
  const at = (name: string) => fromText(path.join(t.project, name));
  const by = (entry: FakeEntry, call: number): FakeEntry => {
    entry.change.by = [calls[call] ?? ''];
    return entry;
  };
  const run = makeChange(at('run.sh'), 'meta', {
    pending: side({ mode: 0o755, size: 9 }),
    host: side({ size: 9 }),
  });
  const link = (target: string) => side({ type: 'symlink', mode: 0o777, target: fromText(target) });
  const current = makeChange(at('current'), 'modified', {
    host: link('releases/1'),
    pending: link('releases/2'),
  });
  const logo = makeChange(at('logo.png'), 'modified', {
    host: side({ size: 4 }),
    pending: side({ size: 4 }),
  });
  const entries = [
    by(textEntry({ path: at('src/cart.ts'), before: CART[0], after: CART[1] }), 0),
    by(textEntry({ path: at('src/user.ts'), before: 'user\n', after: 'user\u202e\n' }), 0),
    by(dirEntry(at('src/new')), 1),
    by(textEntry({ path: at('src/new/a.ts'), before: null, after: 'a\n' }), 1),
    by(textEntry({ path: at('src/new/b.ts'), before: null, after: 'b\n' }), 1),
    by(textEntry({ path: at('src/old.ts'), before: OLD, after: null }), 2),
    by(otherEntry(run, { kind: 'meta', id: run.id, etag: 'm', notes: ['mode 0644 → 0755'] }), 2),
    by(
      otherEntry(current, {
        kind: 'symlink',
        id: current.id,
        etag: 'l',
        oldTarget: 'releases/1',
        newTarget: 'releases/2',
      }),
      2,
    ),
    by(
      otherEntry(logo, {
        kind: 'binary',
        id: logo.id,
        etag: 'b',
        mime: null,
        oldBytes: 4,
        newBytes: 4,
        oldSha256: '',
        newSha256: '',
        oldHead: '78000279',
        newHead: '78000179',
      }),
      2,
    ),
    by(
      textEntry({
        path: at('README.md'),
        before: 'A shop.\nNew.\n',
        after: 'A shop, cheap.\n',
        patch: { conflict },
      }),
      3,
    ),
  ];
  return makeSession({
    id: ID,
    project: t.project,
    minutesAgo: 1,
    entries,
    calls: COMMANDS.map((command, i) => makeCall(calls[i] ?? '', command, { cwd: t.project })),
  });
}

/** The tab's own client of the server, by the contract table. */
function serverBackend(): Backend {
  const real = globalThis.fetch;
  const stored = new Map([['trai-token', t.token]]);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.startsWith('/')
      ? real(t.origin + url, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), origin: t.origin },
        })
      : real(url, init),
  );
  return createLiveBackend();
}

/** What differs from run to run, and what a recording need not hold. */
const VOLATILE = new Set([
  'id',
  'etag',
  'revision',
  'at',
  'ms',
  'uid',
  'gid',
  'from',
  'to',
  'bytes',
  'trash',
  'oldSha256',
  'newSha256',
  'xattrs',
  'line',
  'space',
  'baseHost',
]);
function plain(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(value, (key, one: unknown) =>
    VOLATILE.has(key) || (one === null && key === 'xattrs') ? undefined : one,
  );
  if (text === undefined) return undefined;
  let found = text;
  for (const [id, name] of names) found = found.replaceAll(id, name);
  return JSON.parse(found);
}

interface World {
  backend: Backend;
  list(): Promise<ChangeList>;
  id(name: string): Promise<string>;
  /** Ids of this world, and what stands for them. */
  names: Map<string, string>;
}

function world(backend: Backend): World {
  const names = new Map<string, string>();
  const list = async () => {
    const found = await backend.changes(ID);
    for (const { id, path: of } of found.changes) names.set(id, of);
    return found;
  };
  return {
    backend,
    list,
    names,
    id: async (name) => (await list()).changes.find(({ path: of }) => of.endsWith(name))?.id ?? '',
  };
}

const request = (scope: Scope, revision: string) => ({
  scope,
  revision,
  includeIgnored: false,
  conflicts: 'keep-host' as const,
  choices: {},
  yes: true,
  typedCount: null,
});

type Step = (w: World) => Promise<unknown>;
const paths = (...names: string[]): Scope => ({
  kind: 'paths',
  paths: names.map((name) => fromText(path.join(t.project, name))),
});

const QUESTIONS: [string, Step][] = [
  ['changes', async (w) => await w.list()],
  ...['cart.ts', 'src/new', 'a.ts', 'old.ts', 'run.sh', 'current', 'logo.png', 'README.md'].map(
    (name): [string, Step] => [
      `diff of ${name}`,
      async (w) =>
        await w.backend.diff(ID, { entry: await w.id(name), load: true, whole: false, spaces: 'exact' }),
    ],
  ),
  [
    'preview of all',
    async (w) =>
      await w.backend.preview(ID, { scope: { kind: 'all' }, action: 'commit', includeIgnored: false }),
  ],
  [
    'preview of a file in a new directory',
    async (w) =>
      await w.backend.preview(ID, { scope: paths('src/new/a.ts'), action: 'commit', includeIgnored: false }),
  ],
  [
    'preview of a discard',
    async (w) =>
      await w.backend.preview(ID, { scope: paths('src'), action: 'discard', includeIgnored: true }),
  ],
  [
    'search',
    async (w) =>
      await w.backend.search(ID, { text: 'TOTAL', matchCase: false, includeIgnored: false, after: null }),
  ],
  [
    'lineCounts',
    async (w) =>
      await w.backend.lineCounts(ID, {
        entries: [await w.id('cart.ts'), await w.id('old.ts'), await w.id('logo.png')],
      }),
  ],
  ['effects', async (w) => await w.backend.effects(ID)],
  ['hiddenTexts', async (w) => await w.backend.hiddenTexts(ID)],
  ['conflict', async (w) => await w.backend.conflict(ID, { entry: await w.id('README.md') })],
  ['merge', async (w) => await w.backend.merge(ID, { entry: await w.id('README.md') })],
  ['why', async (w) => await w.backend.why(ID, { entry: await w.id('cart.ts') })],
  ['history', async (w) => await w.backend.history(ID)],
];

/** The fields of an answer, down to the elements of its lists: their values are the machine's own. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
}

const SHAPES: [string, (w: World) => Promise<object>][] = [
  ['sessions', async ({ backend }) => await backend.sessions()],
  ['session', async ({ backend }) => await backend.session(ID)],
  ['calls', async ({ backend }) => (await backend.calls(ID, {})).calls],
  ['settings', async ({ backend }) => (await backend.settings()).settings],
  ['doctor', async ({ backend }) => await backend.doctor({})],
  ['disk', async ({ backend }) => await backend.disk()],
  ['box', async ({ backend }) => await backend.box(ID)],
  ['boxes', async ({ backend }) => await backend.boxes()],
  ['boxCount', async ({ backend }) => await backend.boxCount()],
  [
    'whyNot',
    async ({ backend }) => await backend.whyNot(ID, { path: fromText(path.join(t.project, 'untouched')) }),
  ],
  [
    'whyCall',
    async ({ backend }) =>
      await backend.whyCall(ID, { call: (await backend.calls(ID, {})).calls[0]?.id ?? '' }),
  ],
];

const ACTIONS: [string, Step][] = [
  [
    'markViewed',
    async (w) =>
      await w.backend.markViewed(ID, {
        entries: [await w.id('cart.ts')],
        viewed: true,
        etag: null,
        revision: (await w.list()).revision,
      }),
  ],
  [
    'commit of a selection',
    async (w) =>
      await w.backend.commit(ID, request(paths('src/new/a.ts', 'src/old.ts'), (await w.list()).revision)),
  ],
  ['changes after it', async (w) => await w.list()],
  ['its history', async (w) => await w.backend.history(ID)],
  ['its paths', async (w) => await w.backend.historyPaths(ID, { of: 1, after: 0 })],
  ['undoPreview', async (w) => await w.backend.undoPreview(ID, { n: 1 })],
  [
    'undoCommit',
    async (w) =>
      await w.backend.undoCommit(ID, {
        n: 1,
        revision: (await w.backend.undoPreview(ID, { n: 1 })).revision,
        conflicts: 'refuse',
        yes: true,
        typedCount: null,
        endProcesses: false,
      }),
  ],
  ['changes after the undo', async (w) => await w.list()],
  ['history after the undo', async (w) => await w.backend.history(ID)],
  ['redo', async (w) => await w.backend.redo(ID)],
  ['history after the redo', async (w) => await w.backend.history(ID)],
  [
    'discard',
    async (w) =>
      await w.backend.discard(ID, {
        scope: paths('src'),
        revision: (await w.list()).revision,
        endProcesses: false,
      }),
  ],
  ['changes after the discard', async (w) => await w.list()],
  [
    'undo of the discard',
    async (w) => await w.backend.undo(ID, { trash: (await w.backend.session(ID)).undo?.trash ?? '' }),
  ],
  ['changes after its undo', async (w) => (await w.list()).changes.map(({ by: _, ...change }) => change)],
  [
    'commit of the rest',
    async (w) => await w.backend.commit(ID, request({ kind: 'all' }, (await w.list()).revision)),
  ],
  ['changes in the end', async (w) => await w.list()],
];

describe('the recorded backend', () => {
  let worlds: { real: World; fake: World };
  beforeAll(async () => {
    t = await testServer();
    hostFiles();
    client = new TestClient(t, ID);
    await client.start();
    for (const command of COMMANDS) expect(await client.bash(command)).toMatchObject({ rc: 0, stderr: '' });
    appendFileSync(path.join(t.project, 'README.md'), 'New.\n');
    const real = world(serverBackend());
    const { calls } = await real.backend.calls(ID, {});
    const conflict = (await real.list()).changes.find(({ path: of }) => of.endsWith('README.md'))?.conflict;
    const session = recorded(
      calls.map(({ id }) => id),
      conflict ?? null,
    );
    worlds = { real, fake: world(createFakeBackend('demo', async () => {}, [session])) };
    await worlds.real.list();
    await worlds.fake.list();
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await client.clean();
    await t.close();
  });

  it.each(SHAPES)('has the fields of the server: %s', async (_name, step) => {
    expect(shape(await step(worlds.fake))).toEqual(shape(await step(worlds.real)));
  });

  it.each([...QUESTIONS, ...ACTIONS])('agrees with the server: %s', async (_name, step) => {
    const { real, fake } = worlds;
    const answer = await step(real);
    expect(plain(await step(fake), fake.names)).toEqual(plain(answer, real.names));
  });
});
