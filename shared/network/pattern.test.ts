import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './address.ts';
import {
  allows,
  entryFor,
  judgeAddress,
  judgeTarget,
  type Machine,
  networkRules,
  parseEntry,
  type Target,
  targetOf,
  targetText,
} from './pattern.ts';
import { PRESETS } from './presets.ts';

const MACHINE: Machine = {
  addresses: ['127.0.0.1', '10.1.1.1', '5.6.7.8'].flatMap((text) => parseAddress(text) ?? []),
  serverPort: 4000,
};
const at = (host: string, port = 443): Target => {
  const target = targetOf(host, port);
  if (target === null) throw new Error(`expected a target: ${host}`);
  return target;
};
const says = (target: Target, allow: string[], deny: string[] = []): string => {
  const verdict = judgeTarget(target, networkRules(allow, deny), MACHINE);
  return verdict.state === 'refused' ? verdict.kind : verdict.state;
};

describe('an entry of box.network', () => {
  it.each([
    [
      'example.org',
      'example.org:443 example.org:80 EXAMPLE.org.:443',
      'example.org:22 a.example.org:443 xexample.org:443',
    ],
    [
      '*.example.org',
      'a.example.org:443 a.b.example.org:80',
      'example.org:443 aexample.org:443 a.example.org.evil:443',
    ],
    ['example.org:8443', 'example.org:8443', 'example.org:443'],
    ['*.example.org:22', 'a.example.org:22', 'a.example.org:443'],
    ['1.2.3.0/24', '1.2.3.4:443 ::ffff:1.2.3.4:443', '1.2.4.4:443 1.2.3.4:22'],
    ['[2606::/16]:22', '2606::1:22', '2606::1:443 2607::1:22'],
    ['2606::1', '2606::1:443', '2606::2:443'],
    ['preset:npm', 'registry.npmjs.org:443', 'registry.npmjs.org:22 npmjs.org:443'],
  ])('%s names %s and not %s', (entry, yes, no) => {
    const split = (text: string): Target => {
      const [, host = '', port] = /^(.*):(\d+)$/.exec(text) ?? [];
      return at(host, Number(port));
    };
    const names = (text: string): boolean =>
      (parseEntry(entry) ?? []).some((pattern) => allows(pattern, split(text)));
    expect(yes.split(' ').filter((text) => !names(text))).toEqual([]);
    expect(no.split(' ').filter(names)).toEqual([]);
  });

  it.each([
    ...[
      '',
      '*',
      '*.',
      '.',
      'a..b',
      '-a.example',
      'a b',
      'a/b',
      'http://a',
      'user@a',
      'a:0',
      'a:65536',
      'a:x',
      'a:',
    ],
    ...[
      '*.1.2.3.4',
      '0177.0.0.1',
      '2130706433',
      'example.0x1',
      'a*.b',
      '**.b',
      'preset:',
      'preset:x',
      '[a]',
      '[1.2.3.4',
    ],
    ...['10.0.0.1/8', 'preset:toString', 'é.example', `${'a'.repeat(64)}.b`, `${'abcdefgh.'.repeat(29)}x`],
  ])('is not %j', (entry) => {
    expect(parseEntry(entry)).toBeNull();
  });

  it('of an answer names exactly what was asked about', () => {
    const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(
        host,
        fc.integer({ min: 1, max: 65_535 }),
        fc.integer({ min: 1, max: 65_535 }),
        (name, port, other) => {
          const target = targetOf(name, port);
          if (target === null) return;
          const patterns = parseEntry(entryFor(target)) ?? [];
          expect([targetText(target), patterns.some((pattern) => allows(pattern, target))]).toEqual([
            targetText(target),
            true,
          ]);
          const elsewhere = { ...target, port: other };
          if (other === port || (target.address === null && [80, 443].includes(other))) return;
          expect(patterns.some((pattern) => allows(pattern, elsewhere))).toBe(false);
        },
      ),
    );
  });
});

it('a preset has only entries, and each name once', () => {
  for (const [name, entries] of Object.entries(PRESETS)) {
    expect([name, entries.filter((entry) => parseEntry(entry)?.length !== 1)]).toEqual([name, []]);
    expect(new Set(entries).size).toBe(entries.length);
    expect(parseEntry(`preset:${name}`)).toHaveLength(entries.length);
  }
  expect(Object.keys(PRESETS)).toEqual(['anthropic', 'github', 'npm', 'pypi', 'crates', 'go', 'debian']);
});

