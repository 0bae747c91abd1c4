/** Why a directory is not covered as a whole; they stand behind its path. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';

export const SCRATCH = 'scratch directory: sockets and short-lived files stay the host’s';
export const PROJECT_IS_SCRATCH =
  'the project is a scratch directory itself: what calls write in it is written directly';
export const OWN_STATE = 'trai’s own state';
export const MOUNTED_FILE = 'a file that is mounted by itself';
export const mayNotAnswer = (type: string): string => `${type} file system, which may not answer`;
export const noLower = (type: string): string => `a ${type} file system can't be covered by an overlay`;

/** @param others directories of others that are read-only with it */
export const inParts = (why: string, others: number): string =>
  `${why}; its other directories are covered${others === 0 ? '' : `, but for ${others} of others, which are read-only with it`}`;
export const othersAbove = (own: BytePath | null): string =>
  `directories of other owners lead to ${own === null ? 'what is yours' : toDisplay(own)}`;
export const mountBelow = (point: BytePath): string => `the mount ${toDisplay(point)} is below it`;
export const hostsBelow = (path: BytePath): string =>
  `${toDisplay(path)}, which stays the host’s, is below it`;
