import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest, statusOf, type TestServer, testServer } from '../../testing/server/server.ts';
import { HOOK_EVENTS } from '../hooks/world/answer.ts';
import {
  BrowserCredentials,
  FailureLimit,
  OneTimeCodes,
  PAIRING_MS,
  PAIRING_TRIES,
  Pairings,
} from './sign-in.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => await t.close());

/** Routes where a tab without a token gets one. A new one below /api is added here on purpose. */
const OPEN = ['POST /api/exchange', 'POST /api/pair', 'POST /api/pair/poll'];

function routes(prefix: RegExp): { method: string; path: string }[] {
  const found = t.server.app.routes.filter((route) => route.method !== 'ALL' && prefix.test(route.path));
  const unique = new Map(
    found.map(({ method, path }) => [`${method} ${path}`, { method, path: path.replace(/:\w+/g, 's1') }]),
  );
  return [...unique].filter(([name]) => !OPEN.includes(name)).map(([, route]) => route);
}

async function ask(method: string, path: string, headers: readonly string[], query = ''): Promise<string> {
  return await rawRequest(
    t.server.port,
    [
      `${method} ${path}${query} HTTP/1.1`,
      `Host: 127.0.0.1:${t.server.port}`,
      'Content-Type: application/json',
      'Content-Length: 2',
      ...headers,
      'Connection: close',
      '',
      '{}',
    ].join('\r\n'),
  );
}

