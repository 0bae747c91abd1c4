import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROMPT_CHARS } from '../../../shared/limits.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

it('a prompt is on record, cut where it is long; a command of ours is none', async () => {
  const client = new TestClient(t, 'prompts');
  await client.start();
  const long = `${'x'.repeat(PROMPT_CHARS - 1)}\u{1f600} and more`;
  for (const prompt of ['add a test\nplease', long, '/trai:status', '  '])
    await client.send('UserPromptSubmit', { prompt });
  const answer = await t.api(`/api/sessions/${client.id}/calls`);
  const { marks }: { marks: { kind: string }[] } = JSON.parse(await answer.text());
  expect(marks.filter(({ kind }) => kind === 'prompt')).toMatchObject([
    { text: 'add a test\nplease', cut: 0 },
    // Never half of a character.
    { text: 'x'.repeat(PROMPT_CHARS - 1), cut: 11 },
  ]);
});

it('a tab that knows the log up to some place is told what is new since, and never less', async () => {
  const client = new TestClient(t, 'news');
  await client.start();
  const ask = async (after: number) => {
    const answer = await t.api(`/api/sessions/${client.id}/calls?after=${after}`);
    return JSON.parse(await answer.text());
  };
  await client.send('UserPromptSubmit', { prompt: 'one' });
  const first = await ask(0);
  expect(first).toMatchObject({ whole: true, calls: [] });
  await client.bash('true');
  await client.send('UserPromptSubmit', { prompt: 'two' });
  const news = await ask(first.size);
  expect(news).toMatchObject({ whole: false, calls: [{ command: 'true', rc: 0 }], marks: [{ text: 'two' }] });
  expect(await ask(news.size)).toMatchObject({ whole: false, calls: [], marks: [], size: news.size });
  // A position beyond the log: the tab knew another log.
  expect(await ask(news.size + 1)).toMatchObject({ whole: true, calls: [{ command: 'true' }] });
  expect((await t.api(`/api/sessions/${client.id}/calls?after=-1`)).status).toBe(400);
  expect((await t.api(`/api/sessions/${client.id}/call?call=nothing`)).status).toBe(404);
});
