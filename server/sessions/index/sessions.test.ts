import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerEvent, SessionSummary } from '../../../shared/api/types.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, rawRequest, statusOf, type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

let count = 0;
async function session(): Promise<TestClient> {
  const client = new TestClient(t, `s${++count}`);
  await client.start();
  return client;
}

async function json<T>(answer: Response): Promise<T> {
  return JSON.parse(await answer.text());
}

const commitBody = (revision: string) => ({
  scope: { kind: 'all' },
  revision,
  includeIgnored: false,
  conflicts: 'refuse',
  choices: {},
  yes: false,
  typedCount: null,
});

it('who asks for a code names the session to be opened: its list is made while the browser starts', async () => {
  const client = await session();
  await client.bash('echo one > awaited.txt');
  const { list } = t.server.manager.get(client.id);
  expect(list.last).toBeNull();
  const asked = await fetch(`${t.origin}/hook/ui-code`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${t.server.hook}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session: client.id }),
  });
  expect(asked.status).toBe(200);
  await expect.poll(() => list.last?.found.packed.count).toBe(1);
});

describe('commit', () => {
  it('applies what the tab saw; a second click on the same list is refused as stale', async () => {
    const client = await session();
    await client.bash('echo one > committed.txt');
    const { revision } = await listOf(t, client);
    const [first, second] = await Promise.all([
      t.api(`/api/sessions/${client.id}/commit`, commitBody(revision)),
      t.api(`/api/sessions/${client.id}/commit`, commitBody(revision)),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect(readFileSync(path.join(t.project, 'committed.txt'), 'utf8')).toBe('one\n');
    expect((await listOf(t, client)).changes).toEqual([]);
  });

  it('of a list that moved on changes nothing and says which list is there now', async () => {
    const client = await session();
    await client.bash('echo one > stale.txt');
    const { revision } = await listOf(t, client);
    await client.bash('echo two > stale2.txt');
    const answer = await t.api(`/api/sessions/${client.id}/commit`, commitBody(revision));
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'stale-revision' } });
    expect(existsSync(path.join(t.project, 'stale.txt'))).toBe(false);
  });

  it('with a conflict refuses and names the path', async () => {
    const client = await session();
    const file = path.join(t.project, 'conflict.txt');
    writeFileSync(file, 'base\n');
    await client.bash('echo sandbox > conflict.txt');
    writeFileSync(file, 'host, later\n');
    const { revision } = await listOf(t, client);
    const answer = await t.api(`/api/sessions/${client.id}/commit`, commitBody(revision));
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('conflict.txt');
    expect(readFileSync(file, 'utf8')).toBe('host, later\n');
  });

  it('leaves a trace in the log', async () => {
    const client = await session();
    await client.bash('echo one > traced.txt');
    const { revision } = await listOf(t, client);
    await t.api(`/api/sessions/${client.id}/commit`, commitBody(revision));
    const log = readFileSync(path.join(t.state, `sessions/${client.id}/calls.jsonl`), 'utf8');
    expect(log).toContain('"t":"commit"');
  });
});

describe('discard', () => {
  it('drops what the tab saw, and undo brings it back', async () => {
    const client = await session();
    await client.bash('echo one > dropped.txt');
    const { revision } = await listOf(t, client);
    const body = { scope: { kind: 'all' }, revision, endProcesses: false };
    const report = await json<{ trash: string }>(await t.api(`/api/sessions/${client.id}/discard`, body));
    expect((await listOf(t, client)).changes).toEqual([]);
    const undone = await t.api(`/api/sessions/${client.id}/undo`, { trash: report.trash });
    expect(undone.status).toBe(200);
    expect((await listOf(t, client)).changes.map((change) => path.basename(change.path))).toContain(
      'dropped.txt',
    );
  });

  it('works while a process of the session runs, which may be ended', async () => {
    const client = await session();
    await client.bash('echo one > live.txt; sleep 300 > /dev/null 2>&1 & disown');
    const { revision } = await listOf(t, client);
    const discard = async (endProcesses: boolean, of: string) =>
      await t.api(`/api/sessions/${client.id}/discard`, {
        scope: { kind: 'all' },
        revision: of,
        endProcesses,
      });
    const answer = await json<{ trash: string; left?: unknown }>(await discard(false, revision));
    expect(answer).not.toHaveProperty('left');
    expect((await listOf(t, client)).changes).toEqual([]);
    expect((await t.api(`/api/sessions/${client.id}/undo`, { trash: answer.trash })).status).toBe(200);
    expect((await listOf(t, client)).changes).toHaveLength(1);
    expect(await json(await t.api(`/api/sessions/${client.id}`))).toMatchObject({ live: true });
    expect((await discard(true, (await listOf(t, client)).revision)).status).toBe(200);
    expect((await listOf(t, client)).changes).toEqual([]);
  });
});