describe('every route', () => {
  it('is known to this test', () => {
    expect(routes(/^\/api\//).length).toBeGreaterThanOrEqual(11);
    const hooks = [
      '/hook/answer',
      '/hook/box-network',
      '/hook/client-made',
      '/hook/drain',
      '/hook/hello',
      '/hook/pair',
      '/hook/ui-code',
    ];
    expect(
      routes(/^\/(hook|claim)/)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(hooks);
  });

  it('below /api wants the browser credential, as a bearer token and in no other place', async () => {
    // After ten failures answers are delayed, which would make this test take minutes.
    t.server.deps.failures.hold = async () => {};
    const wrong: readonly [string, string[], string][] = [
      ['none', [], ''],
      ['wrong', ['Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'], ''],
      ['one byte short', [`Authorization: Bearer ${t.token.slice(0, -1)}`], ''],
      ['one byte more', [`Authorization: Bearer ${t.token}A`], ''],
      ['as Basic', [`Authorization: Basic ${Buffer.from(`x:${t.token}`).toString('base64')}`], ''],
      ['lower case scheme and two tokens', [`Authorization: Bearer ${t.token} ${t.token}`], ''],
      ['in the query', [], `?token=${t.token}&access_token=${t.token}`],
      ['in a cookie', [`Cookie: token=${t.token}; Authorization=Bearer ${t.token}`], ''],
      ['the hook credential', [`Authorization: Bearer ${t.server.hook}`], ''],
    ];
    for (const { method, path } of routes(/^\/api\//)) {
      for (const [name, headers, query] of wrong) {
        const answer = await ask(method, path, headers, query);
        expect(statusOf(answer), `${method} ${path} with credential: ${name}`).toBe(401);
      }
    }
  });

  it('of the hooks wants the hook credential, and a tab’s is none', async () => {
    // These are answered before the app's routes.
    const early = [
      '/claim',
      ...[...HOOK_EVENTS, 'client-start', 'client-end'].map((name) => `/hook/${name}`),
    ];
    const asked = [...routes(/^\/hook/), ...early.map((path) => ({ method: 'POST', path }))];
    for (const { method, path } of asked) {
      for (const headers of [
        [],
        [`Authorization: Bearer ${t.token}`],
        [`Authorization: Bearer ${t.server.proof}`],
      ]) {
        expect(statusOf(await ask(method, path, headers)), `${method} ${path}`).toBe(401);
      }
    }
  });

  it('can not be reached around the credential by another spelling of the address', async () => {
    for (const path of [
      '//api/sessions',
      '/%61pi/sessions',
      '/api/../api/sessions',
      '/API/sessions',
      '/api//sessions',
    ]) {
      const answer = await ask('GET', path, []);
      expect([400, 401, 404], path).toContain(statusOf(answer));
    }
  });

  it('never names a credential in its answer', async () => {
    const answers = await Promise.all([
      fetch(`${t.origin}/`),
      t.api('/api/sessions'),
      t.api('/api/sessions/none'),
      t.api('/api/exchange', { code: 'x' }),
      fetch(`${t.origin}/hook/SessionEnd`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${t.server.hook}` },
      }),
    ]);
    for (const answer of answers) {
      const text = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(text).not.toContain(t.token);
      expect(text).not.toContain(t.server.hook);
    }
  });
});

describe('a one-time code', () => {
  const exchange = async (code: string) => await t.api('/api/exchange', { code });

  it('gives a credential that works', async () => {
    const { code } = t.server.deps.codes.make();
    const answer: { token: string } = JSON.parse(await (await exchange(code)).text());
    const asked = await fetch(`${t.origin}/api/sessions`, {
      headers: { authorization: `Bearer ${answer.token}` },
    });
    expect(asked.status).toBe(200);
  });

  it('used twice gets nothing the second time, and the tab that was first stays signed in', async () => {
    const { code } = t.server.deps.codes.make();
    const { token }: { token: string } = JSON.parse(await (await exchange(code)).text());
    const second = await exchange(code);
    expect(second.status).toBe(401);
    const said = await second.text();
    expect(said).toContain('already used');
    expect(said).not.toContain('token');
    const asked = await fetch(`${t.origin}/api/sessions`, { headers: { authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(200);
  });

  it('is worth nothing after 30 seconds, or when it was never made', () => {
    let now = 0;
    const codes = new OneTimeCodes(new BrowserCredentials(), () => now);
    const { code } = codes.make();
    now = 30_001;
    expect(() => codes.exchange(code)).toThrow('older than 30 seconds');
    expect(() => codes.exchange('made-up')).toThrow('not known');
  });

  it('comes with the proof; who may have one is looked at in peers.test.ts', async () => {
    const made = await fetch(`${t.origin}/hook/ui-code`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.server.hook}` },
      body: '{}',
    });
    expect(await made.json()).toMatchObject({ proof: t.server.proof });
  });

  it('wants an Origin header, which every browser sends', async () => {
    const { code } = t.server.deps.codes.make();
    const answer = await fetch(`${t.origin}/api/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect(answer.status).toBe(403);
  });
});

it('a tab whose credential went, since many others were signed in, is told so at once', async () => {
  const { token } = t.server.deps.browsers.issue();
  const stream = await fetch(`${t.origin}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  for (let i = 0; i < 32; i++) t.server.deps.browsers.issue();
  expect(await stream.text()).toContain('"type":"signed-out"');
});

describe('a pairing number', () => {
  it('signs the page in that shows it, once', async () => {
    const page: { id: string; number: string } = JSON.parse(await (await t.api('/api/pair', {})).text());
    expect(page.number).toMatch(/^\d{6}$/);
    expect(await (await t.api('/api/pair/poll', { id: page.id })).json()).toEqual({ state: 'waiting' });
    const typed = await fetch(`${t.origin}/hook/pair`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.server.hook}` },
      body: JSON.stringify({ number: page.number }),
    });
    expect(typed.status).toBe(200);
    expect(await (await t.api('/api/pair/poll', { id: page.id })).json()).toMatchObject({ state: 'paired' });
    expect((await t.api('/api/pair/poll', { id: page.id })).status).toBe(404);
  });

  it('is void after two minutes', () => {
    let now = 0;
    const pairings = new Pairings(new BrowserCredentials(), () => now);
    const { id, number } = pairings.open();
    now = PAIRING_MS + 1;
    expect(() => pairings.confirm(number)).toThrow('no page shows');
    expect(() => pairings.poll(id)).toThrow('no longer valid');
  });

  it('is void with all others after five wrong ones', () => {
    const pairings = new Pairings(new BrowserCredentials());
    const { id, number } = pairings.open();
    const wrong = number === '100000' ? '100001' : '100000';
    for (let i = 1; i < PAIRING_TRIES; i++) expect(() => pairings.confirm(wrong)).toThrow('no page shows');
    expect(() => pairings.confirm(wrong)).toThrow('too many wrong numbers');
    expect(() => pairings.confirm(number)).toThrow('no page shows');
    expect(() => pairings.poll(id)).toThrow('no longer valid');
  });

  it('can not be confirmed twice, and a page that asks too often gets none', () => {
    const pairings = new Pairings(new BrowserCredentials());
    const { number } = pairings.open();
    pairings.confirm(number);
    expect(() => pairings.confirm(number)).toThrow('no page shows');
    for (let i = 0; i < 4; i++) pairings.open();
    expect(() => pairings.open()).toThrow('too many pages');
  });
});

describe('guessing', () => {
  it('is slowed down after ten failures a minute, and free again a minute later', () => {
    let now = 0;
    const limit = new FailureLimit(() => now);
    const first = Array.from({ length: 10 }, () => limit.record());
    expect(first).toEqual(first.map(() => 0));
    expect(limit.record()).toBe(1_000);
    now = 61_000;
    expect(limit.record()).toBe(0);
  });
});
