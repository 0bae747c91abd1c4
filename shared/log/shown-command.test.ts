import { expect, test } from 'vitest';
import { shownCommand } from './calls.ts';

const OWN = '"/home/kim/.claude/plugins/cache/trai/0.1.0/bin/trai" commit --from-prompt';

test.each([
  [OWN, 'own-program', '/trai:commit'],
  ['/opt/trai/bin/trai undo --from-prompt\n', 'own-program', '/trai:undo'],
  // A refused call, or any other command, keeps its own text.
  [OWN, 'own-program-by-model', OWN],
  [OWN, 'default', OWN],
  [`${OWN} && rm -rf x`, 'own-program', `${OWN} && rm -rf x`],
  ['/opt/trai/bin/trai status', 'own-program', '/opt/trai/bin/trai status'],
  ['make', null, 'make'],
] as const)('%j, %s, is listed as %j', (command, reason, shown) =>
  expect(shownCommand({ command, reason })).toBe(shown),
);
