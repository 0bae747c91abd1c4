/** What an order is about, in a few words. */
import { nameOf, toDisplay } from '../../shared/bytes.ts';
import type { Scope } from '../../shared/model/commit.ts';

export function scopeText(scope: Scope): string {
  if (scope.kind === 'all') return 'everything';
  if (scope.kind === 'call') return 'what one call wrote';
  if (scope.kind === 'up-to') return 'what this and earlier calls wrote';
  const [only, ...more] = scope.paths;
  return only !== undefined && more.length === 0 ? toDisplay(nameOf(only)) : 'the selection';
}
