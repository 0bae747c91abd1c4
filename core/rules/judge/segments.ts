/**
 * Cuts a Bash text into segments: every simple command of every level, and what wrappers, shells, aliases and functions
 * of the text run. A segment has spellings: as written without redirections; dequoted, also with the values that the text
 * assigns; and without wrappers and assignments. What is not understood is never allowed by a rule, but what can be read
 * of it is still denied.
 */
import type { Spelling } from '../../../shared/model/rule.ts';
import { replaceHidden } from '../../../shared/text/hidden-characters.ts';
import { isHarmlessRedirect, readsFile } from '../../decide/classify.ts';
import {
  allCommands,
  isPlain,
  type Redirect,
  type Script,
  type SimpleCommand,
  type Span,
  scriptsOf,
  type Word,
} from '../../decide/shell/facts.ts';
import { MAX_COMMAND_CHARS, parseShell } from '../../decide/shell/parse.ts';
import { plainScript } from '../../decide/shell/plain.ts';
import { type Where, whereabouts } from '../../decide/shell/where.ts';
import { isGitHarmlessAssignment, isHarmlessAssignment, isHarmlessSet } from '../../decide/shell/words.ts';
import { NOT_ALLOWABLE } from '../messages.ts';
import { withoutBraces } from './braces.ts';
import {
  canonical,
  roughly,
  Spellings,
  WordTexts,
  withLines,
  withoutUnknown,
  withPositions,
} from './spellings.ts';
import { PRINTS, UnseenTexts } from './unseen.ts';
import {
  type Inner,
  innermost,
  innermostReads,
  literalWord,
  MAX_WRAPPERS,
  nameOfProgram,
  unwrap,
} from './wrappers.ts';

export interface Segment {
  /** As written, without redirections. */
  text: string;
  /** For deny and ask: any of them. */
  spellings: readonly (readonly [spelling: Spelling, text: string])[];
  /** For allow: this one. */
  allowed: string;
  /** Why no rule may allow it; empty when one may. */
  why: string;
  /** False: what it runs is in other segments, and nothing else is done. */
  needsAllow: boolean;
  /** The command without wrappers; null where it is not known whole, or has other rights. */
  command: SimpleCommand | null;
  /** Redirections to files, which rules may allow where they stay pending or inside. */
  writes: readonly { target: Word; where: Where }[];
  /** Targets of all its redirections, as written and without quotes. */
  files: readonly string[];
  where: Where;
  /** Of redirections that feed other commands: the segments of those, from and to. */
  readers?: Span;
}

export interface CutText {
  segments: readonly Segment[];
  /** The text without data and comments. */
  whole: string;
  /** Why nothing of it may be allowed by a rule; empty when it may. */
  why: string;
  /** A shell runs a text in which not even a command's first word is known: `eval "$(…)"`, `… | sh`. */
  runsUnknown: boolean;
}

/** Whether a reason says that the text is not read as a whole, so that nothing is known about all of it. */
export function isUnread(why: string): boolean {
  return why === NOT_ALLOWABLE.broken || why === NOT_ALLOWABLE.hidden;
}

/** Never throws. */
export function cutText(text: string, cwd: string, home: string): CutText {
  return cutPlainly(text, cwd, home) ?? cutByLevels(text, cwd, home);
}

/** Of the most usual text, one plain command that runs no other, the only spelling is the text. Null for all others. */
function cutPlainly(text: string, cwd: string, home: string): CutText | null {
  const script = text.length > MAX_COMMAND_CHARS ? null : plainScript(text);
  const [command, ...more] = script?.commands ?? [];
  const program = command?.words[0]?.value ?? '/';
  if (script === null || command === undefined || more.length > 0) return null;
  if (program.includes('/') || program === 'alias' || unwrap(command.words) !== null) return null;
  const segment: Segment = {
    text,
    spellings: [['written', text]],
    allowed: text,
    why: '',
    needsAllow: true,
    command,
    writes: [],
    files: [],
    where: (cwd === '' ? null : whereabouts(script, cwd, home).get(command)) ?? { dirs: null, above: false },
  };
  return { segments: [segment], whole: text, why: '', runsUnknown: false };
}

