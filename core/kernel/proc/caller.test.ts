import { describe, expect, it } from 'vitest';
import { type ClientSigns, callerFrom, type Lineage, type ProcessSigns } from './caller.ts';

const one = (pid: number, more: Partial<ProcessSigns> = {}): ProcessSigns => ({
  pid,
  parent: 1,
  sid: pid,
  began: 200,
  name: 'curl',
  cgroup: 'a',
  isClient: false,
  isRegistered: false,
  isMarked: false,
  isCall: false,
  ...more,
});
const client: ClientSigns = { pid: 7, began: 100, cgroup: 'a' };
const kind = (lineage: Partial<Lineage>, clients = [client]) =>
  callerFrom({ chain: [one(9)], adopter: null, isHere: true, ...lineage }, clients).kind;

describe('callerFrom', () => {
  it('takes what can’t be seen for nobody', () => {
    expect(kind({ chain: [] })).toBe('unknown');
  });

  it('believes the namespace before anything else', () => {
    expect(kind({ isHere: false, chain: [one(9), one(7, { isRegistered: true })] })).toBe('elsewhere');
  });

  it('finds a call wherever it is above, also below a client below it', () => {
    expect(kind({ chain: [one(9), one(8, { isRegistered: true }), one(6, { isCall: true })] })).toBe('call');
    expect(kind({ chain: [one(9, { isCall: true })] })).toBe('call');
  });

  const adopter = { sid: 1 };
  it('does not believe an orphan that is younger than a client beside it', () => {
    expect(kind({ adopter })).toBe('unknown');
    expect(kind({ adopter, chain: [one(9), one(8, { isClient: true })] })).toBe('unknown');
    expect(kind({ adopter, chain: [one(9, { isMarked: true })] })).toBe('unknown');
  });

  it.each([
    ['is older than any client', { chain: [one(9), one(8, { began: 100 })] }, 'user'],
    ['was started by a service manager', { chain: [one(9, { cgroup: 'b' })] }, 'user'],
    ['is its adopter’s own child', { chain: [one(9, { sid: 1 })] }, 'user'],
    ['is a client itself', { chain: [one(9), one(8, { isRegistered: true })] }, 'client'],
  ])('believes one that %s', (_, lineage, expected) => {
    expect(kind({ adopter, ...lineage })).toBe(expected);
  });

  it('believes any where no client is registered', () => {
    expect(kind({ adopter }, [])).toBe('user');
  });

  it('tells what is below a client from what the user started', () => {
    expect(kind({})).toBe('user');
    expect(kind({ chain: [one(9), one(8, { isClient: true })] })).toBe('client');
    expect(kind({ chain: [one(9, { isMarked: true })] })).toBe('client');
    expect(kind({ chain: [one(9, { isClient: true })] })).toBe('user');
  });
});