describe('preview', () => {
  it('says counts, bytes and what is running', async () => {
    const client = await session();
    await client.bash('printf 12345 > preview.txt');
    const asked = { scope: { kind: 'all' }, action: 'commit', includeIgnored: false };
    const answer = await json(await t.api(`/api/sessions/${client.id}/preview`, asked));
    expect(answer).toMatchObject({ counts: { added: 1 }, bytes: 5, conflicts: [], live: false, guard: null });
  });
});

describe('ids and paths in addresses', () => {
  const corpus = [
    '..',
    '.',
    '..%2f..%2fetc',
    '%2e%2e',
    '%252e%252e',
    '..%5c',
    '%00',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'a'.repeat(5_000),
    'file:%2f%2f',
    '__proto__',
    'constructor',
    '',
  ];

  it.each(corpus)('session id %j is not found, and nothing is read', async (id) => {
    for (const rest of [
      '',
      '/changes',
      '/calls',
      '/diff?entry=0123456789abcdef&load=0&whole=0&spaces=exact',
    ]) {
      const answer = await t.api(`/api/sessions/${id}${rest}`);
      expect([200, 404], `${id}${rest}`).toContain(answer.status);
      // `.` and an empty id lead to the list of all sessions.
      if (answer.status === 200) expect(Array.isArray(await answer.json())).toBe(true);
    }
  });

  it.each(corpus)('entry id %j is refused', async (entry) => {
    const client = await session();
    await client.bash('echo x > y');
    const answer = await t.api(`/api/sessions/${client.id}/diff?entry=${entry}&load=0&whole=0&spaces=exact`);
    expect(answer.status).toBe(400);
  });

  it.each(['../x', '/etc', '.', '..', '', 'a/b', 'a\0b'])('trash name %j is refused', async (trash) => {
    const client = await session();
    expect((await t.api(`/api/sessions/${client.id}/undo`, { trash })).status).toBe(400);
  });
});

