import { expect, test } from 'vitest';
import { shownCommand } from './calls.ts';

const OWN = '"/home/kim/.claude/plugins/cache/trai/0.1.0/bin/trai" commit --from-prompt';

test.each([
  [OWN, 'own-program', '/trai:commit'],
  ['/opt/trai/bin/trai undo --from-prompt\n', 'own-program', '/trai:undo'],
  // Who was not let through has the text that was run, and so has all else.
  [OWN, 'own-program-by-model', OWN],
  [OWN, 'default', OWN],
  [`${OWN} && rm -rf x`, 'own-program', `${OWN} && rm -rf x`],
  ['/opt/trai/bin/trai status', 'own-program', '/opt/trai/bin/trai status'],
  ['make', null, 'make'],
] as const)('%j, %s, is listed as %j', (command, reason, shown) =>
  expect(shownCommand({ command, reason })).toBe(shown),
);
