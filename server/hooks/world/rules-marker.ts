/**
 * `sessions/<id>/rules.about`: about which tools there are rules, for hooks/lib/rules.sh, which ends the event of another
 * tool without asking anyone. It names what it was made from: when one of these is newer or gone, the hook asks after all.
 *
 *     about=REGEX    tools that some rule is about; empty = none. An extended regular expression
 *     stops=REGEX    tools that a deny or ask rule is about
 *     +TIME PATH     a file or directory that existed
 *     -PATH          one that did not
 */
import { lutimesSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTarget } from '../../../core/kernel/fs/entry.ts';
import { fsPath, lstat, orNull } from '../../../core/kernel/fs/port.ts';
import { readEnds, temporaryName } from '../../../core/kernel/fs/state-file.ts';
import type { RuleSet } from '../../../core/rules/files/rule-set.ts';
import type { CompiledRule } from '../../../core/rules/model/model.ts';
import { type BytePath, fromText, joinPath, parentOf } from '../../../shared/bytes.ts';

/** Clocks of file systems tick in steps of up to 10 ms. */
const TICK_MS = 20;
const MAX_REGEX_CHARS = 2_000;

export interface MarkerParts {
  sessionDir: string;
  /** Where the hook looks: the session's directory, also as a client in the session sees it. */
  places: readonly string[];
  rules: RuleSet;
  /** Other files on which the rules depend. */
  also: readonly string[];
  /** Before the rules were read (ms since the epoch). */
  readAt: number;
}

/** Best effort: without it the hook asks at every call. */
export function writeMarker({ sessionDir, places, rules, also, readAt }: MarkerParts): void {
  const session = fromText(sessionDir);
  const rulePaths = rules.files.map((one) => one.path);
  // A renamed file may have an old time; its directory has a new one. The session's changes all the time.
  const dirs = rulePaths.map(parentOf).filter((dir) => dir !== session);
  // A link that leads elsewhere now may lead to old files.
  const around = dirs.flatMap((dir) => [...linksTo(dir)].map(parentOf));
  const sources = [...new Set([...rulePaths, ...dirs, ...around, ...also.map(fromText)])].map(sourceOf);
  // In the file each has a line. Without the file the hook asks, or looks for rule files itself.
  if (sources.some((source) => source.path.includes('\n'))) return;
  const text = textOf(rules, withoutBelow(sources));
  const newest = Math.max(0, ...sources.map(({ mtimeMs }) => mtimeMs));
  for (const place of places) {
    const file = path.join(place, 'rules.about');
    // No link is followed, no FIFO waited for, no more read than there can be: what runs beside a client writes there, too.
    const known = orNull(() => ({
      text: readEnds(file, text.length + 1, 0)?.[0].toString('latin1'),
      at: statSync(file).mtimeMs,
    }));
    if (known?.text === text && known.at > newest + 1) continue;
    orNull(() => replaceWith(file, text, (readAt - TICK_MS) / 1000));
  }
}

/** Never there with a later time, at which a change of the rules since they were read would be missed. */
function replaceWith(file: string, text: string, seconds: number): void {
  const temporary = temporaryName(file);
  writeFileSync(temporary, text, { encoding: 'latin1', mode: 0o600 });
  // By now it may be a link.
  lutimesSync(temporary, seconds, seconds);
  renameSync(temporary, file);
}

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** The links through which a path leads. */
function linksTo(path: BytePath, found = new Set<BytePath>()): ReadonlySet<BytePath> {
  if (path === '/' || found.size >= MAX_LINKS || found.has(path)) return found;
  const above = parentOf(path);
  if (orNull(() => lstat(path))?.type === 'symlink') {
    found.add(path);
    const target = orNull(() => readTarget(path)) ?? above;
    linksTo(target.startsWith('/') ? target : joinPath(above, target), found);
  }
  return linksTo(above, found);
}

interface Source {
  path: BytePath;
  /** 0 = missing, or it cannot be looked at. */
  mtimeMs: number;
}

/** Follows links, as the hook does. */
function sourceOf(name: BytePath): Source {
  const found = orNull(() => statSync(fsPath(name), { throwIfNoEntry: false }));
  return { path: name, mtimeMs: Math.floor(found?.mtimeMs ?? 0) };
}

/** In a directory that is missing nothing else can be there: the hook looks at that alone. */
function withoutBelow(sources: readonly Source[]): Source[] {
  const missing = new Set(sources.flatMap((one) => (one.mtimeMs === 0 ? [one.path] : [])));
  return sources.filter((one) => !missing.has(parentOf(one.path)));
}

function textOf(rules: RuleSet, sources: readonly Source[]): string {
  const stops = [...rules.deny, ...rules.ordered.filter(({ ref }) => ref.list === 'ask')];
  const about = regexOf([...rules.deny, ...rules.ordered], builtInTools(rules));
  const lines = sources.map(({ path: name, mtimeMs }) =>
    mtimeMs === 0 ? `-${name}` : `+${mtimeMs} ${name}`,
  );
  return [`about=${about}`, `stops=${regexOf(stops, [])}`, ...lines, ''].join('\n');
}

/** Of trai's own rules, those whose names are tools. */
function builtInTools({ builtIn }: RuleSet): string[] {
  return [...builtIn].filter((name) => /^[A-Z][A-Za-z]*$/.test(name)).map((name) => `^${name}$`);
}

/** Matches at least the tools that one of the rules is about. */
function regexOf(rules: readonly CompiledRule[], more: readonly string[]): string {
  const patterns = [...new Set([...rules.map(({ rule }) => rule.tool ?? '.'), ...more])];
  if (patterns.length === 0) return '';
  if (patterns.includes('.') || !patterns.every(isSame)) return '.';
  const regex = patterns.map((pattern) => `(${pattern})`).join('|');
  return regex.length > MAX_REGEX_CHARS ? '.' : regex;
}

/** Whether bash reads the pattern as JavaScript does. */
function isSame(pattern: string): boolean {
  return /^[\w^$.|()*+?-]+$/.test(pattern) && !/[*+?(|^][*+?]|\(\)|[(|]\||\|\)|^[|*+?]|\|$/.test(pattern);
}