/** `cutText` of any text. */
export function cutByLevels(text: string, cwd: string, home: string): CutText {
  const clean = replaceHidden(text, () => '');
  const script = parseShell(clean);
  const cutter = new Cutter(home, script);
  if (clean !== text) cutter.bar(NOT_ALLOWABLE.hidden);
  cutter.cut(script, { cwd, prefix: '', depth: 0, isFilled: false, isSure: true });
  if (script.broken || cutter.isFull) cutter.cutRoughly(clean, false);
  return cutter.result(clean);
}

interface Context {
  /** Empty = not known. */
  cwd: string;
  /** Names of privileged wrappers around it, each with a blank. */
  prefix: string;
  depth: number;
  /** Inside a wrapper that puts unknown words into it. */
  isFilled: boolean;
  /** False: inside what was only guessed to be a command. */
  isSure: boolean;
}

const MAX_DEPTH = 8;
const MAX_SEGMENTS = 4_000;
/** What a redirection does that feeds no command of its own. */
export const READER = 'cat';

class Cutter {
  private readonly segments: Segment[] = [];
  private readonly home: string;
  private readonly texts = new WordTexts();
  private readonly unseen = new UnseenTexts(this.texts);
  private readonly data: Span[] = [];
  /** Commands that may run what they read, as far as that is not known yet: few texts feed anything to a command. */
  private readonly unasked: SimpleCommand[] = [];
  private reader = false;
  private why = '';
  private runsUnknown = false;

  constructor(home: string, script: Script) {
    this.home = home;
    this.data.push(...script.comments);
    if (script.broken) this.bar(NOT_ALLOWABLE.broken);
    else if (!isPlain(script)) this.bar(NOT_ALLOWABLE.odd);
  }

  get isFull(): boolean {
    return this.segments.length >= MAX_SEGMENTS;
  }

  /** The first reason counts, but one why the text cannot be read goes before all others. */
  bar(why: string): void {
    if (this.why === '' || (isUnread(why) && !isUnread(this.why))) this.why = why;
  }

  result(text: string): CutText {
    let whole = '';
    let at = 0;
    for (const [from, to] of this.data.sort(([a], [b]) => a - b)) {
      whole += text.slice(at, Math.max(at, from));
      at = Math.max(at, to);
    }
    const { segments, why, runsUnknown } = this;
    return { segments, whole: (whole + text.slice(at)).trim(), why, runsUnknown };
  }

  cut(script: Script, context: Context): void {
    const { cwd, depth } = context;
    if (depth > MAX_DEPTH) return;
    const commands = allCommands(script);
    for (const command of commands) if (this.texts.learn(command)) this.bar(NOT_ALLOWABLE.alias);
    for (const command of commands) this.unasked.push(command);
    this.texts.learnFunctions(script);
    const where = cwd === '' ? null : whereabouts(script, cwd, this.home);
    this.cutLevel(script, context, where);
  }

  /** Some command runs what it reads, and it is not known what that is. */
  private get hasReader(): boolean {
    this.reader ||= this.unasked.some(({ words }) => innermostReads(words) !== null);
    this.unasked.length = 0;
    return this.reader;
  }

  private cutLevel(script: Script, context: Context, where: Map<SimpleCommand, Where> | null): void {
    const groups: { reading: Segment; from: number; end: number }[] = [];
    const close = (before: number): void => {
      while ((groups.at(-1)?.end ?? before) < before) {
        const group = groups.pop();
        if (group !== undefined) group.reading.readers = [group.from, this.segments.length];
      }
    };
    for (const [i, command] of script.commands.entries()) {
      close(i);
      if (this.isFull) {
        this.bar(NOT_ALLOWABLE.broken);
        return;
      }
      const place = where?.get(command) ?? { dirs: null, above: false };
      this.cutInputs(command, script.commands[i + 1]?.piped === true, context);
      const before = command.piped ? script.commands.slice(0, i) : [];
      const reading = this.cutCommand(command, place, context, before);
      const { covers = 0 } = command;
      if (reading !== null && covers > 0)
        groups.push({ reading, from: this.segments.length, end: i + covers });
      for (const inner of scriptsOf(command)) this.cutLevel(inner, context, where);
    }
    close(Number.POSITIVE_INFINITY);
  }

