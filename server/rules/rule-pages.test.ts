/** The routes of the rules and of the audit on a real server, and what must not get through them. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { API, API_NAMES } from '../../shared/api/contract.ts';
import type { AuditPage, RulesPage } from '../../shared/api/rules.ts';
import { linesOf, putSession } from '../../testing/rules/decisions.ts';
import { type TestServer, testServer } from '../../testing/server/server.ts';

let t: TestServer;
let user: string;
let own: string;
beforeAll(async () => {
  t = await testServer();
  user = path.join(t.home, '.config/trai/rules.json');
  own = path.join(t.project, '.claude/trai.rules.json');
  const at = (i: number) => new Date(Date.UTC(2026, 5, 1, 0, i)).toISOString();
  const ask = { decision: 'ask', by: 'rule', hash: 'h' } as const;
  await putSession(
    t.state,
    's1',
    linesOf([
      ...[1, 2, 3].map((i) => ({ command: 'make all', at: at(i), said: ask })),
      { command: 'make clean', at: at(4), rc: null, said: ask },
      { command: 'rm x', at: at(5), rc: null, said: { decision: 'deny', by: 'rule', rule: 'f deny[0]' } },
      { command: 'touch a', at: at(6) },
    ]),
    t.project,
  );
  await t.api('/api/sessions');
});
afterEach(() => {
  rmSync(path.dirname(user), { recursive: true, force: true });
  rmSync(path.dirname(own), { recursive: true, force: true });
});
afterAll(async () => await t.close());

const RULE = { tool: '^Bash$', match: { command: '^rm ' } };
const add = (rule: object = RULE) => ({ do: 'add', list: 'deny', rule });
const change = async (body: object) =>
  await t.api('/api/rules/change', { scope: 'user', seen: '', change: add(), ...body });
const read = async <T>(address: string): Promise<T> => JSON.parse(await (await t.api(address)).text());
const put = (file: string, content: unknown) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
};

describe('rules', () => {
  it('are listed, changed as they were seen, and judged', async () => {
    expect((await change({})).status).toBe(200);
    const page = await read<RulesPage>('/api/rules?session=s1');
    expect(page.rules.filter(({ ref }) => ref.scope === 'user')).toMatchObject([
      { rule: RULE, counts: true },
    ]);
    expect(page.files.map(({ scope }) => scope)).toEqual(['user', 'user', 'project', 'project', 'session']);
    expect((await read<RulesPage>('/api/rules')).files.map(({ scope }) => scope)).toEqual(['user', 'user']);
    const tested = await t.api('/api/rules/test', {
      ...{ session: 's1', tool: 'Bash', text: 'true && \\rm x', mode: 'default' },
    });
    expect(await tested.json()).toMatchObject({ verdict: { decision: 'deny' }, runs: 'sandbox' });
    expect((await change({})).status).toBe(409);
    expect(
      (await change({ seen: page.files[0]?.hash, change: { do: 'remove', list: 'deny', index: 0 } })).status,
    ).toBe(200);
    expect(JSON.parse(readFileSync(user, 'utf8'))).toEqual({ version: 2, deny: [] });
  });

  it('of a project want a session, and count once the content that was shown is trusted', async () => {
    expect((await change({ scope: 'project' })).status).toBe(400);
    put(own, { version: 2, allow: [RULE] });
    const page = await read<RulesPage>('/api/rules?session=s1');
    const hash = page.files.find(({ path: file }) => file === own)?.hash ?? '';
    expect(page.rules.find(({ ref }) => ref.scope === 'project')?.counts).toBe(false);
    const trust = async (hashes: string[]): Promise<RulesPage> =>
      JSON.parse(await (await t.api('/api/rules/trust', { session: 's1', hashes })).text());
    const counts = ({ rules }: RulesPage) => rules.find(({ ref }) => ref.scope === 'project')?.counts;
    expect(counts(await trust(['0'.repeat(64)]))).toBe(false);
    expect(counts(await trust([hash]))).toBe(true);
  });

  it('say what one would have decided, and what sandboxed calls would have saved', async () => {
    const history = await t.api('/api/rules/history', {
      ...{ session: 's1', list: 'allow', rule: { tool: '^Bash$', match: { command: '^make' } } },
    });
    expect(await history.json()).toMatchObject({ looked: 6, matched: 4, asked: 4, denied: 1 });
    expect(await read('/api/rules/sandboxed')).toMatchObject({ sandboxed: 'ask' });
    expect(await (await t.api('/api/rules/sandboxed', { value: 'allow' })).json()).toMatchObject({
      sandboxed: 'allow',
    });
  });
});

describe('the audit', () => {
  const ANY = 'session=&tool=&decision=&by=&outcome=&text=&since=';
  const audit = async (query: string) => await read<AuditPage>(`/api/audit?${query}&from=0&count=100`);

  it('filters, counts and pages on the server', async () => {
    const all = await audit(ANY);
    expect(all).toMatchObject({ all: 6, total: 6 });
    expect(all.rows.map(({ subject }) => subject)).toEqual([
      ...['touch a', 'rm x', 'make clean', 'make all', 'make all', 'make all'],
    ]);
    expect(all.alwaysAllowed).toMatchObject([{ subject: 'make all', count: 3 }]);
    expect((await audit(ANY.replace('outcome=', 'outcome=denied'))).total).toBe(2);
    expect((await audit(ANY.replace('text=', 'text=CLEAN'))).total).toBe(1);
    expect((await audit(ANY.replace('since=', 'since=2026-06-01T00:05:00.000Z'))).total).toBe(2);
    const page = await read<AuditPage>(`/api/audit?${ANY}&from=4&count=1`);
    expect(page.rows).toHaveLength(1);
    expect(page.total).toBe(6);
  });
});

describe('what must not get through', () => {
  const writes = API_NAMES.filter((name) => API[name].path.startsWith('/rules') && API[name].verb === 'POST');
  const untouched = () => expect([existsSync(user), existsSync(path.join(t.state, 'trust.json'))]);

  it.each(writes)('%s without the credential of a tab: none, the hooks’, a wrong one', async (name) => {
    rmSync(path.join(t.state, 'trust.json'), { force: true });
    const body = JSON.stringify({ scope: 'user', seen: '', change: add() });
    const headers = { 'content-type': 'application/json', origin: t.origin };
    for (const authorization of ['', `Bearer ${t.server.hook}`, `Bearer ${t.server.proof}`, 'Bearer x']) {
      const answer = await fetch(`${t.origin}/api${API[name].path}`, {
        ...{ method: 'POST', headers: { ...headers, authorization }, body },
      });
      expect([401, 403], authorization).toContain(answer.status);
    }
    untouched().toEqual([false, false]);
  });

  it.each(writes)('%s from another origin, or as text, with the credential', async (name) => {
    const authorization = `Bearer ${t.token}`;
    for (const headers of [
      { 'content-type': 'application/json', origin: 'http://evil.com' },
      { 'content-type': 'text/plain', origin: t.origin },
    ]) {
      const answer = await fetch(`${t.origin}/api${API[name].path}`, {
        ...{ method: 'POST', headers: { ...headers, authorization }, body: '{}' },
      });
      expect([400, 403]).toContain(answer.status);
    }
    untouched().toEqual([false, false]);
  });

  it.each<[string, object]>([
    ['a change without what was seen', { seen: undefined }],
    ['a hash that is none', { seen: '../../x' }],
    ['a scope that is a path', { scope: '../user' }],
    ['the built-in scope', { scope: 'built-in' }],
    ['a session that is a path', { session: '../../etc' }],
    ['an unknown field', { file: '/etc/passwd' }],
    ['a list that objects inherit', { change: { ...add(), list: 'constructor' } }],
    ['a negative index', { change: { do: 'remove', list: 'deny', index: -1 } }],
    ['a rule with a key of its own', { change: add({ ...RULE, __proto__x: 1 }) }],
    ['a rule about nothing', { change: add({}) }],
    ['a pattern that cannot be used', { change: add({ tool: '(' }) }],
    ['a time that is none', { change: add({ ...RULE, until: 'soon' }) }],
  ])('%s', async (_name, body) => {
    const { status } = await change(body);
    expect([400, 404]).toContain(status);
    expect(existsSync(user)).toBe(false);
  });

  it('an input of a tool that is no JSON, and a pattern without an end, are answered', async () => {
    const about = { tool: 'WebFetch', text: 'x', mode: 'default' };
    expect((await t.api('/api/rules/test', about)).status).toBe(400);
    await change({ change: add({ tool: '^Bash$', match: { command: '(a+)+$' } }) });
    const text = `${'a'.repeat(5_000)}!`;
    const slow = await t.api('/api/rules/test', { ...about, tool: 'Bash', text });
    expect(await slow.json()).toMatchObject({ verdict: { decision: 'deny' } });
    const rule = { tool: '^Bash$', match: { command: '(' } };
    expect((await t.api('/api/rules/history', { list: 'deny', rule })).status).toBe(400);
    expect(t.reported).toEqual([]);
  });
});
