import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { randomUuid, sha256 } from './crypto.ts';

describe('sha256', () => {
  it('is that of Node, whatever the length', () => {
    for (let length = 0; length < 300; length++) {
      const data = randomBytes(length);
      expect(sha256(data), data.toString('hex')).toBe(createHash('sha256').update(data).digest('hex'));
    }
  });
});

describe('randomUuid', () => {
  it('is a new one of version 4', () => {
    expect(randomUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(randomUuid()).not.toBe(randomUuid());
  });
});