  /** What a here-document or here-string feeds to a shell is commands; otherwise a here-document is data. */
  private cutInputs(command: SimpleCommand, isPipedOn: boolean, context: Context): void {
    const reads = command.redirects.length === 0 ? null : innermostReads(command.words);
    for (const { operator, target, body, span } of command.redirects) {
      const text = body ?? (operator === '<<<' ? target : null);
      if (text === null) continue;
      const goesOn = reads === null && (isPipedOn || command.words.length === 0) && this.hasReader;
      if (reads === 'shell' || goesOn) this.cutFed([text], context);
      else if (reads === null && span !== null && context.depth === 0) this.data.push(span);
    }
    if (!isPipedOn || !this.hasReader) return;
    const [first, ...args] = innermost(command.words);
    if (!PRINTS.test(nameOfProgram(first))) return;
    this.cutFed(args, context);
    // A format, or an option, is no part of what is printed.
    for (const arg of args) if (/\s/.test(arg.value ?? '')) this.cutFed([withLines(arg)], context);
  }

  /** It is read later, so that where it runs and with which variables is not known. */
  private cutFed(words: readonly Word[], context: Context): void {
    for (const text of this.texts.dequoted(words))
      this.cutTextOf(text, { ...context, cwd: '', prefix: '', depth: context.depth + 1 });
  }

  private cutTextOf(text: string, context: Context): void {
    const script = parseShell(text);
    if (context.isSure && script.broken) this.bar(NOT_ALLOWABLE.broken);
    else if (context.isSure && !isPlain(script)) this.bar(NOT_ALLOWABLE.odd);
    this.cut(script, context);
    if (context.depth > MAX_DEPTH) this.bar(NOT_ALLOWABLE.broken);
    if (context.depth > MAX_DEPTH || script.broken) this.cutRoughly(text, context.depth > MAX_DEPTH);
  }

  /** @returns what the redirections of a group read */
  private cutCommand(
    command: SimpleCommand,
    where: Where,
    context: Context,
    before: readonly SimpleCommand[] = [],
  ): Segment | null {
    const { words, assignments } = command;
    const settings = assignments.map(({ source }) => source).filter((source) => source !== '');
    const text = [...settings, ...words.map(({ source }) => source)].join(' ');
    const { writes, readsUnknown } = redirectsOf(command, this.home);
    if (words.length === 0) return this.pushBare(command, text, where);
    const from = this.segments.length;
    const isGit = nameOfProgram(words[0]) === 'git';
    const setter = assignments.find(
      (one) => !isHarmlessAssignment(one) && !(isGit && isGitHarmlessAssignment(one)),
    );
    const spellings = new Spellings();
    spellings.add('written', text);
    const chain = this.unwrapped(command, where, context, spellings);
    const { levels, needsAllow, sets } = chain;
    for (const level of levels)
      for (const one of this.texts.dequoted(level))
        spellings.add(level === words ? 'dequoted' : 'unwrapped', one);
    const leaf = levels.at(-1) ?? words;
    // In what was only guessed to be a wrapper's command there may be one.
    this.runsUnknown ||=
      needsAllow && !chain.isFilled && this.unseen.readsUnknownText(command, innermost(leaf), before);
    this.spellBraces(command, where, context, spellings);
    for (const one of this.texts.expanded(leaf)) spellings.add('unwrapped', one);
    if (leaf.some(({ value }) => value === null)) spellings.add('unwrapped', withoutUnknown(leaf));
    const why = [
      setter === undefined && sets.every(isHarmlessSet) ? '' : NOT_ALLOWABLE.assignment,
      leaf[0]?.value ? '' : NOT_ALLOWABLE.noProgram,
      /^[\x20-\x7e]*$/.test(leaf[0]?.value ?? '') ? '' : NOT_ALLOWABLE.hidden,
      chain.isSure && context.isSure ? '' : NOT_ALLOWABLE.wrapper,
      chain.moves ? NOT_ALLOWABLE.moves : '',
      readsUnknown ? NOT_ALLOWABLE.reads : '',
      writes.every(({ target }) => target !== null) ? '' : NOT_ALLOWABLE.redirect,
    ].find((one) => one !== '');
    const plain = chain.prefix === '' && !chain.isFilled && levels.length > 0;
    const inside: Span = [from, this.segments.length];
    const reading = needsAllow ? null : this.pushReading(command, where);
    if (reading !== null) reading.readers = inside;
    this.segments.push({
      text,
      spellings: spellings.list,
      allowed: `${chain.prefix}${canonical(leaf)}${chain.isFilled ? ' $@' : ''}`,
      why: why ?? '',
      needsAllow,
      command: plain ? withWords(command, leaf) : null,
      writes: writesOf(writes, where),
      files: filesOf(command),
      where: chain.moves ? { dirs: null, above: false } : where,
    });
    return null;
  }

