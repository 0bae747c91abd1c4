/** What `trai box` prints, and what the agent is told of its box: all of it from the rows of the table, in their order. */
import { type BytePath, fromText, isWithin, nameOf, parentOf, toDisplay } from '../bytes.ts';
import type { BoxOptions } from '../config/box.ts';
import { sizeText } from '../format.ts';
import type { BoxHow, BoxRecord, BoxRow, InstanceGc, SizedInstance, TakenInstance } from '../model/box.ts';
import { countText, minuteText, type Style } from './text.ts';

/** How a row can be written, as the user reads it. */
export const HOW_TEXTS: Readonly<Record<BoxHow, string>> = {
  ro: 'read-only',
  host: 'WRITES YOUR FILES',
  pending: 'pending',
  instance: 'kept',
  empty: 'empty',
  tmpfs: 'temporary',
  proc: 'its own',
  dev: 'its own',
};

const NETWORK: Readonly<Record<BoxOptions['net'], string>> = {
  open: 'this machine’s, whole: what the box sees it can send anywhere (--net off cuts it off)',
  list: 'only the hosts of box.network in config.json, by a proxy; you are asked about others (names, ports and bytes are on the record). A program that ignores HTTPS_PROXY and the like has no network',
  off: 'none: Claude Code cannot reach its service from there, nor trai’s hooks the server',
};

export interface BoxView {
  rows: readonly BoxRow[];
  /** Names. */
  variables: readonly string[];
  net: BoxOptions['net'];
  /** With `list`: `box.network` of config.json. */
  hosts?: { allow: readonly string[]; deny: readonly string[] };
}

/** Rows of one kind and reason, where the first of them is; what writes the user's files is alone. */
function kindsOf(rows: readonly BoxRow[]): BoxRow[][] {
  const kinds = new Map<string, BoxRow[]>();
  for (const row of rows) {
    const key = row.how === 'host' ? row.to : `${row.how}\0${row.why}`;
    kinds.set(key, [...(kinds.get(key) ?? []), row]);
  }
  return [...kinds.values()];
}

const inHome = (path: BytePath, home: BytePath): string =>
  toDisplay(path !== home && isWithin(path, home) ? (`~${path.slice(home.length)}` as BytePath) : path);

/** Where a row is from is shown unless that is a directory of trai's own. */
function isAsNamed({ from, to, how }: BoxRow): boolean {
  return from === null || from === to || how === 'instance' || how === 'empty';
}

/** Their paths: three or more of a directory as `DIRECTORY/{NAME, NAME, NAME}`. */
function pathTexts(rows: readonly BoxRow[], home: BytePath): string[] {
  const dirs = new Map<BytePath, BoxRow[]>();
  for (const row of rows) {
    const dir = row.to === '/' || !isAsNamed(row) ? row.to : parentOf(row.to);
    dirs.set(dir, [...(dirs.get(dir) ?? []), row]);
  }
  return [...dirs].flatMap(([dir, own]) => {
    if (own.length < 3)
      return own.map((row) =>
        [inHome(row.to, home), ...(isAsNamed(row) ? [] : [inHome(row.from ?? row.to, home)])].join(' <- '),
      );
    const names = own.map(({ to }) => toDisplay(nameOf(to)));
    const shown = dir === '/' ? '' : dir === home ? '~' : inHome(dir, home);
    return [`${shown}/{${names[0]}`, ...names.slice(1, -1), `${names.at(-1)}}`];
  });
}

const SCREEN_COLUMNS = 100;

/** The words in lines of at most that many columns, with `head` before the first; a longer word has its own. */
function wrapped(head: string, words: readonly string[]): string[] {
  const room = SCREEN_COLUMNS - head.length;
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > room) lines.push(word.trimStart());
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line);
}

/** What may be reached. */
function hostLines({ hosts }: BoxView): string[] {
  if (hosts === undefined) return [];
  const { allow, deny } = hosts;
  return [
    ...wrapped('  allow    ', allow.length === 0 ? ['nothing'] : allow),
    ...wrapped('  deny     ', deny),
  ];
}

function kindLines(rows: readonly BoxRow[], { home, style }: Screen): string[] {
  const [{ how, why }] = rows as [BoxRow];
  const paths = pathTexts(rows, home).map((text, i, { length }) => (i === length - 1 ? text : `${text},`));
  const lines = wrapped(`  ${HOW_TEXTS[how].padEnd(HOW_WIDTH)}  `, [
    ...paths,
    ...` (${why})`.split(/(?<=\S) /),
  ]);
  return how === 'host' ? lines.map(style.yellow) : lines;
}

const HOW_WIDTH = Math.max(...Object.values(HOW_TEXTS).map((text) => text.length));

interface Screen {
  home: BytePath;
  /** What has no effect. */
  remarks: readonly string[];
  style: Style;
}

/** The audit screen, before anything is started: every row, those of one kind together. */
export function auditText(view: BoxView, screen: Screen): string {
  const { rows, variables, net } = view;
  const { remarks, style } = screen;
  const bold = (line: string) => line.replace(/^\w+:/, style.bold);
  return [
    style.bold('The box will see:'),
    ...kindsOf(rows).flatMap((kind) => kindLines(kind, screen)),
    ...wrapped('Network:   ', NETWORK[net].split(' ')).map(bold),
    ...hostLines(view),
    ...wrapped('Variables: ', variables).map(bold),
    ...remarks.map((one) => style.yellow(one)),
  ].join('\n');
}

