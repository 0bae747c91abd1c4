import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Input } from '../../shared/api/contract.ts';
import type { LineCounts, SearchHit, SearchPage } from '../../shared/api/types.ts';
import { MAX_IMAGE_BYTES, SEARCH_FILE_HITS, SEARCH_HITS } from '../../shared/limits.ts';
import { TestClient } from '../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../testing/server/server.ts';

const SECRET = 'SECRET-of-somebody';
const PNG = '\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR';
let t: TestServer;
let count = 0;

beforeAll(async () => {
  t = await testServer();
  writeFileSync(path.join(t.base, 'outside'), `${SECRET}\n`);
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

interface Opened {
  client: TestClient;
  ids: Map<string, string>;
}

async function session(command: string): Promise<Opened> {
  const client = new TestClient(t, `c${++count}`);
  await client.start();
  expect(await client.bash(command)).toMatchObject({ rc: 0 });
  const list = await listOf(t, client);
  return {
    client,
    ids: new Map(list.changes.map((one) => [path.relative(t.project, one.path), one.id])),
  };
}

async function searchAll(
  { client }: Opened,
  text: string,
  patch: Partial<Input<'search'>> = {},
): Promise<SearchPage[]> {
  const pages: SearchPage[] = [];
  for (let after: string | null = null; pages.length === 0 || after !== null; ) {
    const order = { text, matchCase: false, includeIgnored: false, after, ...patch };
    const answer = await t.api(`/api/sessions/${client.id}/search`, order);
    expect(answer.status).toBe(200);
    const page: SearchPage = JSON.parse(await answer.text());
    pages.push(page);
    after = page.next;
  }
  return pages;
}

async function hits(
  opened: Opened,
  text: string,
  patch: Partial<Input<'search'>> = {},
): Promise<SearchHit[]> {
  return (await searchAll(opened, text, patch)).flatMap((page) => page.hits);
}

async function get(
  opened: Opened,
  route: 'image' | 'download',
  name: string,
  side = 'pending',
): Promise<Response> {
  const entry = opened.ids.get(name) ?? 'none';
  return await t.api(`/api/sessions/${opened.client.id}/${route}?entry=${entry}&side=${side}`);
}

function swapForLink({ client }: Opened, name: string, to = path.join(t.base, 'outside')): void {
  const overlay = path.join(t.state, 'sessions', client.id, 'overlay/');
  // An ordinary user may not read the work directories.
  const args = [overlay, '-name', 'w', '-prune', '-o', '-path', `*/u/*${name}`, '-print'];
  const [file = ''] = execFileSync('find', args, { encoding: 'utf8' }).split('\n');
  expect(file).not.toBe('');
  renameSync(file, path.join(t.base, `aside-${client.id}`));
  symlinkSync(to, file);
}

describe('search', () => {
  it('gives path, line and place in it, for literal text in any case', async () => {
    const opened = await session(
      "printf 'one\\nTwo (a+)+$ here\\n' > sub.txt; printf '\\0(a+)+$' > binary; printf '%0300dxNEEDLE\\n' 0 > long",
    );
    const [found, ...more] = await hits(opened, 'two (A+)+$');
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      entry: opened.ids.get('sub.txt'),
      line: 2,
      text: 'Two (a+)+$ here',
      at: 0,
      length: 10,
    });
    expect(await hits(opened, 'two (A+)+$', { matchCase: true })).toEqual([]);
    expect(await hits(opened, '.*')).toEqual([]);
    const [long] = await hits(opened, 'needle');
    expect(long?.text.slice(long.at, long.at + long.length)).toBe('NEEDLE');
    expect(long?.text.length).toBeLessThan(200);
  });

  it('goes on page by page until all was searched, and says what is not named', async () => {
    const files = Math.ceil(SEARCH_HITS / SEARCH_FILE_HITS) + 2;
    const opened = await session(
      `for i in $(seq ${files}); do yes needle | head -n ${SEARCH_FILE_HITS + 3} > f$i; done`,
    );
    const pages = await searchAll(opened, 'needle');
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.reduce((sum, page) => sum + page.searched, 0)).toBe(files);
    expect(pages.flatMap((page) => page.hits)).toHaveLength(files * SEARCH_FILE_HITS);
    expect(pages.flatMap((page) => Object.values(page.more))).toEqual(Array.from({ length: files }, () => 3));
  });

  it('counts what it could not read, and follows no link in the place of a file', async () => {
    const opened = await session(
      `echo ${SECRET} > mine; truncate -s 3M big; sed -i 's/^/x/' big; head -c 3000000 /dev/zero | tr '\\0' x > big`,
    );
    expect(await hits(opened, SECRET)).toHaveLength(1);
    swapForLink(opened, 'mine');
    const pages = await searchAll(opened, SECRET);
    expect(pages.flatMap((page) => page.hits)).toEqual([]);
    expect(pages.reduce((sum, page) => sum + page.skipped, 0)).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['nothing', { text: '' }],
    ['two lines', { text: 'a\nb' }],
    ['a long text', { text: 'x'.repeat(201) }],
    ['no case', { matchCase: undefined }],
    ['an odd place', { after: '../x' }],
    ['something more', { all: true }],
  ])('refuses %s', async (_name, patch) => {
    const order = { text: 'a', matchCase: false, includeIgnored: false, after: null, ...patch };
    expect((await t.api('/api/sessions/c1/search', order)).status).toBe(400);
  });
});

