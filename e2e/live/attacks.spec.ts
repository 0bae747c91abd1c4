/** What a web page of somebody else can do to the server from the user's own browser: nothing. */

import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { chromium, type Page, type Response } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.ts';
import { openSession, row } from './support/dashboard.ts';
import { expect, test } from './support/fixtures.ts';
import { hostTree } from './support/host.ts';
import { dashboardUrl, exec, type Place, serverJson } from './support/place.ts';

/** A page on another port of the same machine: same site, other origin. */
async function evilServer(): Promise<{ server: Server; origin: string; leaked: string[] }> {
  const leaked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/leak') === true) leaked.push(request.url);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>evil</title><body>evil');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return { server, origin: `http://127.0.0.1:${address.port}`, leaked };
}

/** Answers of the server to this page, as the browser got them: `METHOD path status`. */
function answersTo(page: Page, origin: string): string[] {
  const answers: string[] = [];
  const note = (response: Response): void => {
    const url = new URL(response.url());
    // The user's own tab is in the same profile; it is told by its credential.
    const own = (response.request().headers()['authorization'] ?? '') !== '';
    if (url.origin === origin && !own)
      answers.push(`${response.request().method()} ${url.pathname} ${response.status()}`);
  };
  page.context().on('response', note);
  return answers;
}

/** Everything that a page can send without being asked, at every order there is. */
async function attack(page: Page, origin: string, session: string): Promise<string[]> {
  return await page.evaluate(
    async ({ target, id }) => {
      const got: string[] = [];
      const orders = [
        `/api/sessions/${id}/commit`,
        `/api/sessions/${id}/discard`,
        `/api/sessions/${id}/undo`,
        `/api/sessions/${id}/cancel`,
        '/api/exchange',
        '/api/pair',
        '/hook/ui-code',
        '/hook/SessionStart',
        '/claim',
      ];
      const body =
        '{"revision":"x","includeIgnored":false,"conflicts":"take-sandbox","choices":{},"yes":true,"typedCount":null}';
      const settle = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 300));

      for (const order of orders) {
        for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
          const frame = document.createElement('iframe');
          frame.name = `f${Math.random()}`;
          const form = document.createElement('form');
          Object.assign(form, { method: 'POST', action: target + order, enctype: type, target: frame.name });
          const field = document.createElement('input');
          Object.assign(field, { name: body.slice(0, -1), value: '}' });
          form.append(field);
          document.body.append(frame, form);
          form.submit();
        }
        for (const mode of ['no-cors', 'cors'] as const) {
          for (const type of ['text/plain', 'application/json']) {
            try {
              const answer = await fetch(target + order, {
                method: 'POST',
                mode,
                body,
                headers: { 'content-type': type },
              });
              const text = await answer.text();
              if (text !== '') got.push(`fetch ${mode} ${type} ${order}: ${text}`);
            } catch {
              // Refused by the browser, as it should be.
            }
          }
        }
        navigator.sendBeacon(target + order, new Blob([body], { type: 'text/plain' }));
        navigator.sendBeacon(target + order, body);
      }
      await settle();

      for (const asked of ['/api/sessions', `/api/sessions/${id}/changes`, '/', '/api/events']) {
        const before = Object.keys(window).length;
        await new Promise<void>((resolve) => {
          const script = document.createElement('script');
          script.onload = () => {
            got.push(`script ${asked} was run`);
            resolve();
          };
          script.onerror = () => resolve();
          script.src = target + asked;
          document.body.append(script);
        });
        if (Object.keys(window).length !== before) got.push(`script ${asked} left something behind`);
        await new Promise<void>((resolve) => {
          const image = new Image();
          image.onload = () => {
            got.push(`image ${asked} was loaded`);
            resolve();
          };
          image.onerror = () => resolve();
          image.src = target + asked;
        });
        try {
          const answer = await fetch(target + asked);
          got.push(`fetch ${asked}: ${await answer.text()}`);
        } catch {
          // No CORS headers: the browser keeps it from us.
        }
        const frame = document.createElement('iframe');
        frame.src = target + asked;
        document.body.append(frame);
        await new Promise((resolve) => {
          frame.onload = resolve;
        });
        try {
          const text = frame.contentWindow?.document.body.textContent ?? '';
          if (text !== '') got.push(`frame ${asked}: ${text}`);
        } catch {
          // Another origin (the browser's own error page is one, too).
        }
      }

      await new Promise<void>((resolve) => {
        const events = new EventSource(`${target}/api/events`);
        events.onopen = () => got.push('EventSource was opened');
        events.onmessage = (event) => got.push(`EventSource: ${String(event.data)}`);
        events.onerror = () => {
          events.close();
          resolve();
        };
      });

      window.addEventListener('message', (event) => got.push(`message: ${JSON.stringify(event.data)}`));
      const opened = window.open(`${target}/#/s/${id}`);
      await settle();
      for (const message of [body, { type: 'commit' }, 'token']) opened?.postMessage(message, '*');
      await settle();
      try {
        const text = opened?.document.body.textContent ?? '';
        if (text !== '') got.push(`window: ${text}`);
      } catch {
        // Another origin.
      }
      if (opened !== null && !opened.closed) got.push('the opened window is still in our hands');
      return got;
    },
    { target: origin, id: session },
  );
}

