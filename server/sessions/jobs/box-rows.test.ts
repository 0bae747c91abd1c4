/** The routes about boxes on a real server, and what must not get through them. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeInstance } from '../../../core/box/instance.ts';
import { writeBoxRecord } from '../../../core/sandbox/box-record.ts';
import { updateMeta } from '../../../core/session/meta-file.ts';
import { projectOf } from '../../../core/session/project.ts';
import { API, API_NAMES } from '../../../shared/api/contract.ts';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { BoxRecord, BoxRow, InstanceGc, InstanceList, SessionBox } from '../../../shared/model/box.ts';
import { putSession } from '../../../testing/rules/decisions.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let gone: { id: string; dir: string };
beforeAll(async () => {
  t = await testServer();
  await putSession(t.state, 'boxed', [], t.project);
  await putSession(t.state, 'plain', [], t.project);
});
afterAll(async () => await t.close());

beforeEach(() => {
  mkdirSync(path.join(t.base, 'others/stays'), { recursive: true });
  const dir = path.join(t.base, 'others/gone');
  mkdirSync(dir, { recursive: true });
  const project = projectOf(fromText(dir));
  gone = { id: project.id, dir: makeInstance(t.state, project) };
  rmSync(dir, { recursive: true });
});

const read = async <T>(answer: Response): Promise<T> => JSON.parse(await answer.text());
const collect = async (body: object) => await t.api('/api/boxes/gc', body);

const NAMES = ['two\nlines', 'invoice\u202egpj.exe', '<img src=x onerror=alert(1)>', 'n'.repeat(300)];

async function box(more: Partial<BoxRecord> = {}): Promise<BoxRecord> {
  const instance = makeInstance(t.state, projectOf(fromText(t.project)));
  const rows = NAMES.map((name): BoxRow => {
    const to = fromText(`/srv/${name}`);
    return { what: 'allowed', from: to, to, how: 'host', why: '--allow' };
  });
  const bytes: BoxRow = {
    what: 'allowed',
    from: null,
    to: '/srv/\xff\xfe' as BytePath,
    how: 'tmpfs',
    why: '',
  };
  const many = Array.from({ length: 500 }, (_, i): BoxRow => ({ ...bytes, to: fromText(`/usr/d${i}`) }));
  const record: BoxRecord = {
    ...{ v: 1, instance, rows: [...rows, bytes, ...many], variables: ['PATH', 'SECRET'], net: 'open' },
    ...{ write: 'pending', direct: [], directFiles: [], commitInside: false, ...more },
  };
  const dir = path.join(t.state, 'sessions/boxed');
  writeBoxRecord(dir, record);
  await updateMeta(dir, (meta) => ({ ...meta, levels: ['box'] }));
  return record;
}

describe('boxes', () => {
  it('of a session: its rows byte for byte, names of variables, and whether it runs', async () => {
    const record = await box();
    const found = await read<SessionBox>(await t.api('/api/sessions/boxed/box'));
    expect(found).toMatchObject({ record, everBoxed: true, running: false, processes: [], hosts: null });
    expect(found.instance?.id).toBe(path.basename(record.instance));
    expect(found.instance?.bytes).toBeGreaterThan(0);
    rmSync(record.instance, { recursive: true });
    expect((await read<SessionBox>(await t.api('/api/sessions/boxed/box'))).instance).toBeNull();
  });

  it('of a session that was in none, or is in none any more, say so', async () => {
    const plain = await read<SessionBox>(await t.api('/api/sessions/plain/box'));
    expect(plain).toMatchObject({ record: null, everBoxed: false, running: false });
    await box();
    writeBoxRecord(path.join(t.state, 'sessions/boxed'), null);
    const left = await read<SessionBox>(await t.api('/api/sessions/boxed/box'));
    expect(left).toMatchObject({ record: null, everBoxed: true });
    expect((await t.api('/api/sessions/none/box')).status).toBe(404);
  });

  it('of all projects are listed with their sessions, counted, and collected by name', async () => {
    const record = await box();
    const { instances, dir } = await read<InstanceList>(await t.api('/api/boxes'));
    const states = Object.fromEntries(instances.map((one) => [one.id, [one.state, ...one.sessions]]));
    expect(states).toEqual({ [gone.id]: ['gone'], [path.basename(record.instance)]: ['used', 'boxed'] });
    expect(await read(await t.api('/api/boxes/count'))).toEqual({ boxes: 2 });
    const did = await read<InstanceGc>(await collect({ ids: [gone.id] }));
    expect(did).toMatchObject({ taken: [{ id: gone.id }], left: [], dir });
    expect([existsSync(gone.dir), existsSync(did.taken[0]?.at ?? '')]).toEqual([false, true]);
    expect(await read(await t.api('/api/boxes/count'))).toEqual({ boxes: 1 });
  });

  it('are counted and collected where there is no session any more', async () => {
    const alone = await testServer();
    try {
      const dir = path.join(alone.base, 'p');
      mkdirSync(dir);
      const { id } = projectOf(fromText(dir));
      makeInstance(alone.state, projectOf(fromText(dir)));
      rmSync(dir, { recursive: true });
      const { instances } = await read<InstanceList>(await alone.api('/api/boxes'));
      expect(instances).toMatchObject([{ id, state: 'gone' }]);
      const did = await read<InstanceGc>(await alone.api('/api/boxes/gc', { ids: [id] }));
      expect(did.taken).toMatchObject([{ id }]);
    } finally {
      await alone.close();
    }
  });
});

describe('what must not get through', () => {
  const ROWS = API_NAMES.filter((name) => /\/box(es)?\b/.test(API[name].path));
  const address = (name: (typeof ROWS)[number]) => `${t.origin}/api${API[name].path.replace(':id', 'boxed')}`;
  const request = (name: (typeof ROWS)[number], headers: Record<string, string>): RequestInit =>
    API[name].verb === 'GET'
      ? { headers }
      : { method: 'POST', headers, body: JSON.stringify({ ids: [gone.id] }) };

  it('every row about boxes is attacked', () => {
    expect(ROWS).toEqual(['box', 'boxes', 'boxCount', 'collectBoxes']);
  });

  it.each(ROWS)(
    '%s without the credential of a tab: none, the hooks’, the proof, a wrong one',
    async (name) => {
      await box();
      const headers = { 'content-type': 'application/json', origin: t.origin };
      for (const authorization of ['', `Bearer ${t.server.hook}`, `Bearer ${t.server.proof}`, 'Bearer x']) {
        const answer = await fetch(address(name), request(name, { ...headers, authorization }));
        expect([401, 403], authorization).toContain(answer.status);
        expect(await answer.text()).not.toContain('SECRET');
      }
      expect(existsSync(gone.dir)).toBe(true);
    },
  );

  it.each(ROWS)(
    '%s from another origin, or by a name of somebody else, with the credential',
    async (name) => {
      const authorization = `Bearer ${t.token}`;
      const type = { 'content-type': 'application/json' };
      for (const headers of [
        { ...type, origin: 'http://evil.com' },
        { ...type, origin: 'null' },
        { ...type, 'sec-fetch-site': 'cross-site' },
      ])
        expect((await fetch(address(name), request(name, { authorization, ...headers }))).status).toBe(403);
      expect(existsSync(gone.dir)).toBe(true);
    },
  );

  it('a collection as text, or by GET', async () => {
    const authorization = `Bearer ${t.token}`;
    const text = { authorization, 'content-type': 'text/plain', origin: t.origin };
    expect((await fetch(address('collectBoxes'), request('collectBoxes', text))).status).toBe(400);
    expect((await fetch(address('collectBoxes'), { headers: { authorization } })).status).toBe(404);
    expect(existsSync(gone.dir)).toBe(true);
  });

  it.each<[string, object]>([
    ['without a list', {}],
    ['with an empty list', { ids: [] }],
    ['of a path', { ids: ['../../project'] }],
    ['of a path behind an id', { ids: ['0123456789abcdef/../x'] }],
    ['of a name with a newline', { ids: ['0123456789abcdef\n'] }],
    ['of a name in upper case', { ids: ['0123456789ABCDEF'] }],
    ['of no text', { ids: [7] }],
    ['with a field more', { ids: ['0'.repeat(16)], all: true }],
    ['of too many', { ids: Array.from({ length: 10_001 }, () => '0'.repeat(16)) }],
  ])('a collection %s', async (_name, body) => {
    expect((await collect(body)).status).toBe(400);
    expect(existsSync(gone.dir)).toBe(true);
  });

  it('one that is in use, unsure, or no instance, by its id', async () => {
    const used = path.basename((await box()).instance);
    const odd = 'ab'.repeat(8);
    const outside = path.join(t.base, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(path.join(outside, 'project-root'), '/nowhere/gone\n');
    symlinkSync(outside, path.join(t.state, 'box', odd));
    const did = await read<InstanceGc>(await collect({ ids: [used, odd, 'c'.repeat(16)] }));
    expect(did.taken).toEqual([]);
    expect(did.left.map(({ id }) => id).sort()).toEqual([used, odd, 'c'.repeat(16)].sort());
    expect(readdirSync(outside)).toEqual(['project-root']);
    rmSync(path.join(t.state, 'box', odd));
  });

  it('a session whose name is a path, and a query that nobody asks', async () => {
    for (const id of ['..%2f..%2fetc', '%2e%2e', 'a%00b', 'x'.repeat(300)])
      expect((await t.api(`/api/sessions/${id}/box`)).status).toBe(404);
    expect(t.reported).toEqual([]);
  });
});
