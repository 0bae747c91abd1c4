import { expect, test } from 'vitest';
import { DEFAULT_CONFIG, parseConfig } from './config.ts';
import { configRows } from './config-rows.ts';

test('every key has a row, and none differs from itself', () => {
  const rows = configRows(DEFAULT_CONFIG, DEFAULT_CONFIG);
  expect(rows.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['passthrough', 'hostWithPending', 'undo.keepDays', 'server.port']),
  );
  expect(rows.filter(({ usual }) => usual !== null)).toEqual([]);
});

test('what is not the default is named with the default', () => {
  const { config } = parseConfig({ passthrough: { add: ['kubectl'] }, ignore: [], undo: { keepDays: 30 } });
  const changed = configRows(config, DEFAULT_CONFIG).filter(({ usual }) => usual !== null);
  expect(changed).toEqual([
    {
      key: 'passthrough',
      value: 'git gh sudo docker podman kubectl',
      usual: 'git gh sudo docker podman',
    },
    { key: 'ignore', value: '(none)', usual: DEFAULT_CONFIG.ignore.join(' ') },
    { key: 'undo.keepDays', value: '30', usual: '7' },
  ]);
});
