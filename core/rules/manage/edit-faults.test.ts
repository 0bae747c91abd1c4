/** Writers of rule files that are killed, or find the disk full, at each call that changes something. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProgram } from '../../../testing/log/test-child.ts';
import { plainFacts } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { eachFaultPoint } from '../../../testing/runs.ts';
import { addRule, trustProject } from './edit.ts';

const CHILD = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { fromText } from '#/shared/bytes.ts';
  import { DEFAULT_CONFIG } from '#/shared/config/config.ts';
  import { addRule } from '#/core/rules/manage/edit.ts';
  import { projectOf } from '#/core/session/project.ts';
  import { plainFacts } from '#/testing/rules/facts.ts';
  const [base, fault, at] = process.argv.slice(2);
  const env = { HOME: base, XDG_CONFIG_HOME: base + '/config' };
  const project = projectOf(fromText(base + '/project'));
  const request = { env, stateDir: base + '/state', project, session: 's', home: base, config: DEFAULT_CONFIG };
  let calls = 0;
  for (const name of ['writeFileSync', 'renameSync', 'mkdirSync', 'rmSync', 'chmodSync', 'openSync']) {
    const call = fs[name];
    fs[name] = (...args) => {
      if (name === 'openSync' && args[1] !== 'wx') return call(...args);
      if (++calls === Number(at)) {
        fs.writeSync(1, name + '\\n');
        if (fault === 'SIGKILL') process.kill(process.pid, fault);
        throw Object.assign(new Error(fault), { code: fault });
      }
      return call(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await addRule({ request, facts: plainFacts(), scope: 'project' }, 'allow', { tool: '^B$' });
  } catch (error) {
    console.log(error.code + ' ' + error.path);
  }
`;

let dir: string;
let program: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trai-faults-'));
  program = await bundleProgram(dir, 'add', CHILD);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const [A, B, C] = [{ tool: '^A$' }, { tool: '^B$' }, { tool: '^C$' }];

it.each(['SIGKILL', 'ENOSPC'])(
  '%s at any call leaves the rules as they were or as they are to be, and trusted',
  {
    timeout: 120_000,
  },
  async (fault) => {
    await eachFaultPoint(fault, async (n) => {
      const place = new RulesPlace();
      place.put(place.own, { version: 2, allow: [A] });
      await trustProject(place.request());
      const args = [program, place.base, fault, String(n)];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      const [hit = '', error = ''] = stdout.split('\n');
      const { allow } = place.read(place.own) as { allow: unknown[] };
      expect([[A], [A, B]], stderr).toContainEqual(allow);
      if (error !== '') expect([error.slice(0, 4), allow]).toEqual(['io /', [A]]);
      expect(place.load().ordered, stdout).toHaveLength(allow.length);
      const edit = { request: place.request(), facts: plainFacts(), scope: 'project' } as const;
      expect(await addRule(edit, 'allow', C), stdout).toMatchObject({ trusted: true });
      expect(readdirSync(dirname(place.own)), stdout).toEqual(['trai.rules.json']);
      expect(place.load().ordered, stdout).toHaveLength(allow.length + 1);
      place.remove();
      return hit === '' ? null : hit;
    });
  },
);
