import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSessionMeta, parseMeta, type SessionMeta } from './meta-file.ts';

const meta: SessionMeta = {
  v: 1,
  id: 's1',
  claude: [{ id: 'c', source: 'startup', pid: 5, pidStart: '77', at: '2026-01-01T00:00:00.000Z' }],
  projectRoot: '/p\xe9',
  cwd: '/p',
  projectId: '0123456789abcdef',
  createdAt: '2026-01-01T00:00:00.000Z',
  configFile: null,
  configProblems: [],
  off: null,
  caught: null,
  logVersion: 1,
};

describe('meta.json', () => {
  it('is read back as it was written', () => {
    expect(parseMeta(JSON.stringify(meta))).toEqual({ meta });
  });

  it('may say what it adopted, and where it went on', () => {
    const moved = { ...meta, adopted: ['s0'], wentOnIn: 's2' };
    expect(parseMeta(JSON.stringify(moved))).toEqual({ meta: moved });
  });

  it('may hold fields of a later version', () => {
    expect(isSessionMeta({ ...meta, later: true })).toBe(true);
  });

  it('is refused without any one of its fields, and the message names it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(meta)), (name) => {
        const { [name]: _, ...rest } = meta as unknown as Record<string, unknown>;
        expect(parseMeta(JSON.stringify(rest))).toEqual({ problem: `missing or wrong: ${name}` });
      }),
    );
  });

  it.each<[string, object]>([
    ['an id that leaves the directory', { id: '../x' }],
    ['a path that is no byte string', { cwd: '/\u2603' }],
    ['another version', { v: 2 }],
    ['an unknown source', { claude: [{ ...meta.claude[0], source: 'other' }] }],
    ['a project id that is none', { projectId: 'xyz' }],
    ['a pid that is none', { claude: [{ ...meta.claude[0], pid: -1 }] }],
    ['no time', { createdAt: 'yesterday' }],
    ['an adopted session that is none', { adopted: ['../x'] }],
    ['another one that it went on in, which is none', { wentOnIn: '' }],
  ])('is refused with %s', (_name, change) => {
    expect(isSessionMeta({ ...meta, ...change })).toBe(false);
  });

  it('any other text is a problem, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseMeta(text)).toHaveProperty('problem');
      }),
    );
  });
});