describe('a target', () => {
  it('is what a host and a port can name, in one spelling', () => {
    expect(targetText(at('EXAMPLE.org.'))).toBe('example.org:443');
    for (const text of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.1',
      '127.1',
      '::ffff:127.0.0.1',
      '::FFFF:7f00:1',
    ])
      expect([text, targetText(at(text))]).toEqual([text, '127.0.0.1:443']);
    for (const text of [
      '',
      '.',
      'a b',
      'a\0b',
      'a\nb',
      'a..b',
      '[::1]',
      '1.2.3.4.5',
      'fe80::1%eth0',
      '-x',
      'a/b',
      'a@b',
    ])
      expect([text, targetOf(text, 443)]).toEqual([text, null]);
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) expect(targetOf('a', port)).toBeNull();
  });

  it('is never read with an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (host, port) => {
        const target = targetOf(host, port);
        if (target !== null) expect(targetOf(target.host, port)).toEqual(target);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what is said about a target', () => {
  it('deny beats allow, at any port and in whatever list', () => {
    expect(says(at('a.example'), ['a.example'])).toBe('allowed');
    expect(says(at('a.example'), ['a.example'], ['*.example'])).toBe('denied');
    expect(says(at('a.example', 22), ['a.example:22'], ['a.example'])).toBe('denied');
    expect(says(at('a.example', 80), ['a.example'], ['a.example:443'])).toBe('allowed');
    expect(says(at('1.1.1.1'), ['1.1.1.1'], ['1.0.0.0/8'])).toBe('denied');
  });

  it('deny of an IPv4 address is of what leads there, too: NAT64, 6to4, IPv4-compatible', () => {
    for (const host of ['64:ff9b::808:808', '2002:808:808::1', '::8.8.8.8', '::ffff:8.8.8.8'])
      expect([host, says(at(host), ['::/0'], ['8.8.0.0/16'])]).toEqual([host, 'denied']);
    expect(says(at('64:ff9b::808:809'), ['::/0'], ['8.8.8.8'])).toBe('allowed');
    for (const host of ['64:ff9b::506:708', '2002:506:708::1'])
      expect([host, says(at(host), [])]).toEqual([host, 'own']);
  });

  it('what no list names is asked about, unless it is no address of the internet', () => {
    expect(says(at('b.example'), ['a.example'])).toBe('unknown');
    expect(says(at('a.example', 8443), ['a.example'])).toBe('unknown');
    expect(says(at('1.1.1.1'), [])).toBe('unknown');
    for (const [host, kind] of [
      ['127.0.0.1', 'loopback'],
      ['::1', 'loopback'],
      ['10.9.9.9', 'private'],
      ['169.254.169.254', 'link-local'],
      ['0.0.0.0', 'unspecified'],
      ['224.0.0.1', 'multicast'],
      ['5.6.7.8', 'own'],
    ] as const)
      expect([host, says(at(host), ['*.example'])]).toEqual([host, kind]);
  });

  it('a name of this machine is not asked about: a yes would not lead there', () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost'])
      expect([host, says(at(host), ['a.example'])]).toEqual([host, 'loopback']);
    expect(says(at('localhost', 8080), ['localhost:8080'])).toBe('allowed');
    expect(says(at('localhost'), ['localhost'], ['localhost'])).toBe('denied');
    for (const host of ['localhost.example', 'mylocalhost', 'local'])
      expect([host, says(at(host), [])]).toEqual([host, 'unknown']);
  });

  it('such an address counts where it is listed itself, at that port', () => {
    expect(says(at('127.0.0.1', 8080), ['127.0.0.1:8080'])).toBe('allowed');
    expect(says(at('127.0.0.1', 8081), ['127.0.0.1:8080'])).toBe('loopback');
    expect(says(at('10.2.3.4'), ['10.0.0.0/8'])).toBe('allowed');
    expect(says(at('10.2.3.4', 22), ['10.0.0.0/8'])).toBe('private');
    expect(says(at('5.6.7.8'), ['5.6.7.8'])).toBe('allowed');
  });

  it('but not the server’s own port on this machine, nor an address that only stands for this machine', () => {
    expect(says(at('127.0.0.1', 4000), ['127.0.0.1:4000'])).toBe('loopback');
    expect(says(at('127.0.0.2', 4000), ['127.0.0.0/8'])).toBe('loopback');
    expect(says(at('10.1.1.1', 4000), ['10.1.1.1:4000'])).toBe('private');
    expect(says(at('0.0.0.0'), ['0.0.0.0/0'])).toBe('unspecified');
    expect(says(at('::', 8080), ['[::]:8080'])).toBe('unspecified');
  });

  it('an address that a name has is judged by itself: the name says nothing about it', () => {
    const judged = (text: string, allow: string[], deny: string[] = []): string => {
      const address = parseAddress(text);
      if (address === null) throw new Error(text);
      const verdict = judgeAddress(address, 443, networkRules(allow, deny), MACHINE);
      return verdict.state === 'refused' ? verdict.kind : verdict.state;
    };
    expect(judged('1.1.1.1', ['a.example'])).toBe('allowed');
    expect(judged('127.0.0.1', ['a.example', 'localhost'])).toBe('loopback');
    expect(judged('127.0.0.1', ['127.0.0.1'])).toBe('allowed');
    expect(judged('1.1.1.1', ['a.example'], ['1.1.1.1'])).toBe('denied');
  });
});
