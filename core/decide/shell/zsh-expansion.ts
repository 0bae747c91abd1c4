/**
 * Where zsh expands more of a word than bash does. A subscript (`$x[…]`) and the number of `$x:F:…:` are calculated, and what is
 * calculated can run code, also by way of a variable's value: `x='path[$(cmd)]'; echo "$y:F:x:h"`.
 */
import type { Piece } from './facts.ts';

/** True when zsh may take what follows `$NAME` for a part of the expansion. */
export function zshGoesOn(name: string, next: Piece | undefined): boolean {
  if (next === undefined) return false;
  // `$#name` is a length, with a subscript of its own.
  if (name === '#') return !('text' in next) || !/^[\s.,;:)/]/.test(next.text);
  if (!('text' in next)) return false;
  if (/^\d$/.test(name) && /^\d/.test(next.text)) return true;
  // Letters beyond ASCII belong to a name in zsh.
  if (/^(\[|[^\0-\x7f])/.test(next.text)) return true;
  return next.text.startsWith(':') && /:[a-z&]*[FW]/.test(next.text);
}

/** True when a `$` of text inside double quotes, which is literal in bash, may begin an expansion of zsh: `"$+x[…]"`, `"$é"`. */
export function zshExpands(source: string): boolean {
  return /\$(?![\s|)/.,;:%\]}<>&'"]|$)/.test(source.replace(/\\[\s\S]/g, ' '));
}
