/** The sides of recorded entries in conflict, also of links and replaced types. */

import { ApiError } from '../../shared/api/api-error.ts';
import { type BytePath, fromText, toDisplay } from '../../shared/bytes.ts';
import type { Side } from '../../shared/model/change.ts';
import {
  type ConflictView,
  type MergePreview,
  mergeTexts,
  threeWay,
  twoWay,
} from '../../shared/text/merge-text.ts';
import {
  type FakeEntry,
  type FakeSession,
  makeChange,
  otherEntry,
  side,
  textDiff,
  textEntry,
} from './make.ts';

/** As the server answers, without its limits of size. */
export function fakeConflict(session: FakeSession, entry: string): ConflictView {
  const found = session.entries.get(entry);
  if (found === undefined) throw new ApiError('not-found', 'The entry is not pending any more.');
  const { change, texts } = found;
  const view: ConflictView = {
    id: entry,
    host: change.host !== null,
    sandbox: change.pending !== null,
    noBase: null,
    blocks: [],
    approximate: false,
    refused: null,
  };
  if (texts === undefined) return { ...view, refused: 'One side is not text.' };
  const three = texts.base === null ? null : threeWay(texts.base, texts.host, texts.sandbox);
  if (three !== null) return { ...view, blocks: three };
  return {
    ...view,
    noBase: 'It is not on record what both began with.',
    ...twoWay(texts.host, texts.sandbox),
  };
}

export function fakeMerge(session: FakeSession, entry: string): MergePreview {
  const nothing = { id: entry, etag: '', conflicts: 0, diff: null };
  const found = session.entries.get(entry);
  const { base = null, host = '', sandbox = '' } = found?.texts ?? {};
  const merged = base === null ? null : mergeTexts(base, host, sandbox);
  if (found === undefined || merged === null)
    return { ...nothing, refused: 'Only text that both changed, whose common base was kept, can be merged.' };
  const whole = { load: true, whole: true, spaces: 'exact' } as const;
  const diff = textDiff(found.change.path, host, merged.text, whole);
  return { id: entry, etag: `merge-${entry}`, conflicts: merged.conflicts, diff, refused: null };
}

const lines = (count: number, patch: Record<number, string> = {}): string =>
  Array.from({ length: count }, (_, i) => `${patch[i + 1] ?? `line ${i + 1}`}\n`).join('');

const linkTo = (target: string): Side => side({ type: 'symlink', mode: 0o777, target: fromText(target) });
const FAR = `../../${'very-long-directory/'.repeat(12)}the-end-of-it`;

/** Links, and entries of another type than before. */
function swaps(at: (name: string) => BytePath): FakeEntry[] {
  const dir = side({ type: 'dir', mode: 0o755 });
  const sides: [string, Side | null, Side | null][] = [
    ['link-changed', linkTo('releases/2026-02'), linkTo('releases/2026-03')],
    ['link-far', null, linkTo(FAR)],
    ['link-far-changed', linkTo(`old/${FAR}`), linkTo(FAR)],
    ['link-gone', linkTo('/etc/hosts'), null],
    ['link-odd', null, linkTo('<b>a\u202ehidden\ntarget</b>')],
    ['link-was-file', side({ size: 3 }), linkTo('elsewhere')],
    ['was-dir', dir, side({ size: 3 })],
    ['was-file', side({ size: 3 }), dir],
  ];
  return sides.map(([name, host, pending]) => {
    const both = host?.type === pending?.type ? 'modified' : 'replaced';
    const kind = host === null ? 'added' : pending === null ? 'deleted' : both;
    const change = makeChange(at(name), kind, { host, pending });
    const [oldTarget, newTarget] = [host, pending].map((one) =>
      one?.target === undefined ? null : toDisplay(one.target),
    );
    return otherEntry(change, {
      kind: 'symlink',
      id: change.id,
      etag: name,
      oldTarget: oldTarget ?? null,
      newTarget: newTarget ?? null,
    });
  });
}

/** Hostile lines, a long text with places far apart, and a file that is gone on one side. */
export function clashEntries(): FakeEntry[] {
  const at = (name: string) => fromText(`/home/kim/clash/${name}`);
  return [
    textEntry({
      path: at('trojan.ts'),
      base: 'const admin = false;\nlast\n',
      before: 'const admin = false; // <img src=x onerror=alert(1)>\nlast\n',
      after: 'const admin = false;\u202e // \u2066check\u2069\nlast\rrm -rf ~',
      patch: { conflict: 'host-changed' },
    }),
    textEntry({
      path: at('long.txt'),
      base: lines(3_000),
      before: lines(3_000, { 10: 'ten, host', 2900: 'the host, far below' }),
      after: lines(3_000, { 10: 'ten, sandbox', 1500: `wide ${'w'.repeat(400)}` }),
      patch: { conflict: 'host-changed' },
    }),
    textEntry({
      path: at('made-twice.txt'),
      before: 'made on the host\nsame\n',
      after: 'made in the sandbox\nsame\n',
      patch: { conflict: 'host-created' },
    }),
    textEntry({
      path: at('removed.txt'),
      before: null,
      after: 'still wanted in the sandbox\n',
      patch: { conflict: 'host-deleted' },
    }),
    ...swaps(at),
  ];
}
