import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { judgeTarget, type Target, targetOf } from '../../../shared/network/pattern.ts';
import { loadConfig } from '../../session/config-file.ts';
import { addNetworkEntry, currentRules } from './network-config.ts';

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

it('a new file is the user’s alone, and one that is there keeps its mode', async () => {
  await add('allow', 'a.example');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  for (const mode of [0o644, 0o660]) {
    chmodSync(file(), mode);
    await add('deny', `${mode}.example`);
    expect(statSync(file()).mode & 0o777).toBe(mode);
  }
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

it('a link to nothing, other bytes than UTF-8, and a file that would be too large to be read are left alone', async () => {
  put('');
  rmSync(file());
  symlinkSync('/nowhere/config.json', file());
  await expect(add('deny', 'a.example')).rejects.toMatchObject({ code: 'corrupt' });
  expect(readlinkSync(file())).toBe('/nowhere/config.json');
  rmSync(file());
  const large = JSON.stringify({ box: { network: { deny: ['b.example'] } }, x: 'x'.repeat(256 * 1024 - 80) });
  for (const content of [Buffer.from('{"scratch": ["/caf\xe9"]}', 'latin1'), Buffer.from(large)]) {
    writeFileSync(file(), content);
    await expect(add('deny', 'a.example')).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(file()).equals(content)).toBe(true);
  }
  expect(existsSync(join(dir, 'state/rules'))).toBe(false);
});

const says = (host: string, own: { allow: string[]; deny: string[] } | null = null): string => {
  const target: Target = targetOf(host, 443) ?? expect.fail(host);
  return judgeTarget(target, currentRules(env(), own), { addresses: [], serverPort: 1 }).state;
};

it('the rules are those of the file as it is now, and of the box', () => {
  expect(says('api.anthropic.com')).toBe('allowed');
  put({ box: { network: { allow: ['a.example'], deny: ['b.example'] } } });
  expect(['api.anthropic.com', 'a.example', 'b.example'].map((host) => says(host))).toEqual([
    'unknown',
    'allowed',
    'denied',
  ]);
  const own = { allow: ['b.example', 'c.example'], deny: ['a.example'] };
  expect(['a.example', 'b.example', 'c.example'].map((host) => says(host, own))).toEqual([
    'denied',
    'denied',
    'allowed',
  ]);
});

it.each([
  ['no JSON', '{'],
  ['another box', { box: [] }],
  ['another network', { box: { network: 1 } }],
  ['a wrong entry to be refused', { box: { network: { allow: ['a.example'], deny: ['b.example', '*'] } } }],
  ['another name for deny', { box: { network: { dney: ['b.example'] } } }],
  ['wrong ones to be added', { box: { network: { deny: { add: 'b.example' } } } }],
])('with %s every host is asked about, and none let through', (_, content) => {
  put(content);
  expect(['api.anthropic.com', 'a.example', 'b.example'].map((host) => says(host))).toEqual(
    Array(3).fill('unknown'),
  );
});

it.each([
  ['another key', { undo: 1 }],
  ['an unknown one', { udno: {}, box: { nets: 1 } }],
  ['a wrong profile', { box: { profiles: { web: { net: 'half' } } } }],
])('%s that is wrong takes nothing from the rules', (_, content) => {
  put(content);
  expect(says('api.anthropic.com')).toBe('allowed');
});
