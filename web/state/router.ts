/** Hash routes. Paths are absolute byte strings, percent-encoded without their first slash: lossless. */
import { type BytePath, fromText, nameOf } from '../../shared/bytes.ts';
import { displayPath } from '../text/paths.ts';
import type { Span } from '../timeline/model/axis.ts';

export type Route =
  | { view: 'sessions' }
  | { view: 'doctor'; about: string | null }
  | { view: 'disk' }
  | { view: 'boxes' }
  | { view: 'questions' }
  | { view: 'settings' }
  | { view: 'audit'; asked?: AuditFilter }
  /** `about`: the session whose project's rules are shown too. */
  | { view: 'rules'; about: string | null }
  | { view: 'changes'; session: string; path: BytePath | null; line?: number }
  | {
      view: 'calls';
      session: string;
      call: string | null;
      /** Lists only what ran then; null = all. */
      window?: Span | null;
      /** The part that the strip shows; null = all. */
      zoom?: Span | null;
    }
  | { view: 'history'; session: string }
  | { view: 'details'; session: string }
  | { view: 'box'; session: string }
  | { view: 'unknown'; hash: string };

/** What the audit leaves out; a missing part leaves out nothing. `since` as it was typed: `1h`, `today` ... */
export type AuditFilter = { readonly [K in (typeof AUDIT_PARTS)[number]]?: string };
const AUDIT_PARTS = ['text', 'session', 'tool', 'decision', 'by', 'outcome', 'since'] as const;

export type RouteOf<V extends Route['view']> = Extract<Route, { view: V }>;

/** Characters of a part of the audit's filter. */
export const MOST_AUDIT_TEXT = 200;

/** As the server makes them: nothing else may get into a request's URL. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function encodePath(path: BytePath): string {
  const hex = (c: string): string => c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
  return path.replace(/[^A-Za-z0-9._~/@+,=:-]/g, (c) => `%${hex(c)}`);
}

/** What the browser left unencoded is UTF-8. */
function decodePath(text: string): BytePath {
  return text.replace(/%([0-9a-f]{2})|[\s\S]/giu, (part: string, hex: string | undefined) =>
    hex === undefined ? fromText(part) : String.fromCharCode(Number.parseInt(hex, 16)),
  ) as BytePath;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '');
  if (text === '' || text === '/') return { view: 'sessions' };
  if (text === '/disk') return { view: 'disk' };
  if (text === '/boxes') return { view: 'boxes' };
  if (text === '/questions') return { view: 'questions' };
  if (text === '/settings') return { view: 'settings' };
  if (text === '/audit' || text.startsWith('/audit?')) return auditRoute(text.slice('/audit?'.length));
  if (text === '/doctor') return { view: 'doctor', about: null };
  if (text === '/rules') return { view: 'rules', about: null };
  const [, page, name = ''] = /^\/(doctor|rules)\/([^/]+)$/.exec(text) ?? [];
  const about = decodeText(name);
  if (page !== undefined && SESSION_ID.test(about))
    return { view: page === 'rules' ? 'rules' : 'doctor', about };
  const timed = /^(\/s\/[^/]+\/call(?:s|\/[^?]+))\?([\s\S]*)$/.exec(text);
  if (timed !== null) return withTime(parseRoute(timed[1] ?? ''), timed[2] ?? '');
  const match = /^\/s\/([^/]+)(?:\/([a-z]+)(?:\/([\s\S]*))?)?$/.exec(text);
  const [, id, word, rest] = match ?? [];
  if (id === undefined) return { view: 'unknown', hash: text };
  const session = decodeText(id);
  if (!SESSION_ID.test(session)) return { view: 'unknown', hash: text };
  if (word === undefined) return { view: 'changes', session, path: null };
  if (word === 'f') return { view: 'changes', session, ...parseFile(rest ?? '') };
  if (word === 'calls') return { view: 'calls', session, call: null };
  if (word === 'call' && rest) return { view: 'calls', session, call: decodeText(rest) };
  if (word === 'history' || word === 'details' || word === 'box') return { view: word, session };
  return { view: 'unknown', hash: text };
}

