import type { Rule } from './rule.ts';

/** When it counts, if not always: `mode plan`, `until 2027-01-01`. */
export function ruleLimits({ modes, until }: Rule): string[] {
  return [
    ...(modes === undefined
      ? []
      : [`${modes.length === 1 ? 'mode' : 'modes'} ${modes.join(', ') || 'none'}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
}
