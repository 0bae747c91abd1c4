import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { removeTree } from '../../../testing/remove-tree.ts';
import { decidesRules, rulePathsOf } from './rule-paths.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'trai-rule-päths-')));
});
afterEach(() => removeTree(home));
const decide = (configDir: string, ...names: string[]) => {
  const paths = rulePathsOf(join(home, configDir));
  return names.filter((name) => decidesRules(fromText(join(home, name)), paths));
};

it('the directory, what is in it, and what is above it; nothing beside it', () => {
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  writeFileSync(join(home, '.config/trai/rules.json'), '{}');
  const own = ['', '.config', '.config/trai', '.config/trai/rules.json', '.config/trai/sub/x'];
  expect(decide('.config/trai', ...own, '.config/other', '.config/trai2', 'rules.json')).toEqual(own);
  expect(decide('missing/trai', 'missing', 'missing/trai/rules.json', 'x')).toEqual([
    'missing',
    'missing/trai/rules.json',
  ]);
});

it('each link on the way, and where they lead', () => {
  mkdirSync(join(home, 'dot/v2/conf'), { recursive: true });
  symlinkSync('v2', join(home, 'dot/current'));
  symlinkSync(join(home, 'dot/current/../current/conf'), join(home, 'trai'));
  const own = ['trai', 'dot', 'dot/current', 'dot/v2', 'dot/v2/conf', 'dot/v2/conf/rules.json'];
  expect(decide('trai', ...own, 'dot/v1', 'dot/v2/other', 'conf')).toEqual(own);
});

it('links in a circle end', () => {
  symlinkSync('b', join(home, 'a'));
  symlinkSync('a', join(home, 'b'));
  expect(decide('a/trai', 'a', 'b', 'c')).toEqual(['a', 'b']);
});