async function pendingSession(place: Place): Promise<void> {
  writeFileSync(path.join(place.project, 'file'), 'host\n');
  await exec(place, 'victim', 'echo sandbox > file; echo secret-content > made');
}

test('a page of another origin changes nothing and reads nothing', async ({ place, context, dashboard }) => {
  await pendingSession(place);
  await openSession(dashboard, 'victim');
  const before = hostTree(place.project);
  const origin = `http://127.0.0.1:${serverJson(place)?.port}`;
  const evil = await evilServer();
  try {
    // In the same browser profile as the tab that is signed in: whatever is ambient would come along.
    const page = await context.newPage();
    await page.goto(evil.origin);
    const answers = answersTo(page, origin);
    expect(await attack(page, origin, 'victim')).toEqual([]);

    // The attack did reach the server, which refused all of it.
    const orders = answers.filter((answer) => answer.startsWith('POST'));
    expect(orders.length).toBeGreaterThan(20);
    expect(orders.filter((answer) => !/ 40[0135]$/.test(answer))).toEqual([]);
    expect(answers.filter((answer) => answer.includes('/api/') && answer.endsWith(' 200'))).toEqual([]);
    expect(evil.leaked).toEqual([]);
    await page.close();
  } finally {
    evil.server.closeAllConnections();
    evil.server.close();
  }
  expect(hostTree(place.project)).toEqual(before);
  // The user's own tab is signed in as before, and everything is pending as before.
  await dashboard.reload();
  await expect(row(dashboard, 'made')).toBeVisible();
  await expect(row(dashboard, 'file')).toHaveAccessibleName(/modified/);
});

test('a name that resolves to this machine gets nothing (rebinding)', async ({ place }) => {
  await pendingSession(place);
  const origin = `http://evil.test:${new URL(await dashboardUrl(place)).port}`;
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...chromiumArgs(), '--host-resolver-rules=MAP evil.test 127.0.0.1'],
  });
  try {
    const page = await browser.newPage();
    const answer = await page.goto(`${origin}/`);
    expect(answer?.status()).toBe(403);
    expect(await page.textContent('body')).not.toContain('evil.test');
    // Same origin by now for the browser: it may set any header, and only the server is left to refuse.
    const statuses = await page.evaluate(async () => {
      const asked = ['/', '/api/sessions', '/api/events', '/assets/none.js', '/api/pair', '/hook/ui-code'];
      const headers = { 'content-type': 'application/json' };
      const got = await Promise.all(asked.map(async (url) => (await fetch(url)).status));
      const posted = await Promise.all(
        asked.map(async (url) => (await fetch(url, { method: 'POST', body: '{}', headers })).status),
      );
      return [...got, ...posted];
    });
    expect(new Set(statuses)).toEqual(new Set([403]));
  } finally {
    await browser.close();
  }
});
