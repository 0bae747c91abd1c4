/**
 * `~/.claude.json` of a client that ran in a session: what it keeps of its own work goes to the host's file,
 * what a client obeys does not, since nobody has reviewed it. The keys are the client's and change with its
 * releases, so that an unknown one is judged by its name.
 */
import { isObject } from '../json-lines.ts';

type Json = Record<string, unknown>;

/** Servers, commands, permissions and trust, by any name that a release may give them. */
const OBEYED = /mcp|hook|command|helper|script|trust|allow|deny|permission|approv|bypass|server|env$/i;
/** Answers of the user to a dialog of the client itself, about the key in its environment. */
const ANSWERED = new Set(['customApiKeyResponses']);

export interface MergedState {
  merged: Json;
  /** Dotted names of obeyed keys that the session changed, which the host does not get. */
  left: string[];
}

interface Sides {
  base: unknown;
  inside: unknown;
  host: unknown;
}

/**
 * @param base what the client saw when it started; a key that is as there keeps the host's value
 * @param isOwn the project of the session: that the user trusts it was asked in its own terminal
 */
export function mergeClientState(
  sides: Record<keyof Sides, Json>,
  isOwn: (project: string) => boolean,
): MergedState {
  const left: string[] = [];
  const merged = merge(sides, [], { left, isOwn });
  return { merged, left: left.sort() };
}

interface Merging {
  left: string[];
  isOwn: (project: string) => boolean;
}

function merge({ base, inside, host }: Sides, at: readonly string[], to: Merging): Json {
  const [was, now, theirs] = [objectOf(base), objectOf(inside), objectOf(host)];
  const merged: Json = { ...theirs };
  for (const key of new Set([...Object.keys(was), ...Object.keys(now)])) {
    const sides = { base: was[key], inside: now[key], host: theirs[key] };
    if (isSame(sides.inside, sides.base) || isSame(sides.inside, sides.host)) continue;
    const path = [...at, key];
    if (isObeyed(path, to)) {
      if (!(isNothing(sides.inside) && isNothing(sides.host))) to.left.push(path.join('.'));
    } else if (isObject(sides.inside) && (sides.host === undefined || isObject(sides.host))) {
      merged[key] = merge(sides, path, to);
    } else if (key in now) merged[key] = sides.inside;
    else delete merged[key];
  }
  return merged;
}

function isObeyed(path: readonly string[], { isOwn }: Merging): boolean {
  const [first = '', project = ''] = path;
  const key = path.at(-1) ?? '';
  if (ANSWERED.has(first)) return false;
  // The name of a project is no key of the client's.
  if (first === 'projects' && path.length <= 2) return false;
  if (first === 'projects' && path.length === 3 && key === 'hasTrustDialogAccepted') return !isOwn(project);
  // Caches hold the names of features, not settings.
  return !/^cached|Cache$/.test(first) && OBEYED.test(key);
}

function objectOf(value: unknown): Json {
  return isObject(value) ? (value as Json) : {};
}

/** The client fills in such values by itself. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => isSame(value, other[i]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const [mine, theirs] = [one as Json, other as Json];
  const keys = Object.keys(mine);
  return (
    keys.length === Object.keys(theirs).length &&
    keys.every((key) => key in theirs && isSame(mine[key], theirs[key]))
  );
}
