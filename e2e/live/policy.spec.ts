/** The page's own policy: what gets into it can't run, send or frame anything; every kind of answer carries it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, signIn, test } from './support/fixtures.ts';
import { exec, type Place } from './support/place.ts';

async function pendingSession(place: Place): Promise<void> {
  writeFileSync(path.join(place.project, 'file'), 'host\n');
  await exec(place, 'victim', 'echo sandbox > file; echo secret-content > made');
}

test('code that gets into the page is blocked and reported', async ({ place, page }) => {
  await pendingSession(place);
  await signIn(page, place);
  const { violations, ran } = await page.evaluate(async () => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const attempts: (() => unknown)[] = [
      () => {
        const script = document.createElement('script');
        script.append(document.createTextNode('window.pwned = "inline"'));
        document.body.append(script);
      },
      () => document.body.setAttribute('onclick', 'window.pwned = "handler"'),
      () => {
        document.body.innerHTML += '<img src=x onerror="window.pwned=1">';
      },
      () => Function('window.pwned = "eval"')(),
      () => setTimeout('window.pwned = "timeout"', 0),
      () => {
        const script = document.createElement('script');
        script.setAttribute('src', 'data:text/javascript,window.pwned="data"');
        document.body.append(script);
      },
      // No sink of Trusted Types: here the rule for scripts stands alone.
      () => import('data:text/javascript,window.pwned="import"'.slice()).catch(() => undefined),
      () => new Worker('assets/other.js'),
      () => new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))),
      () => {
        const frame = document.createElement('iframe');
        frame.setAttribute('srcdoc', '<script>parent.pwned="frame"</script>');
        document.body.append(frame);
      },
      () => {
        const form = document.createElement('form');
        form.action = 'http://127.0.0.1:9/leak';
        document.body.append(form);
        form.submit();
      },
      () => fetch('http://127.0.0.1:9/leak').catch(() => undefined),
      () => {
        new Image().src = 'http://127.0.0.1:9/leak';
      },
      () => {
        const base = document.createElement('base');
        base.href = 'http://127.0.0.1:9/';
        document.head.append(base);
      },
    ];
    // From a timer: what the debugger evaluates itself is exempt from the policy.
    for (const attempt of attempts) {
      await new Promise<void>((resolve) => {
        setTimeout(() => {
          try {
            attempt();
          } catch {
            // Trusted Types throw where the policy's other rules only block.
          }
          setTimeout(resolve, 100);
        }, 0);
      });
    }
    document.body.click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { violations: seen, ran: Reflect.get(window, 'pwned') ?? null };
  });
  expect(ran).toBeNull();
  for (const directive of [
    'script-src-elem',
    'require-trusted-types-for',
    'form-action',
    'connect-src',
    'img-src',
    'base-uri',
  ])
    expect(violations).toContain(directive);
});

test('a worker runs only a script of this server, also where the browser knows no Trusted Types', async ({
  place,
  page,
}) => {
  await pendingSession(place);
  await signIn(page, place);
  await page.route('**/', async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const without = policy
      .split('; ')
      .filter((rule) => !rule.includes('trusted-types'))
      .join('; ');
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': without } });
  });
  await page.reload();
  await page.evaluate(async () => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const script = 'fetch("http://127.0.0.1:9/leak")';
    const addresses = [
      URL.createObjectURL(new Blob([script], { type: 'text/javascript' })),
      `data:text/javascript,${script}`,
    ];
    for (const address of addresses) {
      // A refusal is an error event, and in some versions a throw.
      await new Promise<void>((resolve) => {
        setTimeout(() => {
          try {
            const worker = new Worker(address);
            worker.onerror = () => resolve();
            worker.onmessage = () => resolve();
          } catch {
            resolve();
          }
        }, 0);
      });
    }
  });
  // Told by events of their own, which may come behind the workers'.
  await expect
    .poll(() => page.evaluate((): unknown => Reflect.get(window, 'seen')))
    .toEqual(['worker-src', 'worker-src']);
});

test('every kind of answer carries the policy and no CORS header', async ({ place, page, request }) => {
  await pendingSession(place);
  await signIn(page, place);
  const origin = new URL(page.url()).origin;
  const token = await page.evaluate(() => sessionStorage.getItem('trai-token') ?? '');
  const authorization = `Bearer ${token}`;
  const assets = await page.evaluate(() => [
    ...[...document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src') ?? ''),
    ...[...document.querySelectorAll('link[rel=stylesheet]')].map((one) => one.getAttribute('href') ?? ''),
  ]);
  expect(assets.length).toBeGreaterThanOrEqual(2);
  const get = async (url: string, headers = {}) => await request.get(origin + url, { headers });
  const json = { 'content-type': 'application/json', authorization, origin };
  const answers: [number, Awaited<ReturnType<typeof get>>][] = [
    [200, await get('/')],
    ...(await Promise.all(
      assets.map(
        async (url): Promise<[number, Awaited<ReturnType<typeof get>>]> => [
          200,
          await get(new URL(url, `${origin}/`).pathname),
        ],
      ),
    )),
    [404, await get('/nothing/here')],
    [401, await get('/api/sessions')],
    [401, await get('/api/events')],
    [200, await get('/api/sessions', { authorization })],
    [404, await get('/api/sessions/none', { authorization })],
    [404, await get('/api/nothing', { authorization })],
    [403, await get('/api/sessions', { authorization, origin: 'http://evil.test' })],
    [403, await get('/', { host: 'evil.test' })],
    [400, await request.post(`${origin}/api/sessions/victim/commit`, { headers: json, data: '{"a":1}' })],
    [
      409,
      await request.post(`${origin}/api/sessions/victim/discard`, {
        headers: json,
        data: { scope: { kind: 'all' }, revision: 'x', endProcesses: false },
      }),
    ],
    [
      405,
      await request.fetch(`${origin}/api/sessions`, {
        method: 'OPTIONS',
        headers: { origin: 'http://evil.test', 'access-control-request-method': 'POST' },
      }),
    ],
    [405, await request.fetch(`${origin}/api/sessions`, { method: 'DELETE', headers: { authorization } })],
    // Last: the server does not read such a body to its end, so the connection can't be used again.
    [
      413,
      await request.post(`${origin}/api/sessions/victim/commit`, {
        headers: json,
        data: 'x'.repeat(1_100_000),
      }),
    ],
  ];
  const stream = await page.evaluate(async (bearer) => {
    const abort = new AbortController();
    const answer = await fetch('/api/events', { headers: { authorization: bearer }, signal: abort.signal });
    abort.abort();
    return { status: answer.status, headers: Object.fromEntries(answer.headers) };
  }, authorization);
  const all = [
    ...answers.map(([expected, answer]) => ({
      expected,
      url: answer.url(),
      status: answer.status(),
      headers: answer.headers(),
    })),
    { expected: 200, url: '/api/events', ...stream },
  ];
  for (const { expected, url, status, headers } of all) {
    const about = `${status} ${url}`;
    expect(status, about).toBe(expected);
    const policy = headers['content-security-policy'] ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types trai-worker',
    ])
      expect(policy, about).toContain(rule);
    expect(policy, about).not.toMatch(/unsafe|\*|data:|https?:/);
    expect(headers, about).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
      about,
    ).toEqual([]);
    if (url.includes('/api/')) expect(headers['cache-control'], about).toBe('no-store');
  }
});
