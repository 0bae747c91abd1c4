/** Small makers for recorded-looking data. */

import type { Backend } from '../../shared/api/contract.ts';
import type { SessionDetail } from '../../shared/api/types.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { AUTO_DIFF_LINES } from '../../shared/limits.ts';
import type { CallView } from '../../shared/log/calls.ts';
import type { RawLine } from '../../shared/log/lines.ts';
import type { TimelineMark } from '../../shared/log/marks.ts';
import {
  type Change,
  type ChangeKind,
  type ChangeList,
  countChanges,
  type Side,
} from '../../shared/model/change.ts';
import type { DiffModel, DiffView, TextDiff } from '../../shared/model/diff.ts';
import type { NamedEffect, Permission } from '../../shared/model/rule.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { writtenBytes } from '../../web/changes/model/tree.ts';

/** Immediate answers of a recording; delays and failures are wrapped around them. */
export type Answers = {
  [K in keyof Omit<Backend, 'events'>]: (
    ...args: Parameters<Backend[K]>
  ) => Awaited<ReturnType<Backend[K]>> | ReturnType<Backend[K]>;
};

/** One entry of a recording: the change, and how its diff is answered. */
export interface FakeEntry {
  change: Change;
  diff(view: DiffView): DiffModel;
  /** Both sides of a text, and the base where it was kept. */
  texts?: { base: string | null; host: string; sandbox: string };
}

/** 16 hex digits from a path, the same on every run. */
export function fakeId(path: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < path.length; i++) {
    high = Math.imul(high ^ path.charCodeAt(i), 0x01000193) >>> 0;
    low = Math.imul(low + path.charCodeAt(i), 0x85ebca6b) >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

export function side(patch: Partial<Side> = {}): Side {
  return { type: 'file', mode: 0o644, uid: 1000, gid: 1000, size: 0, ...patch };
}

export function makeChange(path: BytePath, kind: ChangeKind, patch: Partial<Change> = {}): Change {
  return {
    id: fakeId(path),
    path,
    kind,
    pending: null,
    host: null,
    ignored: null,
    conflict: null,
    group: null,
    ...patch,
  };
}

const size = (text: string): number => fromText(text).length;

const LANGUAGES: Record<string, string> = {
  ts: 'typescript',
  tsx: 'typescript',
  js: 'javascript',
  json: 'json',
  css: 'css',
  html: 'xml',
  md: 'markdown',
  py: 'python',
  sh: 'bash',
  yml: 'yaml',
  toml: 'ini',
  rs: 'rust',
  go: 'go',
  sql: 'sql',
};

export function textDiff(path: string, before: string, after: string, view?: DiffView): TextDiff {
  return {
    kind: 'text',
    id: fakeId(path),
    etag: `${before.length}-${after.length}`,
    ...compareTexts(before, after, {
      ...(view?.whole ? { context: Number.POSITIVE_INFINITY } : {}),
      spaces: view?.spaces ?? 'exact',
    }),
    language: LANGUAGES[path.slice(path.lastIndexOf('.') + 1)] ?? null,
  };
}

interface TextEntry {
  path: BytePath;
  before: string | null;
  after: string | null;
  /** Content of the base; undefined when it was not kept. */
  base?: string;
  patch?: Partial<Change>;
}

/** A text file that was added, modified or deleted. */
export function textEntry({ path, before, after, base, patch = {} }: TextEntry): FakeEntry {
  const kind = before === null ? 'added' : after === null ? 'deleted' : 'modified';
  const change = makeChange(path, kind, {
    pending: after === null ? null : side({ size: size(after) }),
    host: before === null ? null : side({ size: size(before) }),
    ...patch,
  });
  const diff = (view: DiffView): DiffModel => {
    const model = textDiff(path, before ?? '', after ?? '', view);
    const lines = model.added + model.removed;
    if (view.load || lines <= AUTO_DIFF_LINES) return model;
    return {
      kind: 'collapsed',
      id: model.id,
      etag: model.etag,
      oldLines: model.oldTotal,
      newLines: model.newTotal,
      oldBytes: size(before ?? ''),
      newBytes: size(after ?? ''),
    };
  };
  const texts = { base: base ?? null, host: before ?? '', sandbox: after ?? '' };
  return { change, diff, texts };
}

export function otherEntry(change: Change, diff: DiffModel): FakeEntry {
  return { change, diff: () => diff };
}

export function dirEntry(path: BytePath): FakeEntry {
  const change = makeChange(path, 'added', { pending: side({ type: 'dir', mode: 0o755 }) });
  return otherEntry(change, {
    kind: 'meta',
    id: change.id,
    etag: 'd',
    notes: ['new directory, mode 0755'],
  });
}

export function makeList(
  session: string,
  entries: readonly FakeEntry[],
  revision: string,
  times?: number,
): ChangeList {
  const changes = entries.map((entry) => entry.change).sort((a, b) => (a.path < b.path ? -1 : 1));
  const ignored = changes.filter((change) => change.ignored !== null);
  const counted = changes.filter((change) => change.ignored === null);
  const sum = (list: readonly Change[]): number =>
    list.reduce((bytes, change) => bytes + writtenBytes(change), 0);
  return {
    session,
    revision,
    at: '2026-03-02T10:12:40.000Z',
    changes,
    counts: countChanges(changes),
    bytes: sum(counted),
    ignored: { count: ignored.length, bytes: sum(ignored) },
    conflicts: counted.filter((change) => change.conflict !== null).length,
    ...(times === undefined ? {} : { times }),
    problems: [],
  };
}

let clock = Date.parse('2026-03-02T10:00:00.000Z');

/** A finished call; each call is later than the one before. */
export function makeCall(id: string, command: string, patch: Partial<CallView> = {}): CallView {
  clock += 17_000;
  const at = new Date(clock).toISOString();
  return {
    id,
    request: '',
    command,
    cwd: '/home/kim/shop',
    origin: 'Bash',
    agent: '',
    mode: 'sandbox',
    reason: 'default',
    text: '',
    state: 'ended',
    requestedAt: at,
    startedAt: at,
    endedAt: new Date(clock + (patch.ms ?? 120)).toISOString(),
    rc: 0,
    ms: 120,
    background: false,
    interrupted: false,
    ok: true,
    head: '',
    tail: '',
    cut: 0,
    left: [],
    gone: [],
    saved: [],
    twins: 0,
    permission: leftToClient(at, command),
    ...patch,
  };
}

/** As it is logged where no rule is about a command. */
function leftToClient(at: string, command: string): Permission {
  return {
    at,
    request: '',
    agent: '',
    tool: 'Bash',
    subject: command,
    cut: 0,
    decision: 'pass',
    by: 'client',
    rule: '',
    hash: '',
    also: [],
    segment: command,
    answered: null,
    why: 'no permission rule is about this call',
    ms: 1,
  };
}

/** An effect rule about these paths and what is below them. */
export interface FakeEffect extends NamedEffect {
  paths: readonly string[];
}

export interface FakeSession {
  detail: SessionDetail;
  entries: Map<string, FakeEntry>;
  list: ChangeList;
  calls: CallView[];
  marks: TimelineMark[];
  raw: RawLine[];
  /** Entries in the trash. */
  trashed: FakeEntry[];
  effects: readonly FakeEffect[];
}
