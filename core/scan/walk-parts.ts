/** What the walk carries from directory to directory, and small questions that it asks. */
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseState } from '../../shared/model/base-record.ts';
import type { Change, ChangeKind } from '../../shared/model/change.ts';
import { readNames } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { Above } from '../overlay/seen.ts';

export const CLOSED =
  'What is below it can not be read: the sandbox took away the permission to look into it. A command in the sandbox can give it back (chmod u+rx).';

export const NEW: BaseState = { state: 'none' };

/** A directory of both sides that lacks names of the host: touched, or made again? */
export interface Question {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  host: Stat;
  missing: string[];
  above: Above;
}

export interface Frame {
  path: BytePath;
  upperPath: BytePath;
  /** The host has a directory here: names below may exist there. */
  onHost: boolean;
  /** The sandbox knew a directory here that the host has removed since. */
  parentGone: boolean;
  /** The sandbox made the directory: nothing below has a base of its own. */
  fresh: boolean;
  ignored: string | null;
  above: Above;
}

export type Steps = Generator<Change | null, void>;

/** A child of a frame's directory. */
export interface Child {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  host: Stat | null;
  base: BaseState;
}

/** A host entry that the merged view has not. */
export interface Gone {
  path: BytePath;
  host: Stat;
  base: BaseState;
}

/** Such a directory hides nothing, and its owner may list it (mode 0444). */
export function isNewAndEmpty({ host, upper, upperPath }: Child): boolean {
  return host === null && (upper.mode & 0o400) !== 0 && readNames(upperPath).length === 0;
}

export function closedKind(host: Stat | null): ChangeKind {
  if (host === null) return 'added';
  return host.type === 'dir' ? 'meta' : 'replaced';
}
