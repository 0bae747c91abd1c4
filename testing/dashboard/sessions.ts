/** The sessions of each recording. */
import type { CallList, SessionDetail } from '../../shared/api/types.ts';
import { fromText } from '../../shared/bytes.ts';
import type { CallView } from '../../shared/log/calls.ts';
import type { RawLine } from '../../shared/log/lines.ts';
import type { TimelineMark } from '../../shared/log/marks.ts';
import { changesByCall } from '../../web/timeline/model/rows.ts';
import { clashEntries } from './conflicts.ts';
import {
  bulkEntries,
  codemodEntries,
  deepEntries,
  hostileCalls,
  hostileEntries,
  hostileMarks,
} from './hostile.ts';
import { type FakeEffect, type FakeEntry, type FakeSession, makeCall, makeList, textEntry } from './make.ts';
import { shopEntries } from './shop.ts';
import { shopTimeline, writtenBy } from './shop-timeline.ts';

interface Spec {
  id: string;
  project: string;
  minutesAgo: number;
  entries?: FakeEntry[];
  /** Files of which only the time differs. */
  times?: number;
  calls?: CallView[];
  marks?: TimelineMark[];
  raw?: RawLine[];
  effects?: readonly FakeEffect[];
  patch?: Partial<SessionDetail>;
}

const PLACES: SessionDetail['places'] = [
  { path: '/home/kim', kind: 'covered', why: 'your home directory' },
  { path: '/usr', kind: 'covered', why: 'system directory' },
  { path: '/tmp', kind: 'direct', why: 'scratch: shared with the host on purpose' },
  { path: '/proc', kind: 'read-only', why: 'the kernel’s own' },
  { path: '/home/kim/.local/state/trai', kind: 'masked', why: 'trai’s own state' },
];

export function makeSession({
  id,
  project,
  minutesAgo,
  entries = [],
  times,
  calls = [],
  marks = [],
  raw = [],
  effects = [],
  patch = {},
}: Spec): FakeSession {
  const list = makeList(id, entries, 'r1', times);
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const detail: SessionDetail = {
    id,
    projectId: project.replace(/\W/g, ''),
    projectRoot: fromText(project),
    cwd: project,
    createdAt: new Date(Date.now() - (minutesAgo + 40) * 60_000).toISOString(),
    lastCallAt: calls.length === 0 ? null : at,
    calls: calls.length,
    counts: list.counts,
    bytes: list.bytes,
    conflicts: list.conflicts,
    ignored: list.ignored.count,
    live: false,
    off: null,
    caught: false,
    undo: null,
    unfinished: false,
    git: { branch: 'main', commit: null, worktree: null },
    client: 'here',
    level: 'plugin',
    ended: null,
    shares: [],
    home: fromText('/home/kim'),
    claudeIds: ['5f0c5b1e-90a2-4c1d-8d77-1f2e3d4c5b6a'],
    configFile: null,
    configProblems: [],
    processes: [],
    places: PLACES,
    notices: [],
    overlaps: [],
    others: [],
    wentOnIn: null,
    ...patch,
  };
  return {
    detail,
    list,
    calls,
    marks,
    raw,
    trashed: [],
    effects,
    entries: new Map(entries.map((entry) => [entry.change.id, entry])),
  };
}

const RAW: RawLine[] = [
  { raw: '{"v":1,"t":"call.ended","call":"c03","rc":', offset: 8_812, problem: 'torn' },
  { raw: '{"v":9,"t":"call.teleported"}', offset: 12_044, problem: 'unknown-version' },
];

