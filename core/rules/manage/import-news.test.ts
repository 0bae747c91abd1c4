import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainFacts } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import type { RulesRequest } from '../files/rule-set.ts';
import { importRules } from './edit.ts';
import { IMPORT_SOURCES, planImport } from './import.ts';
import { dismissImports, importNews } from './import-news.ts';

let place: RulesPlace;
let request: RulesRequest;
beforeEach(() => {
  place = new RulesPlace();
  request = place.request();
  place.put(place.user, { version: 2, deny: [] });
  place.put(join(place.base, '.claude/passthru.json'), {
    version: 1,
    allow: [{ tool: '^A$' }, { tool: '^B$' }],
  });
  place.put(join(place.project, '.claude/settings.json'), {
    permissions: { deny: ['Bash(rm *)', 'Read(src/[ab])'], additionalDirectories: ['/data'] },
  });
});
afterEach(() => place.remove());

const about = () => ({ env: {}, home: place.base, projectRoot: place.project });
const plans = () => IMPORT_SOURCES.map((from) => planImport(from, { ...about(), set: place.load() }));
const news = (changed: Partial<RulesRequest> = {}) =>
  importNews({ ...request, ...changed }, place.load(), about());
const ALL = [
  { from: 'passthru', count: 2 },
  { from: 'settings', count: 2 },
];

it('names what an import would bring, without what it would leave', () => {
  expect(news()).toEqual(ALL);
});

it('is said to nobody who has no rule file', () => {
  writeFileSync(place.user, '');
  expect(news()).toEqual(ALL);
  place.remove();
  place = new RulesPlace();
  place.put(join(place.base, '.claude/passthru.json'), { version: 1, allow: [{ tool: '^A$' }] });
  expect(news()).toEqual([]);
});

it('ends with the import', async () => {
  const [passthru] = plans();
  await importRules({ request, facts: plainFacts(), scope: 'user' }, passthru?.rules ?? [], []);
  expect(news()).toEqual(ALL.slice(1));
});

it('ends with a dismissal, until something else is there; what a project brings is dismissed for that project', async () => {
  expect(await dismissImports(request, plans())).toBe(4);
  expect(await dismissImports(request, plans())).toBe(0);
  expect(news()).toEqual([]);
  expect(news({ project: { ...request.project, id: 'other' } })).toEqual(ALL.slice(1));
  place.put(join(place.base, '.claude/passthru.json'), {
    version: 1,
    allow: [{ tool: '^A$' }, { tool: '^C$' }],
  });
  expect(news()).toEqual([{ from: 'passthru', count: 1 }]);
  // Damaged: it is said again.
  writeFileSync(join(place.stateDir, 'dismissed-imports.json'), '{');
  expect(news()).toEqual(ALL);
});
