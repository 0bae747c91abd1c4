import { expect, test } from 'vitest';
import { statedVersions } from '../lib/manifests.ts';

test('all manifests state the same version', () => {
  const stated = statedVersions();
  const expected = stated[0]?.version;
  expect(expected).toMatch(/^\d+\.\d+\.\d+$/);
  expect(stated.filter(({ version }) => version !== expected)).toEqual([]);
});