function demo(): FakeSession[] {
  const live = {
    live: true,
    processes: [
      { pid: 48_211, start: '1', command: 'node watch.js', seconds: 312, call: 'c11', ports: [5173] },
      {
        pid: 48_219,
        start: '2',
        command: 'esbuild --service=0.25.1 --ping',
        seconds: 311,
        call: null,
        ports: [],
      },
    ],
    notices: [
      {
        at: '2026-03-02T10:04:00.000Z',
        code: 'plan-changed',
        text: 'A new mount was found: the plan was made again.',
      },
    ],
  };
  return [
    makeSession({
      id: 'shop-discounts',
      project: '/home/kim/shop',
      minutesAgo: 3,
      entries: writtenBy(shopEntries()),
      ...shopTimeline(),
      raw: RAW,
      patch: live,
    }),
    makeSession({
      id: 'shop-docs',
      project: '/home/kim/shop',
      minutesAgo: 95,
      calls: [makeCall('d1', 'ls docs')],
      patch: { git: { branch: 'docs/discounts', commit: null, worktree: 'shop-docs' }, ...gone(80) },
    }),
    makeSession({
      id: 'odd-names',
      project: '/home/kim/odd',
      minutesAgo: 26,
      entries: hostileEntries(),
      calls: hostileCalls(),
      marks: hostileMarks(),
      patch: { caught: true, ...gone(20) },
    }),
    makeSession({
      id: 'nested',
      project: '/srv/builds',
      minutesAgo: 300,
      patch: {
        off: 'doctor: overlayfs cannot be mounted by this user',
        git: null,
        configProblems: ['passthrough[2]: expected a string'],
      },
    }),
    makeSession({
      id: 'tidied',
      project: '/srv/builds',
      minutesAgo: 1_500,
      calls: [makeCall('t1', 'make')],
      patch: {
        undo: {
          trash: 'tidied.20260302T100000Z',
          entries: 12,
          at: new Date(Date.now() - 240_000).toISOString(),
        },
        unfinished: false,
        git: { branch: null, commit: '4f1c9aa2', worktree: null },
        ...gone(1_490),
      },
    }),
  ];
}

function gone(minutesAgo: number): Pick<SessionDetail, 'client' | 'ended'> {
  return { client: 'gone', ended: new Date(Date.now() - minutesAgo * 60_000).toISOString() };
}

/** Many sessions of two projects, most of them idle. */
function many(): FakeSession[] {
  return Array.from({ length: 40 }, (_, i) =>
    makeSession({
      id: `s-${String(i).padStart(2, '0')}`,
      project: i % 3 === 0 ? '/home/kim/shop' : '/srv/builds',
      minutesAgo: 5 + i * 50,
      entries: i % 8 === 0 ? shopEntries().slice(0, 5) : [],
      calls: [makeCall(`m${i}`, 'make')],
      patch: {
        git: { branch: i % 2 === 0 ? 'main' : `topic-${i}`, commit: null, worktree: null },
        ...(i === 0 ? {} : gone(4 + i * 50)),
      },
    }),
  );
}

/** Sessions of one project: two with the same paths, a new one, and one whose changes were adopted. */
function several(): FakeSession[] {
  const project = '/home/kim/shop';
  const paths = shopEntries().map(({ change }) => change.path);
  const overlap = (session: string) => ({ session, paths: paths.slice(0, 7), more: false });
  const made = (id: string, minutesAgo: number, entries: FakeEntry[], patch: Partial<SessionDetail>) =>
    makeSession({ id, project, minutesAgo, entries, calls: [makeCall(`${id}-1`, 'make check')], patch });
  return [
    made('discounts', 3, shopEntries(), {
      overlaps: [overlap('hotfix')],
      shares: [{ session: 'hotfix', paths: 7 }],
    }),
    made('hotfix', 9, shopEntries().slice(0, 7), {
      overlaps: [overlap('discounts')],
      shares: [{ session: 'discounts', paths: 7 }],
      git: { branch: 'hotfix/rounding', commit: null, worktree: 'hotfix' },
      level: 'box',
      ...gone(2),
    }),
    made('fresh', 1, [], {
      others: [
        { id: 'discounts', changes: shopEntries().filter(({ change }) => change.ignored === null).length },
        { id: 'hotfix', changes: 7 },
      ],
    }),
    made('left', 600, [], { wentOnIn: 'discounts' }),
  ];
}

