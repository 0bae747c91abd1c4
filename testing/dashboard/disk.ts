/** Recorded sizes, and what a collection would remove. */

import type { Input } from '../../shared/api/contract.ts';
import type {
  DiskUse,
  GarbageItem,
  SessionDetail,
  SessionDisk,
  UnreadSession,
} from '../../shared/api/types.ts';
import type { Answers } from './make.ts';

type DiskAnswers = Pick<Answers, 'disk' | 'gcPreview' | 'gc'>;

const MB = 1024 ** 2;
const AT = '2026-01-02T10:00:00.000Z';
const UNREAD: UnreadSession = {
  session: 'shop-damaged',
  message: 'the session’s meta.json cannot be used: it is missing',
  path: '/state/sessions/shop-damaged/meta.json',
  hint: 'Put the file right, or move the session directory away.',
};

export function fakeDisk(scenario: string, sessions: () => SessionDetail[]): DiskAnswers {
  let garbage: GarbageItem[] | null = null;
  const found = (): GarbageItem[] => {
    garbage ??= sessions()
      .slice(0, 2)
      .map(({ id }, i): GarbageItem => {
        const about = { session: id, at: AT, bytes: (i + 1) * 40 * MB, why: 'older than 7 days' };
        return i === 0
          ? { kind: 'images', name: '1', ...about }
          : { kind: 'discard', name: `${id}.1`, ...about };
      });
    return garbage;
  };
  const problems = scenario === 'sick' ? [UNREAD] : [];
  return {
    disk: () => ({ ...use(sessions().map(sizes), found()), problems }),
    gcPreview: () => ({ found: found(), bytes: sum(found()), problems: [] }),
    gc: ({ items }) => {
      const isMeant = (one: GarbageItem): boolean => items.some((item) => isSame(item, one));
      const removed = found().filter(isMeant);
      garbage = found().filter((one) => !isMeant(one));
      const gone = items.filter((item) => !removed.some((one) => isSame(item, one)));
      const kept = gone.map((item) => ({ ...item, why: 'it is gone already, or is needed again' }));
      return { removed, kept, freed: sum(removed) };
    },
  };
}

function isSame(a: Input<'gc'>['items'][number], b: GarbageItem): boolean {
  return a.kind === b.kind && a.session === b.session && a.name === b.name;
}

function sizes({ id, projectRoot, bytes }: SessionDetail): Omit<SessionDisk, 'total'> {
  return {
    session: id,
    projectRoot,
    projectGone: false,
    upper: bytes + 4 * MB,
    images: 0,
    trash: 0,
    other: MB,
  };
}

function use(
  found: readonly Omit<SessionDisk, 'total'>[],
  garbage: readonly GarbageItem[],
): Omit<DiskUse, 'problems'> {
  const of = (session: string, kind: GarbageItem['kind']): number =>
    sum(garbage.filter((one) => one.session === session && one.kind === kind));
  const sessions = found
    .map((one) => {
      const kept = { images: of(one.session, 'images'), trash: of(one.session, 'discard') };
      return { ...one, ...kept, total: one.upper + one.other + kept.images + kept.trash };
    })
    .sort((a, b) => b.total - a.total);
  return {
    at: new Date().toISOString(),
    sessions,
    total: sessions.reduce((all, { total }) => all + total, 0),
    free: 20 * 1024 * MB,
    size: 100 * 1024 * MB,
    warnFreeBytes: 1024 * MB,
    low: false,
  };
}

function sum(items: readonly GarbageItem[]): number {
  return items.reduce((all, { bytes }) => all + bytes, 0);
}
