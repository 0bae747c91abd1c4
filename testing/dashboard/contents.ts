/** Contents of a recording's entries: what its diffs hold. */

import { ApiError } from '../../shared/api/api-error.ts';
import type { Input } from '../../shared/api/contract.ts';
import { packMarks } from '../../shared/api/packed-marks.ts';
import type { EffectMarks, HiddenTexts, LineCounts, SearchPage } from '../../shared/api/types.ts';
import { fromText, isWithin } from '../../shared/bytes.ts';
import { SEARCH_FILE_HITS } from '../../shared/limits.ts';
import type { Change } from '../../shared/model/change.ts';
import type { DiffView } from '../../shared/model/diff.ts';
import type { NamedEffect } from '../../shared/model/rule.ts';
import { addsHidden } from '../../shared/text/hidden-characters.ts';
import { findLines } from '../../shared/text/search-text.ts';
import type { Answers, FakeSession } from './make.ts';

const WHOLE: DiffView = { load: true, whole: true, spaces: 'exact' };
/** Entries a page: few, so that a recording has several pages. */
const PART = 100;

function fakeSearch(session: FakeSession, order: Input<'search'>): SearchPage {
  const changes = session.list.changes.filter(
    ({ pending, ignored }) => pending?.type === 'file' && (order.includeIgnored || ignored === null),
  );
  const from = changes.findIndex((change) => change.id === order.after) + 1;
  const part = changes.slice(from, from + PART);
  const isText = ({ id }: Change): boolean => session.entries.get(id)?.texts !== undefined;
  const searched = part.filter((change) => isText(change) || change.kind === 'meta').length;
  const page: SearchPage = { hits: [], more: {}, searched, skipped: 0, next: null };
  if (from + part.length < changes.length) page.next = part.at(-1)?.id ?? null;
  for (const { id: entry, path } of part) {
    const { found, total } = findLines(pendingText(session, entry), order, SEARCH_FILE_HITS);
    page.hits.push(...found.map((one) => ({ entry, path, ...one })));
    if (total > found.length) page.more[entry] = total - found.length;
  }
  return page;
}

function pendingText(session: FakeSession, entry: string): string {
  const model = session.entries.get(entry)?.diff(WHOLE);
  if (model?.kind !== 'text') return '';
  const lines = model.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== 'removed');
  return lines.map((line) => `${line.text}\n`).join('');
}

function fakeCounts(session: FakeSession, entries: readonly string[]): LineCounts {
  return Object.fromEntries(
    entries.map((entry) => {
      const model = session.entries.get(entry)?.diff(WHOLE);
      return [entry, model?.kind === 'text' ? ([model.added, model.removed] as const) : null];
    }),
  );
}

export function fakeHidden({ list, entries }: FakeSession): HiddenTexts {
  const hidden = list.changes.filter(({ id, pending, ignored, renamedFrom }) => {
    const texts = entries.get(id)?.texts;
    if (texts === undefined || pending === null || ignored !== null || renamedFrom !== undefined)
      return false;
    return addsHidden(texts.host, texts.sandbox);
  });
  return { hidden: hidden.map(({ id }) => id), unread: 0, left: 0 };
}

export function effectsOf({ effects }: FakeSession, { path }: Change): NamedEffect[] {
  return effects.flatMap(({ paths, ...effect }) =>
    paths.some((top) => isWithin(path, fromText(top))) ? [effect] : [],
  );
}

function fakeEffects(session: FakeSession): EffectMarks {
  return { marks: packMarks(session.list.changes, (change) => effectsOf(session, change)), unknown: [] };
}

/** A square whose colour says the side; a recording holds no real images. */
async function fakeImage(side: 'pending' | 'host'): Promise<Blob> {
  const canvas = new OffscreenCanvas(side === 'host' ? 96 : 128, 96);
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new ApiError('internal', 'This browser draws nothing.');
  drawing.fillStyle = side === 'host' ? '#b0392a' : '#2a66b0';
  drawing.fillRect(8, 8, canvas.width - 16, canvas.height - 16);
  return await canvas.convertToBlob({ type: 'image/png' });
}

type ContentName =
  | 'search'
  | 'lineCounts'
  | 'hiddenTexts'
  | 'effects'
  | 'openInEditor'
  | 'image'
  | 'download';

export function fakeContents(find: (id: string) => FakeSession): Pick<Answers, ContentName> {
  return {
    search: (id, order) => fakeSearch(find(id), order),
    lineCounts: (id, { entries }) => fakeCounts(find(id), entries),
    hiddenTexts: (id) => fakeHidden(find(id)),
    effects: (id) => fakeEffects(find(id)),
    openInEditor: () => ({ editor: 'Visual Studio Code' }),
    image: (_id, { side }) => fakeImage(side),
    download: (id, { entry }) => new Blob([pendingText(find(id), entry)]),
  };
}
