/** Boxes: what one sees, where it writes, and what boxes of all projects keep. */
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxHost, BoxHow } from '../../shared/model/box.ts';
import { bytes, plural } from '../text/format.ts';

const boxes = (count: number): string => plural(count, 'box', 'boxes');

export const NO_BOX_TITLE = 'Not in a box';
export const WHAT_A_BOX_IS =
  'A box is Claude Code as trai box starts it: of this machine it sees only what it was given.';
export const noBoxText = (everBoxed: boolean): string =>
  everBoxed
    ? 'An earlier client of this session ran in one; the newest was started without.'
    : 'This session never ran in one.';

/** The groups of rows, by how what is there can be written. `own`: `/proc` and `/dev`. */
export const HOW_WORDS: Readonly<
  Record<Exclude<BoxHow, 'proc' | 'dev'> | 'own', [title: string, about: string]>
> = {
  host: [
    'Writes your machine',
    'What the box writes here is yours at once. Nothing of it waits for your review.',
  ],
  pending: ['Pending', 'What the box writes here waits for you, as all changes of this session.'],
  instance: [
    'Kept',
    'What the box writes here stays for the next box of this project, and is no change to review.',
  ],
  ro: ['Read-only', 'The box sees what is here, and cannot write it.'],
  tmpfs: ['Temporary', 'It begins empty, and ends with the box.'],
  empty: ['Hidden', 'The box finds nothing here.'],
  own: ['Its own', 'The box’s own processes and devices.'],
};

/** @param running whether it still can */
export const writesPlaces = (count: number, running: boolean): string => {
  const can = `The box ${running ? 'can' : 'could'} write`;
  return count === 0
    ? `${can} none of your files at once.`
    : `${can} ${plural(count, 'place')} of this machine at once:`;
};

export const WRITE_WORDS: Readonly<Record<BoxOptions['write'], string>> = {
  'pending': 'what is written there is pending',
  'direct': 'what is written there is yours at once (--write direct)',
  'read-only': 'for reading only (--write read-only)',
};

export const NET_WORDS: Readonly<Record<BoxOptions['net'], [word: string, about: string]>> = {
  open: [
    'open',
    'The network of this machine, whole: what the box sees it can send anywhere. Nothing is recorded.',
  ],
  list: [
    'list',
    'Only the hosts that you listed (box.network in config.json), through trai, and what you allow when asked.',
  ],
  off: ['off', 'The box has no network.'],
};

export const HOST_WORDS: Readonly<Record<BoxHost['state'], string>> = {
  allowed: 'allowed',
  refused: 'refused',
  asked: 'asked',
};
export const NO_HOSTS = 'The box has connected to nothing yet.';

export const VARIABLES_ABOUT = 'The names of all that it got. Their values are not recorded.';
export const commitInsideText = (inside: boolean): string =>
  inside ? 'commit, undo and passthrough work (--commit-inside)' : 'commit and undo do not work';
export const END_EFFECT = 'The box ends with them. What it wrote stays where it is.';
export const INSTANCE_GONE = 'what it kept is gone';

export const BOXES_ABOUT =
  'What boxes of a project keep for the next one: conversations, prompt history, downloads.';
export const NO_BOXES = 'No boxes yet';
export const NO_BOXES_HINT = 'trai box starts Claude Code so that it sees only what you give it.';
export const PROJECT_GONE = 'project is gone';

export const COLLECT_ABOUT =
  'Boxes whose project is gone. They go to the trash; the line that brings one back is shown then.';
export const NOTHING_TO_COLLECT = 'Nothing: every box belongs to a project that is there.';
export const nothingSure = (left: number): string =>
  `Nothing. Of ${boxes(left)} it is not certain that the project is gone: the list says why.`;
export const moveText = (count: number, size: number): string =>
  `Move ${boxes(count)} to the trash, ${bytes(size)}`;
export const movedText = (count: number, size: number): string =>
  `Moved ${boxes(count)} to the trash, ${bytes(size)}. trai gc removes them for good later.`;
export const keptText = (id: string, why: string): string => `Box ${id} stays: ${why}`;
export const countText = (count: number): string => boxes(count);
