import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { errorText, holdsOutOfReach, hostEntry, readNames } from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { OUT_OF_REACH } from '../kernel/messages/reasons.ts';
import { DIR_CLOSED, dirUnreadable, OTHER_FILE_SYSTEM } from './messages.ts';

export interface HostNode {
  path: BytePath;
  entry: Stat;
}

export interface Problem {
  path: BytePath;
  message: string;
}

export interface HostTreeLook {
  skip(path: BytePath): boolean;
  onProblem(problem: Problem): void;
}

/**
 * Parents first; null is a chance to pause. Follows no link and stays on one file system, as a lower does.
 */
export function* hostTree(dir: BytePath, dev: bigint, look: HostTreeLook): Generator<HostNode | null> {
  const stack: BytePath[] = [dir];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    yield null;
    let names: string[];
    try {
      names = readNames(at);
      if (holdsOutOfReach(at)) look.onProblem({ path: at, message: OUT_OF_REACH });
    } catch (error) {
      look.onProblem({ path: at, message: dirUnreadable(errorText(error)) });
      continue;
    }
    for (const name of names) {
      const path = joinPath(at, name);
      if (look.skip(path)) continue;
      const entry = hostEntry(path);
      if (entry === null) continue;
      if (entry === 'closed') {
        // Readable but not searchable: its other entries are inaccessible as well.
        look.onProblem({ path: at, message: DIR_CLOSED });
        break;
      }
      if (entry.type === 'dir' && entry.dev !== dev) {
        look.onProblem({ path, message: OTHER_FILE_SYSTEM });
        continue;
      }
      yield { path, entry };
      if (entry.type === 'dir') stack.push(path);
    }
  }
}