describe('line counts', () => {
  it('are of text only', async () => {
    writeFileSync(path.join(t.project, 'kept'), 'a\nb\nc\n');
    const opened = await session(
      "printf 'a\\nB\\nc\\nd\\n' > kept; seq 7 > made; printf '\\0' > binary; ln -s x link; chmod 700 .",
    );
    const entries = [...opened.ids.values()];
    const answer = await t.api(`/api/sessions/${opened.client.id}/line-counts`, { entries });
    const counts: LineCounts = JSON.parse(await answer.text());
    const named = Object.fromEntries([...opened.ids].map(([name, id]) => [name, counts[id]]));
    expect(named).toMatchObject({ kept: [2, 1], made: [7, 0], binary: null, link: null });
    expect((await t.api(`/api/sessions/${opened.client.id}/line-counts`, { entries: [] })).status).toBe(400);
  });
});

describe('an image', () => {
  it('is sent with the type of its bytes, and nothing may run in it', async () => {
    const opened = await session(`printf '${PNG}' > photo.html`);
    const answer = await get(opened, 'image', 'photo.html');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await answer.arrayBuffer()).byteLength).toBe(16);
  });

  it('is not what only calls itself one', async () => {
    const opened = await session(
      `echo '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' > a.svg; echo '<html>' > b.png; printf '%%PDF-1.7' > c.png; printf 'xxxxWEBPonly' > d.webp; mkfifo e.png; ln -s ${t.base}/outside f.png; printf '${PNG}' > g.png; truncate -s ${MAX_IMAGE_BYTES + 1} g.png`,
    );
    for (const [name, status] of Object.entries({
      'a.svg': 400,
      'b.png': 400,
      'c.png': 400,
      'd.webp': 400,
      'e.png': 404,
      'f.png': 404,
      'g.png': 413,
    })) {
      const answer = await get(opened, 'image', name);
      expect([name, answer.status]).toEqual([name, status]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await answer.text()).not.toContain(SECRET);
    }
    expect((await get(opened, 'image', 'b.png', 'host')).status).toBe(404);
  });
});

describe('a download', () => {
  it('is the file, byte for byte, of either side, and nothing but an attachment', async () => {
    writeFileSync(path.join(t.project, 'both.html'), '<script>host</script>');
    const opened = await session("printf '<script>pending</script>' > both.html; seq 200000 > large");
    const pending = await get(opened, 'download', 'both.html');
    expect(pending.headers.get('content-type')).toBe('application/octet-stream');
    expect(pending.headers.get('content-disposition')).toBe(
      `attachment; filename="both.html"; filename*=UTF-8''both.html`,
    );
    expect(pending.headers.get('content-security-policy')).toContain('sandbox');
    expect(await pending.text()).toBe('<script>pending</script>');
    expect(await (await get(opened, 'download', 'both.html', 'host')).text()).toBe('<script>host</script>');
    const large = await (await get(opened, 'download', 'large')).text();
    expect(large.split('\n')).toHaveLength(200_001);
    expect((await get(opened, 'download', 'large', 'host')).status).toBe(404);
    expect((await get(opened, 'download', 'large', 'etc')).status).toBe(400);
  });

  it('has a name that no header obeys', async () => {
    const opened = await session(`touch $'a"; filename=x\\r\\nSet-Cookie: a=b.txt' $'ov\\u202egpj.exe'`);
    for (const name of opened.ids.keys()) {
      const answer = await get(opened, 'download', name);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w. -]*"; filename\*=UTF-8''[\w.%~-]*$/,
      );
    }
  });

  it('follows no link in the place of the file that is listed', async () => {
    const opened = await session('echo mine > swapped');
    swapForLink(opened, 'swapped');
    for (const route of ['download', 'image'] as const) {
      const answer = await get(opened, route, 'swapped');
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain(SECRET);
    }
  });

  it('follows no link in the place of a directory above it', async () => {
    const opened = await session('mkdir way; echo mine > way/listed');
    const elsewhere = path.join(t.base, 'outside-dir');
    mkdirSync(elsewhere);
    writeFileSync(path.join(elsewhere, 'listed'), `${SECRET}\n`);
    swapForLink(opened, 'way', elsewhere);
    for (const route of ['download', 'image'] as const) {
      const answer = await get(opened, route, 'way/listed');
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain(SECRET);
    }
  });

  it('leaves no file open, read to its end or not', async () => {
    const opened = await session('seq 2000000 > large');
    // By its name: connections, logs and the work after the call open files too.
    const open = (): string[] =>
      readdirSync('/proc/self/fd')
        .map((fd) => linkOf(`/proc/self/fd/${fd}`))
        .filter((file) => file.endsWith('/large'));
    // Garbage collection closes what was left open, with a warning.
    const warned: string[] = [];
    const hear = (warning: Error): unknown => warned.push(warning.message);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    await (await get(opened, 'download', 'large')).text();
    await expect.poll(open, { timeout: 30_000 }).toEqual([]);
    for (let i = 0; i < 20; i++) {
      const abort = new AbortController();
      const address = `${t.origin}/api/sessions/${opened.client.id}/download?entry=${opened.ids.get('large')}&side=pending`;
      const headers = { authorization: `Bearer ${t.token}` };
      const answer = await fetch(address, {
        headers,
        signal: abort.signal,
        method: i % 2 === 0 ? 'GET' : 'HEAD',
      });
      expect(answer.status).toBe(200);
      abort.abort();
    }
    await expect.poll(open, { timeout: 30_000 }).toEqual([]);
    expect(warned.filter((message) => message.includes('garbage collection'))).toEqual([]);
  });
});

/** Empty when it was closed meanwhile. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(fd);
  } catch {
    return '';
  }
}
