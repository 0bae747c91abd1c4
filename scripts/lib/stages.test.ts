import { expect, test } from 'vitest';
import { isKernelTest } from './stages.ts';

test.each([
  ['core/scan/matrix.test.ts', true],
  ['hooks/launcher/launch.test.ts', true],
  ['core/decide/decide.test.ts', false],
  ['core/commit/messages/messages.test.ts', false],
  ['server/http/api.test.ts', false],
])('whether %s is run as root, too', (file, is) => {
  expect(isKernelTest(file)).toBe(is);
});