const TITLES: Readonly<Record<Route['view'], string>> = {
  sessions: 'Sessions',
  doctor: 'Doctor',
  disk: 'Disk',
  boxes: 'Boxes',
  questions: 'Questions',
  settings: 'Settings',
  audit: 'Audit',
  rules: 'Rules',
  changes: 'Changes',
  calls: 'Timeline',
  history: 'History',
  details: 'Details',
  box: 'Box',
  unknown: 'Not found',
};

/** Of the browser's tab, which shows the beginning. */
export function routeTitle(route: Route): string {
  const file = route.view === 'changes' ? route.path : null;
  const name = file === null ? TITLES[route.view] : displayPath(nameOf(file));
  return [name, ...('session' in route ? [route.session] : []), 'trai'].join(' – ');
}

/** Paths encode `?`, so the first one starts the query. */
function parseFile(text: string): { path: BytePath | null; line?: number } {
  const [, name = '', line] = /^([\s\S]*?)(?:\?line=([1-9]\d{0,8}))?$/.exec(text) ?? [];
  const path = name === '' ? null : decodePath(`/${name}`);
  return line === undefined || path === null ? { path } : { path, line: Number(line) };
}

/** `?window=FROM-TO&zoom=FROM-TO` in milliseconds; anything else is ignored. */
function withTime(route: Route, query: string): Route {
  if (route.view !== 'calls') return route;
  const found: { window?: Span; zoom?: Span } = {};
  for (const [, name, from, to] of query.matchAll(/(?:^|&)(window|zoom)=(\d{1,15})-(\d{1,15})(?=&|$)/g)) {
    if (name !== undefined && (name === 'window' || name === 'zoom') && Number(from) <= Number(to))
      found[name] = { from: Number(from), to: Number(to) };
  }
  return { ...route, ...found };
}

/** Unknown parts are ignored, and so is what the server would refuse for its length. */
function auditRoute(query: string): Route {
  const found = new URLSearchParams(query);
  const asked = Object.fromEntries(
    AUDIT_PARTS.flatMap((part) => {
      const value = (found.get(part) ?? '').slice(0, MOST_AUDIT_TEXT);
      return value === '' || (part === 'session' && !SESSION_ID.test(value)) ? [] : [[part, value]];
    }),
  );
  return Object.keys(asked).length === 0 ? { view: 'audit' } : { view: 'audit', asked };
}

function auditQuery(asked: AuditFilter): string {
  const given = AUDIT_PARTS.flatMap((part) => {
    const value = asked[part] ?? '';
    return value === '' ? [] : [[part, value]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Rounded outwards to milliseconds: what lies at an edge stays inside. */
function timeOf({ window, zoom }: RouteOf<'calls'>): string {
  const parts = Object.entries({ window, zoom }).flatMap(([name, span]) =>
    span == null ? [] : [`${name}=${Math.max(0, Math.floor(span.from))}-${Math.ceil(span.to)}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

export function formatRoute(route: Route): string {
  if (route.view === 'sessions') return '#/';
  if (
    route.view === 'disk' ||
    route.view === 'boxes' ||
    route.view === 'questions' ||
    route.view === 'settings'
  )
    return `#/${route.view}`;
  if (route.view === 'audit') return `#/audit${auditQuery(route.asked ?? {})}`;
  if (route.view === 'doctor' || route.view === 'rules')
    return `#/${route.view}${route.about === null ? '' : `/${encodeURIComponent(route.about)}`}`;
  if (route.view === 'unknown') return `#${route.hash}`;
  const base = `#/s/${encodeURIComponent(route.session)}`;
  if (route.view === 'changes') {
    const line = route.line === undefined ? '' : `?line=${route.line}`;
    return route.path === null ? base : `${base}/f/${encodePath(route.path).replace(/^\//, '')}${line}`;
  }
  if (route.view === 'history' || route.view === 'details' || route.view === 'box')
    return `${base}/${route.view}`;
  const call = route.call === null ? 'calls' : `call/${encodeURIComponent(route.call)}`;
  return `${base}/${call}${timeOf(route)}`;
}
