import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { SessionContext } from '../../core/session/session-context.ts';
import { fromText } from '../../shared/bytes.ts';
import { testState } from '../../testing/state-dir.ts';
import { RuleWatch } from './rule-watch.ts';

const t = testState('rule-watch');
afterAll(() => t.remove());

it('a rule file that is written, replaced or removed, and config.json, are a change; nothing else is', () => {
  const stateDir = t.next();
  const home = path.join(stateDir, '../home');
  const config = path.join(home, '.config/trai');
  const project = path.join(home, 'p');
  mkdirSync(path.join(project, '.claude'), { recursive: true });
  mkdirSync(config, { recursive: true });
  const watch = new RuleWatch({ HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') });
  const ctx = (session: string) =>
    ({ session, stateDir, projectRoot: fromText(project) }) as unknown as SessionContext;
  const look = () => watch.changed([ctx('a')]);
  // Its tab asked before this look.
  expect([look(), look()]).toEqual([true, false]);
  const files = [path.join(config, 'rules.json'), path.join(project, '.claude/trai.rules.json')];
  for (const file of [...files, path.join(config, 'config.json')]) {
    writeFileSync(file, '{}');
    expect([look(), look()]).toEqual([true, false]);
    writeFileSync(`${file}.new`, '{}');
    expect(look()).toBe(false);
    renameSync(`${file}.new`, file);
    expect([look(), look()]).toEqual([true, false]);
    rmSync(file);
    expect([look(), look()]).toEqual([true, false]);
  }
  expect(watch.changed([ctx('a'), ctx('b')])).toBe(true);
  expect(watch.changed([ctx('b')])).toBe(false);
});