export const AUDIT_QUESTION = 'Start it? [Y/n] ';
export const AUDIT_CANCELLED = 'Cancelled. Nothing was started.';

export interface DryRun {
  program: string;
  /** Words of each row, as the arguments have them, with the row. */
  rows: readonly { words: readonly string[]; row: BoxRow }[];
  fixed: readonly (readonly string[])[];
  command: readonly string[];
  variables: readonly string[];
}

/** bash: an array with a row a line and its reason behind it, and the command that takes it. */
export function dryRunText({ program, rows, fixed, command, variables }: DryRun): string {
  const line = (words: readonly string[]) => words.map(shellWord).join(' ');
  const width = Math.min(72, Math.max(...rows.map(({ words }) => line(words).length)));
  return [
    '# Inside the session’s namespace (trai exec has the same view, without the instance):',
    'box=(',
    ...rows.map(({ words, row }) => `  ${line(words).padEnd(width)}  # ${HOW_TEXTS[row.how]}: ${row.why}`),
    ...fixed.map((words) => `  ${line(words)}`),
    ')',
    `# With these variables only: ${variables.join(' ')}`,
    `${shellWord(program)} "\${box[@]}" -- ${line(command)}`,
  ].join('\n');
}

/** A word for bash; bytes that are no plain ASCII as `$'\xNN'`. @param word a byte string */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
  if (/^[\x20-\x7e]*$/.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(
    /[^\x20-\x26\x28-\x5b\x5d-\x7e]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped}'`;
}

const TOLD: Readonly<Record<BoxOptions['net'], string>> = {
  open: 'open',
  list: 'by the proxy of HTTPS_PROXY and ALL_PROXY only, to hosts that the user allows; about another one the user is asked, which takes up to 30 seconds. Names cannot be resolved here',
  off: 'none',
};

/** For the agent, at the start of its conversation. */
export function boxContext({ rows, net, variables }: Pick<BoxRecord, 'rows' | 'net' | 'variables'>): string {
  const lines = rows.map(({ to, how }) => `${toDisplay(to)} (${HOW_TEXTS[how].toLowerCase()})`);
  return [
    'You run in a box: of this machine only the following is there. "pending" waits for the user; "kept" stays for the next box of this project; "temporary" ends with the box.',
    lines.join(', '),
    `Network: ${TOLD[net]}. Variables: ${variables.join(' ')}.`,
    'What is missing cannot be had from inside: ask the user, who can start the box with --allow PATH or --env NAME.',
  ].join('\n');
}

export interface InstanceLine extends Pick<SizedInstance, 'id' | 'root' | 'bytes' | 'lastUse' | 'running'> {
  /** Why gc would leave it, or that its project is gone; empty for one in use. */
  note: string;
}

export function instancesText(instances: readonly InstanceLine[], style: Style): string {
  if (instances.length === 0) return 'No boxes yet.';
  return instances
    .map(({ id, root, bytes, lastUse, running, note }) => {
      const used = lastUse === '' ? '' : `${minuteText(lastUse)}  `;
      const state = running ? style.green('running') : 'not running';
      const more = note === '' ? '' : `\n    ${style.yellow(note)}`;
      return `${style.bold(id)}  ${root === null ? '?' : toDisplay(root)}\n    ${used}${sizeText(bytes)}  ${state}${more}`;
    })
    .join('\n');
}

export const PROJECT_IS_GONE = 'its project is gone; removed by: trai box --gc';

/** For a shell; refuses where there is a new one by now. @param dir where instances lie */
export function undoLine({ id, at }: Pick<TakenInstance, 'id' | 'at'>, dir: string): string {
  return `mv -T ${shellWord(fromText(at))} ${shellWord(fromText(`${dir}/${id}`))}`;
}

export function boxGcText({ taken, left, dry, dir }: InstanceGc & { dry: boolean }): string {
  const lines = taken.flatMap((one) => [
    `  ${one.id}  ${toDisplay(one.root)}  ${sizeText(one.bytes)}`,
    ...(dry ? [] : [`    Back with: ${undoLine(one, dir)}`]),
  ]);
  const count = countText(taken.length, 'box', 'boxes');
  const what = dry
    ? `Would move ${count} to the trash, whose project is gone:`
    : `Moved ${count} to the trash, whose project is gone:`;
  return [
    ...(taken.length === 0 ? ['Nothing to move: every box belongs to a project that is there.'] : [what]),
    ...lines,
    ...left.map(({ id, why }) => `Left ${toDisplay(id as BytePath)}: ${why}`),
  ].join('\n');
}

interface BoxGarbageView {
  gone: readonly { id: string; root: BytePath; bytes: number }[];
  old: readonly { id: string; bytes: number }[];
}

/** For `trai gc`, beside what sessions have. */
export function boxGarbageLines({ gone, old }: BoxGarbageView, as: 'found' | 'done'): string[] {
  const [moved, removed] = as === 'done' ? ['Moved', 'Removed'] : [' ', ' '];
  const to = as === 'done' ? ' to the trash' : '';
  return [
    ...gone.map(
      ({ id, root, bytes }) =>
        `${moved} box ${id} of ${toDisplay(root)}${to}, ${sizeText(bytes)}: its project is gone`,
    ),
    ...old.map(({ id, bytes }) => `${removed} box ${id}, ${sizeText(bytes)}: in the trash for long`),
  ];
}