  /** What a wrapper runs, and which program is named, may be known only by what braces stand for: `{env,rm} x`, `/bin/{rm,x}`. */
  private spellBraces(command: SimpleCommand, where: Where, context: Context, spellings: Spellings): void {
    const words = withoutBraces(command.words);
    if (words === command.words) return;
    const { levels } = this.unwrapped(
      withWords(command, words),
      where,
      { ...context, isSure: false },
      spellings,
    );
    for (const level of levels)
      for (const one of [...this.texts.dequoted(level), ...this.texts.expanded(level)])
        spellings.add('unwrapped', one);
  }

  /** Assignments and redirections alone, the list of `for`, the subject of `case`. */
  private pushBare(command: SimpleCommand, text: string, where: Where): Segment | null {
    const { writes, readsUnknown } = redirectsOf(command, this.home);
    if (!command.assignments.every(isHarmlessAssignment)) this.bar(NOT_ALLOWABLE.assignment);
    if (!writes.every(({ target }) => target !== null)) this.bar(NOT_ALLOWABLE.redirect);
    const reading = this.pushReading(command, where);
    if (text === '' && writes.length === 0 && !readsUnknown) return reading;
    this.segments.push({
      text,
      spellings: [['written', text]],
      allowed: '',
      why: readsUnknown ? NOT_ALLOWABLE.reads : '',
      needsAllow: false,
      command: null,
      writes: writesOf(writes, where),
      files: filesOf(command),
      where,
    });
    return reading;
  }

  /** `$(< f)`, `{ cat; } < f` and `sh -c cat < f` read a file as `cat < f` does, which has to be allowed too. */
  private pushReading(command: SimpleCommand, where: Where): Segment | null {
    const redirects = command.redirects.filter((one) => readsFile(one, this.home));
    if (redirects.length === 0) return null;
    const { piped, chained } = command;
    const text = redirects.map(({ target }) => `< ${target?.source ?? ''}`).join(' ');
    const reading: Segment = {
      text,
      spellings: [['written', text]],
      allowed: READER,
      why: '',
      needsAllow: true,
      command: { words: [literalWord(READER)], assignments: [], redirects, loose: [], piped, chained },
      writes: [],
      files: filesOf(command),
      where,
    };
    this.segments.push(reading);
    return reading;
  }

  /** Follows wrappers that run their words; what others run becomes segments of its own. */
  private unwrapped(command: SimpleCommand, where: Where, context: Context, spellings: Spellings): Chain {
    const chain: Chain = {
      levels: [command.words],
      prefix: context.prefix,
      needsAllow: true,
      isFilled: context.isFilled,
      isSure: true,
      moves: false,
      sets: [],
    };
    let words: readonly Word[] = command.words;
    for (let i = 0; ; i++) {
      const found = unwrap(words);
      if (found === null) return chain;
      if (i >= MAX_WRAPPERS) return { ...chain, isSure: false };
      chain.sets.push(...found.sets);
      chain.moves ||= found.moves;
      if (!found.sure && !found.also) chain.isSure = false;
      const prefix = found.privileged ? `${chain.prefix}${nameOfProgram(words[0])} ` : chain.prefix;
      const [only] = found.inner;
      if (only?.kind === 'words' && found.inner.length === 1 && !found.also) {
        chain.prefix = prefix;
        chain.isFilled ||= found.fills;
        chain.levels.push(only.words);
        words = only.words;
        continue;
      }
      const inside = {
        cwd: chain.moves || where.dirs?.length !== 1 ? '' : (where.dirs[0] ?? ''),
        prefix,
        depth: context.depth + 1,
        isFilled: chain.isFilled || found.fills,
        isSure: context.isSure && chain.isSure && found.sure,
      };
      for (const inner of found.inner) this.cutInner(inner, { command, inside, spellings, where });
      chain.needsAllow = found.also || !found.sure || chain.moves;
      return chain;
    }
  }