/** Sessions in a box: one that runs, ended ones, one with odd names, and two that are in none. */
function boxed(): FakeSession[] {
  const start = (id: string, words: string, patch: Partial<CallView> = {}): CallView =>
    makeCall(id, words, { origin: 'client', ...patch });
  const made = (id: string, project: string, calls: CallView[], patch: Partial<SessionDetail>): FakeSession =>
    makeSession({ id, project, minutesAgo: 4, calls, patch: { level: 'box', ...patch } });
  const process = (pid: number, command: string, call: string) => ({
    ...{ pid, start: String(pid), command, seconds: 200, call, ports: [] },
  });
  const running = { state: 'running', endedAt: null, rc: null, ms: null } as const;
  return [
    made('boxed', '/home/kim/shop', [start('x1', 'box', running), makeCall('x2', 'npm ci')], {
      live: true,
      processes: [
        process(51_200, 'bwrap --args 3 --json-status-fd 4 claude', 'x1'),
        process(51_201, 'claude', 'x1'),
        process(51_240, 'node watch.js', 'x2'),
      ],
    }),
    made('cut-off', '/home/kim/docs', [start('y1', 'box --shell -- npm test')], gone(90)),
    made('odd-box', '/home/kim/odd', [start('z1', 'box')], gone(100)),
    made('left-box', '/home/kim/shop', [], { level: 'claude', ...gone(300) }),
    made('plain', '/home/kim/shop', [makeCall('p1', 'make')], { level: 'plugin', ...gone(400) }),
  ];
}

/** Only the times of files differ: beside other changes, and alone. */
function stamped(): FakeSession[] {
  const project = '/home/kim/shop';
  const text = fromText(`${project}/src/cart.ts`);
  return [
    makeSession({
      id: 'beside',
      project,
      minutesAgo: 2,
      times: 12,
      entries: [textEntry({ path: text, before: 'const tax = 0;\n', after: 'const tax = 0.19;\n' })],
    }),
    makeSession({ id: 'alone', project, minutesAgo: 4, times: 2, calls: [makeCall('a1', 'touch in out')] }),
  ];
}

/** Ordinary work that effect rules of every kind are about. */
function ruled(): FakeSession[] {
  const project = '/home/kim/shop';
  const of = (i: number) => `effects[${i}] of /home/kim/.config/trai/rules.json`;
  return [
    makeSession({
      id: 'ruled',
      project,
      minutesAgo: 2,
      entries: shopEntries(),
      effects: [
        { do: 'never', text: `${of(0)}: keys stay here`, paths: ['/home/kim/.config/shop'] },
        {
          do: 'confirm',
          text: `${of(1)}: customers see the sum`,
          paths: [`${project}/src/cart`, `${project}/config`],
        },
        { do: 'flag', text: of(2), paths: [`${project}/package.json`, `${project}/scripts`] },
        { do: 'auto', text: `${of(3)}: installed`, paths: [`${project}/node_modules`] },
      ],
    }),
  ];
}

/** Recordings by name; an unknown name is the demo. */
export function recording(scenario: string): FakeSession[] {
  if (scenario === 'empty') return [];
  if (scenario === 'bulk' || scenario === 'huge') {
    const calls = Array.from({ length: 10_000 }, (_, i) => makeCall(`b${i}`, `npm run step-${i}`));
    return [
      makeSession({
        id: 'mono',
        project: '/home/kim/mono',
        minutesAgo: 1,
        entries: bulkEntries(scenario === 'huge' ? 300_000 : 50_000),
        calls,
      }),
    ];
  }
  if (scenario === 'codemod')
    return [
      makeSession({ id: 'codemod', project: '/home/kim/app', minutesAgo: 2, entries: codemodEntries() }),
    ];
  if (scenario === 'deep')
    return [makeSession({ id: 'deep', project: '/home/kim/deep', minutesAgo: 2, entries: deepEntries() })];
  if (scenario === 'ignored')
    return [
      makeSession({
        id: 'cached',
        project: '/home/kim/cached',
        minutesAgo: 2,
        entries: shopEntries().filter(({ change }) => change.ignored !== null),
      }),
    ];
  if (scenario === 'clash')
    return [makeSession({ id: 'clash', project: '/home/kim/clash', minutesAgo: 2, entries: clashEntries() })];
  if (scenario === 'times') return stamped();
  if (scenario === 'effects') return ruled();
  if (scenario === 'many') return many();
  if (scenario === 'boxes' || scenario === 'boxes-many') return boxed();
  return scenario === 'several' ? several() : demo();
}

/** The calls as a server sends them, with the number of pending changes by each. */
export function callList({ calls, marks, raw, list }: FakeSession): CallList {
  const wrote = [...changesByCall(list.changes)].map(([call, all]) => [call, all.length] as const);
  return {
    whole: true,
    calls: [...calls],
    gone: [],
    marks: [...marks],
    raw,
    size: calls.length + marks.length,
    wrote: Object.fromEntries(wrote),
  };
}
