import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../session/config-file.ts';
import { addNetworkEntry } from './network-config.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-network-config-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const env = () => ({ XDG_CONFIG_HOME: join(dir, 'config') });
const file = () => join(dir, 'config/trai/config.json');
const put = (content: unknown): void => {
  mkdirSync(join(dir, 'config/trai'), { recursive: true });
  writeFileSync(file(), typeof content === 'string' ? content : JSON.stringify(content));
};
const add = async (list: 'allow' | 'deny', entry: string): Promise<unknown> => {
  expect(await addNetworkEntry({ env: env(), stateDir: join(dir, 'state') }, list, entry)).toBe(file());
  return JSON.parse(readFileSync(file(), 'utf8'));
};

it('an entry is added to the default, where nothing is said', async () => {
  expect(await add('allow', 'a.example')).toEqual({ box: { network: { allow: { add: ['a.example'] } } } });
  await add('allow', 'b.example:22');
  await add('allow', 'a.example');
  await add('deny', 'c.example');
  const { config, problems } = loadConfig(env());
  expect(problems).toEqual([]);
  expect(config.box.network).toEqual({
    allow: ['preset:anthropic', 'a.example', 'b.example:22'],
    deny: ['c.example'],
  });
});

it('all else of the file stays, and the old content is kept', async () => {
  const before = {
    passthrough: ['git'],
    own: 1,
    box: { profiles: {}, network: { allow: ['x.example'], own: 2 } },
  };
  put(before);
  const after = await add('allow', 'a.example');
  expect(after).toEqual({
    ...before,
    box: { profiles: {}, network: { allow: ['x.example', 'a.example'], own: 2 } },
  });
  const [backup = ''] = readdirSync(join(dir, 'state/rules'));
  expect(JSON.parse(readFileSync(join(dir, 'state/rules', backup), 'utf8'))).toEqual(before);
});

it('what was taken away from the default comes back', async () => {
  put({ box: { network: { allow: { remove: ['preset:anthropic', 'x'] } } } });
  expect(await add('allow', 'preset:anthropic')).toEqual({
    box: { network: { allow: { add: ['preset:anthropic'], remove: ['x'] } } },
  });
});

it.each(['{', '[]', '{"box": 1}', '{"box": {"network": []}}', '{"box": {"network": {"allow": "a"}}}'])(
  'a file that is not of the expected form is left alone: %s',
  async (text) => {
    put(text);
    await expect(add('allow', 'a.example')).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(file(), 'utf8')).toBe(text);
    expect(existsSync(join(dir, 'state/rules'))).toBe(false);
  },
);
