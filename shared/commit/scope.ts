/** Which changes an order is about. Pure. */
import type { BytePath } from '../bytes.ts';
import { TraiError } from '../errors.ts';
import type { Scope } from './types.ts';

/** The paths that a scope means, each with all below it; undefined = everything. */
export function pathsOf(scope: Scope): readonly BytePath[] | undefined {
  if (scope.kind === 'all') return undefined;
  if (scope.kind === 'paths') return scope.paths;
  throw new TraiError('unsupported', 'the changes of one call can not be committed alone yet');
}