describe('bodies', () => {
  const bad: readonly [string, string][] = [
    ['an extra key', JSON.stringify({ ...commitBody('r'), extra: 1 })],
    ['no scope', JSON.stringify({ ...commitBody('r'), scope: undefined })],
    ['a list as scope', JSON.stringify({ ...commitBody('r'), scope: ['a'] })],
    ['a prototype key', `{"__proto__":{},${JSON.stringify(commitBody('r')).slice(1)}`],
    ['a choice for no id', JSON.stringify({ ...commitBody('r'), choices: { constructor: 'keep-host' } })],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a half', '{"scope":"all"'],
    ['nothing', ''],
  ];
  it.each(bad)('with %s are refused', async (_name, body) => {
    const client = await session();
    const answer = await fetch(`${t.origin}/api/sessions/${client.id}/commit`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.token}`, 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'bad-input' } });
  });
});

describe('a body over 1 MB', () => {
  const send = async (framing: string, body: string) =>
    await rawRequest(
      t.server.port,
      `POST /api/sessions/s1/commit HTTP/1.1\r\nHost: 127.0.0.1:${t.server.port}\r\nAuthorization: Bearer ${t.token}\r\n` +
        `Content-Type: application/json\r\n${framing}\r\nConnection: close\r\n\r\n${body}`,
    );
  const large = 'x'.repeat(1024 * 1024 + 1);
  it('is refused when it is announced, and when it comes in chunks', async () => {
    expect(statusOf(await send(`Content-Length: ${large.length}`, large))).toBe(413);
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expect(statusOf(await send('Transfer-Encoding: chunked', chunk))).toBe(413);
  });
});

describe('what lies in the upper', () => {
  const secret = 'SECRET-OF-THE-HOST';
  async function diffs(client: TestClient): Promise<string> {
    const { changes: list } = await listOf(t, client);
    const texts = await Promise.all(
      list.map(
        async (change) =>
          await (
            await t.api(`/api/sessions/${client.id}/diff?entry=${change.id}&load=1&whole=0&spaces=exact`)
          ).text(),
      ),
    );
    return texts.join('\n');
  }

  it('links are shown as their target text, never followed', async () => {
    const outside = path.join(t.base, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'secret'), secret);
    const client = await session();
    await client.bash(
      `mkdir links; cd links; ln -s ${outside}/secret one; ln -s ../../outside two; ln -s loop loop; ln -s nowhere four`,
    );
    const text = await diffs(client);
    expect(text).toContain(`${outside}/secret`);
    expect(text).not.toContain(secret);
  });

  it('a link that was put in place of a directory on the host does not lead out', async () => {
    const client = await session();
    mkdirSync(path.join(t.project, 'swapped'));
    await client.bash('echo inside > swapped/secret');
    execFileSync('rm', ['-r', path.join(t.project, 'swapped')]);
    symlinkSync(path.join(t.base, 'outside'), path.join(t.project, 'swapped'));
    expect(await diffs(client)).not.toContain(secret);
  });

  it('pipes, sockets, sparse and unreadable files are answered, without a hang', async () => {
    const client = await session();
    await client.bash(
      'mkdir odd; cd odd; mkfifo pipe; truncate -s 10G sparse; echo x > closed; chmod 000 closed; printf "\\0\\1" > binary',
    );
    const { changes: list } = await listOf(t, client);
    const kinds = new Map<string, unknown>();
    for (const change of list) {
      const answer = await t.api(
        `/api/sessions/${client.id}/diff?entry=${change.id}&load=1&whole=0&spaces=exact`,
      );
      expect(answer.status, change.path).toBe(200);
      kinds.set(path.basename(change.path), (await json<{ kind: string }>(answer)).kind);
    }
    // Holes read as NUL bytes, which no text has.
    expect(Object.fromEntries(kinds)).toMatchObject({
      sparse: 'binary',
      binary: 'binary',
      pipe: 'meta',
      closed: expect.any(String),
    });
  });
});

describe('events', () => {
  async function listen(
    lastId?: number,
  ): Promise<{ next(type: string): Promise<{ id: string; event: ServerEvent }>; stop(): Promise<void> }> {
    const answer = await fetch(`${t.origin}/api/events`, {
      headers: {
        authorization: `Bearer ${t.token}`,
        ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
      },
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) throw new Error('expected a stream');
    let text = '';
    return {
      next: async (type) => {
        for (;;) {
          const end = text.indexOf('\n\n');
          if (end >= 0) {
            const block = text.slice(0, end);
            text = text.slice(end + 2);
            const event: ServerEvent = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}');
            if (event.type === type) return { id: /^id: (.*)$/m.exec(block)?.[1] ?? '', event };
            continue;
          }
          const { value, done } = await reader.read();
          if (done) throw new Error(`the stream ended before ${type}`);
          text += value;
        }
      },
      stop: async () => await reader.cancel(),
    };
  }

  it('begin with hello, tell of calls and changes, and can be asked for again', async () => {
    const client = await session();
    const tab = await listen();
    expect((await tab.next('hello')).event).toMatchObject({ type: 'hello' });
    await client.bash('echo x > told.txt');
    const log = await tab.next('log');
    expect(log.event).toMatchObject({ session: client.id });
    const changed = await tab.next('changes');
    expect(changed.event).toMatchObject({ session: client.id });
    await tab.stop();
    const again = await listen(Number(log.id));
    expect(Number((await again.next('changes')).id)).toBeGreaterThan(Number(log.id));
    await again.stop();
  });

  it('are for 64 tabs at the most, and a tab that leaves makes room', async () => {
    const controller = new AbortController();
    const ask = async () =>
      await fetch(`${t.origin}/api/events`, {
        headers: { authorization: `Bearer ${t.token}` },
        signal: controller.signal,
      });
    const answers = await Promise.all(Array.from({ length: 70 }, ask));
    expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(64);
    expect(answers.filter((answer) => answer.status === 423).length).toBeGreaterThanOrEqual(6);
    controller.abort();
    await expect.poll(() => t.server.deps.hub.listeners).toBe(0);
    const tab = await listen();
    expect((await tab.next('hello')).event.type).toBe('hello');
    await tab.stop();
  });
});

describe('a session with a journal of another version', () => {
  it('is listed and opened, and keeps what it has; what can be removed of others is found', async () => {
    const client = await session();
    writeFileSync(path.join(t.project, 'old.txt'), 'host\n');
    await client.bash('echo one > old.txt');
    const { revision } = await listOf(t, client);
    await t.api(`/api/sessions/${client.id}/commit`, commitBody(revision));
    const journal = path.join(t.state, `sessions/${client.id}/commits/1/journal.jsonl`);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"v":', '"v":9'));
    const all = await json<SessionSummary[]>(await t.api('/api/sessions'));
    expect(all.map(({ id }) => id)).toContain(client.id);
    expect((await t.api(`/api/sessions/${client.id}`)).status).toBe(200);
    const answer = await t.api('/api/gc');
    expect(await answer.json()).toMatchObject({ problems: [{ session: client.id }] });
  });
});

describe('a launcher that was killed', () => {
  it('has its call closed by the server', async () => {
    const client = await session();
    const over = path.join(t.base, 'killed');
    const running = client.shell(`until [ -e '${over}' ]; do sleep 0.05; done`);
    const log = path.join(t.state, `sessions/${client.id}/calls.jsonl`);
    const launcher = () => /"t":"call.started".*"pid":(\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
    await expect.poll(launcher).toBeDefined();
    const pid = launcher();
    process.kill(Number(pid), 'SIGKILL');
    writeFileSync(over, '');
    await running;
    await t.server.manager.poll();
    expect((await client.log())[0]).toMatchObject({ state: 'lost' });
  });
});
