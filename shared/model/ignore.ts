/**
 * Ignore rules: which pending entries "commit everything" leaves out.
 *
 *     ~/x                    anchored at the home directory
 *     /x                     anchored at the root
 *     outside-project:x/     x anywhere outside the project's root
 *     project:x              below the project's root
 *     x, a/b                 anywhere
 *     trailing /             only a directory; without it any type. Both include everything below.
 *     *, **, ?               within one component; across components; one byte
 */
import { type BytePath, fromText, isWithin } from '../bytes.ts';
import type { EntryType, Roots } from './change.ts';

/** Sockets cannot be committed, whatever the rules say. */
const SOCKET_RULE = 'socket';

/** Only the modification time differs: applied with a commit whose scope contains it. */
export const TIMES_RULE = 'only its time differs';

/** By choice only: opening a pipe without a writer blocks for ever; a device is the machine's. */
const SPECIAL_RULE = 'pipe or device';

/** The rule that ignores an entry for its type alone: the pending type or, where deleted, the host's. */
export function typeRule(pending: EntryType | null, host: EntryType | null): string | null {
  if ((pending ?? host) === 'socket') return SOCKET_RULE;
  return pending === 'fifo' || pending === 'char' || pending === 'block' ? SPECIAL_RULE : null;
}

export interface IgnoreScope extends Roots {
  ignore: readonly string[];
  /** Where a path leads, without links; null = not known. With it, anchored rules are also about that. */
  resolve?: (path: BytePath) => BytePath | null;
}

const OUTSIDE = 'outside-project:';
const PROJECT = 'project:';

interface Rule {
  text: string;
  outside: boolean;
  pattern: RegExp;
  /** Of what is no directory: where that may only lie below one that matches. */
  ofFile: RegExp;
}

export function compileIgnore(scope: IgnoreScope): (path: BytePath, isDir: boolean) => string | null {
  const rules = scope.ignore.filter((text) => text.trim() !== '').map((text) => compileRule(text, scope));
  if (rules.length === 0) return () => null;
  // For the common case that no rule matches: 50,000 paths times a dozen rules take noticeable time.
  const any = new RegExp(rules.map((rule) => `(?:${rule.pattern.source})`).join('|'), 's');
  return (path, isDir) => {
    if (!any.test(path)) return null;
    for (const rule of rules) {
      if (!(isDir ? rule.pattern : rule.ofFile).test(path)) continue;
      if (!rule.outside || !isWithin(path, scope.projectRoot)) return rule.text;
    }
    return null;
  };
}

function compileRule(text: string, scope: IgnoreScope): Rule {
  const outside = text.startsWith(OUTSIDE);
  const inside = text.startsWith(PROJECT);
  let body: string = fromText(text.slice(outside ? OUTSIDE.length : inside ? PROJECT.length : 0));
  const dirOnly = body.endsWith('/') && body !== '/';
  if (dirOnly) body = body.slice(0, -1);
  let anchor: string | null = null;
  if (body === '~' || body.startsWith('~/')) {
    anchor = scope.home;
    body = body.slice(1);
  } else if (inside) {
    anchor = scope.projectRoot;
    body = `/${body.replace(/^\/+/, '')}`;
  } else if (body.startsWith('/')) {
    anchor = '/';
  } else {
    // Anywhere as it is; a second way to say so would be tried at every slash.
    body = body.replace(/^(\*\*\/)+(?=.)/s, '');
  }
  const source = anchor === null ? `/${globSource(body)}` : anchoredSource(anchor, body, scope);
  const pattern = new RegExp(`${source}(?:/.*)?$`, 's');
  return { text, outside, pattern, ofFile: dirOnly ? new RegExp(`${source}/`, 's') : pattern };
}

/** What stands before the first star is one path, which may lead elsewhere. */
function anchoredSource(anchor: string, body: string, { resolve }: IgnoreScope): string {
  const literal = /^(?:\/[^/*?]*(?=\/|$))*/.exec(body)?.[0] ?? '';
  const written = `${anchor === '/' ? '' : anchor}${literal}`;
  const real = resolve?.(written as BytePath) ?? written;
  const ways = new Set([written, real === '/' && written !== '/' ? '' : real]);
  return `^(?:${[...ways].map(escapeText).join('|')})${globSource(body.slice(literal.length))}`;
}

/** `**` between slashes also matches no directory at all. */
function globSource(glob: string): string {
  let source = '';
  for (let i = 0; i < glob.length; i++) {
    if (glob.startsWith('**/', i) && (i === 0 || glob[i - 1] === '/')) {
      source += '(?:.*/)?';
      i += 2;
    } else if (glob.startsWith('**', i)) {
      source += '.*';
      i += 1;
    } else if (glob[i] === '*') source += '[^/]*';
    else if (glob[i] === '?') source += '[^/]';
    else source += escapeText(glob.charAt(i));
  }
  return source;
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