  private cutInner(
    inner: Inner,
    around: { command: SimpleCommand; inside: Context; spellings: Spellings; where: Where },
  ): void {
    const { command, inside, spellings, where } = around;
    if (inner.kind === 'words') {
      // What is guessed may be no command at all: it is only another spelling.
      if (!inside.isSure) for (const one of this.texts.dequoted(inner.words)) spellings.add('unwrapped', one);
      if (!inside.isSure || inside.depth > MAX_DEPTH) return;
      const { piped, chained } = command;
      const words = [...inner.words];
      const bare = { words, assignments: [], redirects: [], loose: [], piped, chained };
      this.cutCommand(bare, inside.cwd === '' ? { dirs: null, above: false } : where, inside);
      return;
    }
    const known = inner.text.every(({ value }) => value !== null);
    if (!known && inside.isSure) this.bar(NOT_ALLOWABLE.unknownText);
    this.runsUnknown ||= this.unseen.isUnknown(inner.text, inside.isFilled);
    const texts = this.texts.dequoted(inner.text);
    // A wrapper would put words into the text.
    if (inside.isFilled && inside.isSure) this.bar(NOT_ALLOWABLE.unknownText);
    const args = this.texts.dequoted(inner.args ?? [])[0]?.split(' ') ?? [];
    const filled = args.length === 0 ? [] : texts.map((text) => withPositions(text, args));
    for (const text of new Set([...texts, ...filled])) this.cutTextOf(text, { ...inside, isFilled: false });
  }

  /**
   * For a text that the parser does not understand, or too much of it: pieces between the signs that separate commands.
   * @param anywhere also what begins with a later word, as behind the names of shells
   */
  cutRoughly(text: string, anywhere: boolean): void {
    const pieces = new Set(text.split(/\$\(|[\n;&|(){}`]+/));
    for (const piece of pieces) {
      const spellings = roughly(piece, anywhere);
      if (spellings === null) continue;
      this.segments.push({
        text: piece.trim(),
        spellings: spellings.list,
        allowed: '',
        why: NOT_ALLOWABLE.broken,
        needsAllow: true,
        command: null,
        writes: [],
        files: [],
        where: { dirs: null, above: false },
      });
    }
  }
}

interface Chain {
  /** The command's words, then those of each command that a wrapper runs. */
  levels: (readonly Word[])[];
  prefix: string;
  needsAllow: boolean;
  isFilled: boolean;
  isSure: boolean;
  moves: boolean;
  sets: Word[];
}

function withWords(command: SimpleCommand, words: readonly Word[]): SimpleCommand {
  const { assignments, redirects, loose, piped, chained } = command;
  return { words: [...words], assignments, redirects, loose, piped, chained };
}

interface Redirects {
  /** To files, or to what is not understood. */
  writes: Redirect[];
  /** From what may be anything: `< $X`. */
  readsUnknown: boolean;
}

function redirectsOf({ redirects }: SimpleCommand, home: string): Redirects {
  const open = redirects.filter((one) => !isHarmlessRedirect(one) && !readsFile(one, home));
  const reads = ({ operator, assigns }: Redirect) => operator === '<' && !assigns;
  return { writes: open.filter((one) => !reads(one)), readsUnknown: open.some(reads) };
}

function filesOf({ redirects }: SimpleCommand): string[] {
  return redirects.flatMap(({ target }) => (target === null ? [] : [target.source, target.value ?? '']));
}

function writesOf(redirects: readonly Redirect[], where: Where): { target: Word; where: Where }[] {
  return redirects.flatMap(({ target }) => (target === null ? [] : [{ target, where }]));
}
