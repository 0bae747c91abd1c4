/** Paths that decide what the user's rule file says: an `auto` rule that commits one of them would let a call write rules. */
import { type BytePath, fromText, isWithin } from '../../../shared/bytes.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { resolvePath } from '../../scan/lookup/resolve.ts';

export interface RulePaths {
  /** Names on the way to the directory, links and their targets included. */
  through: ReadonlySet<BytePath>;
  /** Without links, as far as it exists; null where it cannot be reached, and so has no rules. */
  real: BytePath | null;
}

export function rulePathsOf(configDir: string): RulePaths {
  const through = new Set<BytePath>();
  const real = orNull(() => resolvePath(null, fromText(configDir), (path) => through.add(path)));
  return { through, real };
}

export function decidesRules(path: BytePath, { through, real }: RulePaths): boolean {
  return through.has(path) || (real !== null && isWithin(path, real));
}
