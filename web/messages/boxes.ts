/** Boxes: what one sees, where it writes, and what boxes of all projects keep. */
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxHost, BoxHow, BoxNetwork } from '../../shared/model/box.ts';
import { bytes, count, plural } from '../text/format.ts';

const boxes = (count: number): string => plural(count, 'box', 'boxes');

export const NO_BOX_TITLE = 'Not in a box';
export const WHAT_A_BOX_IS =
  'A box is Claude Code started with trai box: it sees only the part of this machine that it was given.';
export const noBoxText = (everBoxed: boolean): string =>
  everBoxed
    ? 'An earlier client of this session ran in one; the newest was started without.'
    : 'This session never ran in one.';

export const UNREADABLE_TITLE = 'What this box was given cannot be read';
export const UNREADABLE =
  'box.json of this session is damaged. That changes nothing in the box itself; what runs in it is under Details.';

type Group = Exclude<BoxHow, 'proc' | 'dev'> | 'own';

/** Titles of the groups of rows, by how what is there can be written. `own`: `/proc` and `/dev`. */
export const GROUP_TITLES: Readonly<Record<Group, string>> = {
  host: 'Writes to your machine',
  pending: 'Pending',
  instance: 'Kept',
  ro: 'Read-only',
  tmpfs: 'Temporary',
  empty: 'Hidden',
  own: 'Its own',
};

/** What a group means for the box that runs, and meant for one that has ended. */
const GROUP_TEXTS: Readonly<Record<Group, [runs: string, ended: string]>> = {
  host: [
    'What the box writes here is in your files directly, without your review.',
    'What the box wrote here was in your files directly, without your review.',
  ],
  pending: [
    'What the box writes here waits for you, as all changes of this session.',
    'What the box wrote here waits for you, as all changes of this session.',
  ],
  instance: [
    'What the box writes here stays for the next box of this project, and is no change to review.',
    'What the box wrote here stays for the next box of this project, and is no change to review.',
  ],
  ro: [
    'The box sees what is here, and cannot write it.',
    'The box saw what is here, and could not write it.',
  ],
  tmpfs: ['It begins empty, and ends with the box.', 'It began empty, and ended with the box.'],
  empty: ['The box finds nothing here.', 'The box found nothing here.'],
  own: ['The box’s own processes and devices.', 'The box’s own processes and devices.'],
};

export const groupText = (group: Group, running: boolean): string => GROUP_TEXTS[group][running ? 0 : 1];

export const seenTitle = (running: boolean): string => (running ? 'What it sees' : 'What it saw');

/** @param running whether it still can */
export const writesPlaces = (count: number, running: boolean): string => {
  const can = `The box ${running ? 'can' : 'could'} write`;
  return count === 0
    ? `${can} none of your files directly.`
    : `${can} ${plural(count, 'place')} of this machine directly:`;
};

export const writeText = (write: BoxOptions['write'], running: boolean): string => {
  const is = running ? 'is' : 'was';
  if (write === 'direct') return `what ${is} written there ${is} in your files directly (--write direct)`;
  return write === 'read-only'
    ? 'for reading only (--write read-only)'
    : `what ${is} written there is pending`;
};

export const NET_WORDS: Readonly<Record<BoxOptions['net'], string>> = {
  open: 'open',
  list: 'only listed hosts',
  off: 'off',
};

export function netText(net: BoxOptions['net'], running: boolean): string {
  if (net === 'off') return `The box ${running ? 'has' : 'had'} no network.`;
  if (net === 'list')
    return 'Only the hosts that you listed (box.network in config.json), through trai, and what you allow when asked.';
  const sends = running ? 'can send what it sees' : 'could send what it saw';
  return `The whole network of this machine: the box ${sends} anywhere. Nothing is recorded.`;
}

const MOST_ENTRIES = 12;

/** As `box.network` is now, whatever it was when the box ran. */
export function listedText({ allow, deny }: BoxNetwork): string {
  const named = allow.slice(0, MOST_ENTRIES).map(({ entry, hosts }) => {
    return entry.startsWith('preset:') ? `${entry} (${plural(hosts, 'host')})` : entry;
  });
  const more = allow.length - named.length;
  const all = allow.reduce((sum, { hosts }) => sum + hosts, 0);
  const list = more > 0 ? [...named, `${more} more`] : named;
  const listed = all === 0 ? 'none listed now' : `${count(all)} listed now: ${list.join(', ')}`;
  return deny.length === 0 ? listed : `${listed}; ${count(deny.length)} always refused`;
}

export const HOST_WORDS: Readonly<Record<BoxHost['state'], string>> = {
  allowed: 'allowed',
  refused: 'refused',
  asked: 'asked',
};
export const noHosts = (running: boolean): string =>
  running ? 'The box has connected to nothing yet.' : 'The box connected to nothing.';

export const VARIABLES_ABOUT = 'The names of all that it got. Their values are not recorded.';
export const commitInsideText = (inside: boolean): string =>
  inside ? 'commit and undo work (--commit-inside)' : 'commit and undo do not work';
export const END_EFFECT = 'The box ends with them. What it wrote stays where it is.';
export const INSTANCE_GONE = 'what it kept is gone';

export const BOXES_ABOUT =
  'What boxes of a project keep for the next one: conversations, prompt history, downloads.';
export const NO_BOXES = 'No boxes yet';
export const NO_BOXES_HINT = '`trai box` starts Claude Code so that it sees only what you give it.';
export const PROJECT_GONE = 'project is gone';

export const COLLECT_ABOUT =
  'Boxes whose project is gone. They go to the trash, and the command that brings one back is shown.';
export const NOTHING_TO_COLLECT = 'Nothing: the project of every box is there.';
export const nothingSure = (left: number): string =>
  `Nothing. Of ${boxes(left)} it is not certain that the project is gone: the list says why.`;
export const moveText = (count: number, size: number): string =>
  `Move ${boxes(count)} to the trash, ${bytes(size)}`;
export const movedText = (count: number, size: number): string =>
  `Moved ${boxes(count)} to the trash, ${bytes(size)}. trai gc removes them for good later.`;
export const keptText = (id: string, why: string): string => `Box ${id} stays: ${why}`;
export const countText = (count: number): string => boxes(count);
