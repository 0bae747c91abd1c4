/** Paths that decide what the user's rule file says: an `auto` rule that commits one of them would let a call write rules. */

import { readlinkSync } from 'node:fs';
import { type BytePath, fromText, isWithin, joinPath, parentOf } from '../../../shared/bytes.ts';
import { lstatOrNone } from '../../kernel/fs/entry.ts';
import { fsPath, orNull } from '../../kernel/fs/port.ts';

/** As for the kernel (path_resolution(7)). */
const MAX_LINKS = 40;

export interface RulePaths {
  /** Names on the way to the directory, links and their targets included. */
  through: ReadonlySet<BytePath>;
  /** Without links, as far as it exists. */
  real: BytePath;
}

export function rulePathsOf(configDir: string): RulePaths {
  const through = new Set<BytePath>();
  const todo = namesOf(fromText(configDir));
  let at = '/' as BytePath;
  let links = 0;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '..') {
      at = parentOf(at);
      continue;
    }
    const next = joinPath(at, name);
    through.add(next);
    const target = lstatOrNone(next)?.type === 'symlink' && links < MAX_LINKS ? targetOf(next) : null;
    if (target === null) at = next;
    else {
      links += 1;
      if (target.startsWith('/')) at = '/' as BytePath;
      todo.unshift(...namesOf(target));
    }
  }
  return { through, real: at };
}

export function decidesRules(path: BytePath, { through, real }: RulePaths): boolean {
  return through.has(path) || isWithin(path, real);
}

function targetOf(link: BytePath): BytePath | null {
  return orNull(() => readlinkSync(fsPath(link), 'latin1') as BytePath);
}

function namesOf(path: BytePath): BytePath[] {
  return path.split('/').filter((name) => name !== '' && name !== '.') as BytePath[];
}
