import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Target, targetOf } from '../../../shared/network/pattern.ts';
import { NetworkLog, readBoxHosts } from './network-log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-network-log-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const at = (host: string, port = 443): Target => targetOf(host, port) ?? expect.fail(host);
const call = async () => 'c1';

it('has hosts with ports, connections, bytes, the first time and the call of that time', async () => {
  const log = new NetworkLog(dir);
  const one = log.connected(at('a.example'), call);
  log.set(one, 'allowed');
  log.count(one, { received: 10, sent: 3 });
  expect(log.connected(at('a.example'), async () => 'c2')).toBe(one);
  log.set(
    log.connected(at('a.example', 22), async () => null),
    'asked',
  );
  log.connected(at('b.example'), async () => await Promise.reject(new Error('gone')));
  await Promise.resolve();
  log.write();
  const first = expect.stringMatching(/^\d{4}-.*Z$/);
  const none = { connections: 1, received: 0, sent: 0, first, call: null };
  expect(readBoxHosts(dir)).toEqual([
    {
      host: 'a.example',
      port: 443,
      state: 'allowed',
      connections: 2,
      received: 10,
      sent: 3,
      first,
      call: 'c1',
    },
    { host: 'a.example', port: 22, state: 'asked', ...none },
    { host: 'b.example', port: 443, state: 'refused', ...none },
  ]);
  expect(statSync(join(dir, 'network.json')).mode & 0o777).toBe(0o600);
});

it('goes on where the last box or server ended; what waited for an answer got none', () => {
  const log = new NetworkLog(dir);
  log.set(log.connected(at('a.example'), call), 'asked');
  log.write();
  const next = new NetworkLog(dir);
  next.connected(at('b.example'), call);
  next.write();
  expect(readBoxHosts(dir).map(({ host, state }) => [host, state])).toEqual([
    ['a.example', 'refused'],
    ['b.example', 'refused'],
  ]);
});

it('is bounded: of ever new hosts the oldest that were refused go first', () => {
  const log = new NetworkLog(dir);
  log.set(log.connected(at('kept.example'), call), 'allowed');
  for (let i = 0; i < 1_500; i++) log.connected(at(`h${i}.example`), call);
  log.write();
  const hosts = readBoxHosts(dir).map(({ host }) => host);
  expect(hosts).toHaveLength(1_000);
  expect([hosts[0], hosts.at(-1)]).toEqual(['kept.example', 'h1499.example']);
});

it('is none where there is none, or where it is another version’s', () => {
  expect(readBoxHosts(dir)).toEqual([]);
  for (const text of ['{', '{"v":2,"hosts":[1]}', '{"v":1}', '[]']) {
    writeFileSync(join(dir, 'network.json'), text);
    expect(readBoxHosts(dir)).toEqual([]);
  }
});
