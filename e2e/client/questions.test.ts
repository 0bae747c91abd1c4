/** Questions of the real client: answered in the dashboard, at the keyboard, by `trai answer`, and by nobody. */
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { processArguments } from '../../core/kernel/proc/proc.ts';
import type { EndedQuestion, Question, QuestionList } from '../../shared/model/question.ts';
import { Bench } from './bench.ts';
import { bash, type Scenario, type ToolCall } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A project with `./tool NAME`, which makes a file NAME, and which no rule is about. */
async function makeBench(scenarios: Record<string, Scenario>, config: object = {}): Promise<Bench> {
  const bench = await Bench.open({ scenarios, settings: { permissions: { allow: ['Agent'] } } });
  open.push(bench);
  chmodSync(bench.write('project/tool', '#!/bin/sh\n: > "$1"\n'), 0o755);
  bench.write('.config/trai/config.json', JSON.stringify(config));
  return bench;
}

async function started(bench: Bench): Promise<Terminal> {
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'default'] });
  open.push(screen);
  await screen.ready();
  return screen;
}

/** A tab of the user's, without a browser. */
class Tab {
  readonly #bench: Bench;
  #token = '';
  #base = '';

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async #fetch(url: string, body: unknown): Promise<unknown> {
    const script = `const [url, token, body] = process.argv.slice(1);
const headers = { ...(token && { authorization: 'Bearer ' + token }), ...(body && { 'content-type': 'application/json', origin: new URL(url).origin }) };
fetch(url, { headers, ...(body && { method: 'POST', body }) }).then(async (r) => console.log(await r.text()));`;
    const argv = [
      process.execPath,
      '-e',
      script,
      url,
      this.#token,
      body === undefined ? '' : JSON.stringify(body),
    ];
    const { out, err } = await this.#bench.exec(argv);
    if (out === '') throw new Error(err);
    return JSON.parse(out);
  }

  async api<T>(address: string, body?: unknown): Promise<T> {
    if (this.#token === '') {
      const { out, err } = await this.#bench.sh(`${this.#bench.plugin}/bin/trai ui --print`);
      const [, base, code] = /(http:\/\/127\.0\.0\.1:\d+)\/#c=([\w-]+)/.exec(out) ?? [];
      if (base === undefined) throw new Error(out + err);
      this.#base = base;
      const said = (await this.#fetch(`${base}/api/exchange`, { code })) as { token: string };
      this.#token = said.token;
    }
    return (await this.#fetch(`${this.#base}/api/${address}`, body)) as T;
  }

  async question(): Promise<Question> {
    let found: Question | undefined;
    await this.#bench.until(async () => {
      [found] = (await this.api<QuestionList>('questions')).open;
      return found !== undefined;
    });
    return found as Question;
  }

  async answer(question: string, answer: string, more: object = {}): Promise<unknown> {
    return await this.api('answer', { question, answer, message: null, rule: null, ...more });
  }

  /** Of the newest question that has ended. */
  async end(): Promise<EndedQuestion> {
    let found: EndedQuestion | undefined;
    await this.#bench.until(async () => {
      const { open: left, ended } = await this.api<QuestionList>('questions');
      [found] = ended;
      return left.length === 0 && found !== undefined;
    });
    return found as EndedQuestion;
  }
}

const ends = (bench: Bench, session = bench.sessions()[0]) =>
  bench
    .log(session)
    .flatMap((event) => (event['t'] === 'question' ? [`${event['end']} by ${event['by']}`] : []));
const held = (bench: Bench) => {
  const dir = bench.seen(path.join(bench.state, 'sessions', bench.sessions()[0] ?? '', 'questions'));
  return existsSync(dir) ? readdirSync(dir).length : 0;
};
const DIALOG = 'Do you want to proceed?';

describe('in a terminal, where the dialog is live', () => {
  test('a yes of a tab runs the call and closes the dialog; always stops the next question', async () => {
    const bench = await makeBench({ one: [bash('./tool first'), bash('./tool second')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    await screen.sees(DIALOG);
    const tab = new Tab(bench);
    const question = await tab.question();
    expect(question).toMatchObject({ tool: 'Bash', dialog: true, runs: 'sandbox', asks: 'client' });
    expect(question.request).not.toBe('');
    const rule = { scope: 'user', ...question.allow, pattern: '^\\./tool ' };
    expect(await tab.answer(question.id, 'always', { rule })).toMatchObject({ rule: { written: true } });
    await bench.until(
      async () => (await bench.pending('second')) !== null,
      () => screen.screen(),
    );
    expect(screen.screen()).not.toContain(DIALOG);
    expect(await bench.pending('first')).toBe('');
    expect(ends(bench)).toEqual(['open by client', 'always by tab']);
  });

  test('a no of a tab denies, and the model reads the user’s message', async () => {
    const bench = await makeBench({ one: [bash('./tool first')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    const tab = new Tab(bench);
    const { id } = await tab.question();
    await tab.answer(id, 'no', { message: 'use the other tool' });
    await bench.until(() =>
      JSON.stringify(bench.api.requests.at(-1)?.messages).includes('use the other tool'),
    );
    expect(await bench.pending('first')).toBeNull();
  });

  test('a yes at the keyboard ends the question as soon as the call runs', async () => {
    const bench = await makeBench({ one: [bash('./tool first; sleep 20')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    const tab = new Tab(bench);
    const { id } = await tab.question();
    await screen.confirm(DIALOG);
    expect(await tab.end()).toMatchObject({ end: 'ran', by: 'client' });
    expect(held(bench)).toBe(0);
    expect(await tab.answer(id, 'no')).toMatchObject({ error: { code: 'answered' } });
    expect(await bench.pending('first')).toBe('');
  });

  test.each([
    ['Write', { file_path: '$PROJECT/new.txt', content: 'written\n' }],
    ['WebFetch', { url: 'http://127.0.0.1:1/', prompt: 'p' }],
  ])('a yes at the keyboard for %s is found too', async (tool, input) => {
    const call: ToolCall = { tool, input };
    const bench = await makeBench({ one: [call] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    const tab = new Tab(bench);
    const { id } = await tab.question();
    if (tool === 'Write') {
      const diff = await tab.api(`question-diff?question=${id}`);
      expect(diff).toMatchObject({ kind: 'text', added: 1, removed: 0 });
    }
    await screen.confirm(/Do you want to [^?]*\?|Yes/);
    expect(await tab.end()).toMatchObject({ end: 'ran' });
  });

  test('Esc at the keyboard ends the hook, and with it the question', async () => {
    const bench = await makeBench({ one: [bash('./tool first')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    await screen.sees(DIALOG);
    const tab = new Tab(bench);
    await tab.question();
    await bench.until(async () => {
      if (screen.screen().includes(DIALOG)) screen.key('Escape');
      return (await tab.api<QuestionList>('questions')).open.length === 0;
    });
    expect(['ended', 'refused']).toContain((await tab.end()).end);
    expect(await bench.pending('first')).toBeNull();
  });

  test('nobody answers: the hook is killed, and the dialog goes on', async () => {
    const bench = await makeBench({ one: [bash('./tool first')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    await screen.sees(DIALOG);
    const tab = new Tab(bench);
    await tab.question();
    const hooks = bench.processes().filter((pid) => processArguments(pid)?.includes('PermissionRequest'));
    expect(hooks).not.toEqual([]);
    for (const pid of hooks) process.kill(pid, 'SIGKILL');
    expect(await tab.end()).toMatchObject({ end: 'ended' });
    await screen.confirm(DIALOG);
    await bench.until(async () => (await bench.pending('first')) !== null);
  });
});

describe('trai answer', () => {
  test('lists the questions in a terminal of the user’s, and answers one by its number', async () => {
    const bench = await makeBench({ one: [bash('./tool first'), bash('./tool second')] });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    await screen.sees(DIALOG);
    const trai = (words: string) => bench.sh(`${bench.plugin}/bin/trai answer ${words}`);
    let listed = '';
    await bench.until(async () => {
      listed = (await trai('--list')).out;
      return listed.includes('./tool first');
    });
    const said = await trai('1 y');
    expect(said, said.err).toMatchObject({ code: 0, out: 'Allowed, once.\n' });
    await bench.until(async () => (await bench.pending('first')) !== null);
    await bench.until(async () => (await trai('--list')).out.includes('./tool second'));
    const { out } = await trai('--json');
    expect(JSON.parse(out).open[0]).toMatchObject({ n: 2, tool: 'Bash' });
    expect((await trai('1 y')).code).toBe(1);
    expect((await trai('2 n --message nope')).code).toBe(0);
    expect(await bench.pending('second')).toBeNull();
  });

  test('with single keys in a terminal', async () => {
    const calls = [bash('./tool first'), bash('./tool second'), bash('sh tool third')];
    const bench = await makeBench({ one: calls });
    const screen = await started(bench);
    await screen.type('SCENARIO:one');
    await screen.sees(DIALOG);
    const window = screen.beside(`${bench.plugin}/bin/trai answer`);
    await window.sees(/\.\/tool first[\s\S]*y once/);
    window.key('y');
    await window.sees('Allowed, once.');
    await bench.until(async () => (await bench.pending('first')) !== null);
    window.key('Down');
    await window.sees(/\.\/tool second[\s\S]*y once/);
    window.key('a');
    await window.sees(/Adds to the allow rules \(user\)/);
    window.key('Enter');
    await window.sees(/Allowed, always\.[\s\S]*Added to .*rules\.json/);
    await bench.until(async () => (await bench.pending('second')) !== null);
    window.key('Down');
    await window.sees(/sh tool third[\s\S]*y once/);
    window.key('y');
    // At once: the question that was just answered is not shown again.
    window.key('Down');
    await window.sees('No open questions');
    window.key('q');
  });

  test('in a popup of the client’s own tmux, which ends with the question', async () => {
    const calls = [bash('./tool first'), bash('./tool second')];
    const bench = await makeBench({ one: calls }, { rules: { popup: true } });
    const screen = await started(bench);
    // A popup needs a terminal that shows the client's.
    const shown = screen.beside(`env -u TMUX tmux -S ${bench.base}/tmux.sock attach -t t`);
    await screen.type('SCENARIO:one');
    await shown.sees(/1 {2}Bash[\s\S]*\.\/tool first[\s\S]*y once/);
    shown.key('y');
    await bench.until(async () => (await bench.pending('first')) !== null);
    await shown.sees(/2 {2}Bash[\s\S]*\.\/tool second[\s\S]*y once/);
    const tab = new Tab(bench);
    await tab.answer((await tab.question()).id, 'once');
    await bench.until(async () => (await bench.pending('second')) !== null);
    await bench.until(async () => !shown.screen().includes('y once'));
  });

  test.each([
    ['answer', '$PLUGIN/bin/trai answer 1 y'],
    ['answer --from-prompt', '$PLUGIN/bin/trai answer --from-prompt'],
    ['by PATH', 'trai answer 1 y'],
    ['a variable', 'P=$PLUGIN; $P/bin/trai answer 1 y'],
    ['xargs', 'echo 1 y | xargs $PLUGIN/bin/trai answer'],
    ['a git alias', "git -c alias.x='!$PLUGIN/bin/trai answer 1 y' x"],
    ['bash -c', 'bash -c "$PLUGIN/bin/trai answer 1 y"'],
    ['detached', 'setsid $PLUGIN/bin/trai answer 1 y; sleep 1'],
    [
      'curl',
      'S=$HOME/.local/state/trai/server.json; P=$(sed "s/.*port\\":\\([0-9]*\\).*/\\1/" $S); curl -s -H "Authorization: Bearer $(sed "s/.*hook\\":\\"\\([^\\"]*\\).*/\\1/" $S)" -d "{}" http://127.0.0.1:$P/hook/answer',
    ],
  ])('is not the model’s: %s', async (_what, command) => {
    const bench = await makeBench(
      {
        asks: [{ tool: 'WebFetch', input: { url: 'http://127.0.0.1:1/', prompt: 'p' } }],
        model: ({ step }) => (step === 0 ? bash(command.replaceAll('$PLUGIN', bench.plugin ?? '')) : null),
      },
      { rules: { headlessSeconds: 600 } },
    );
    const asking = bench.claude('SCENARIO:asks');
    const tab = new Tab(bench);
    await bench.until(() => bench.sessions().length > 0);
    const { id } = await tab.question();
    await bench.claude('SCENARIO:model', { args: ['--permission-mode', 'bypassPermissions'] });
    expect((await tab.api<QuestionList>('questions')).open.map((one) => one.id)).toEqual([id]);
    await tab.answer(id, 'no');
    expect((await asking).results[0]?.error).toBe(true);
  });
});

describe('in claude -p', () => {
  test('nothing waits, as without trai', async () => {
    const bench = await makeBench({ one: [bash('./tool first')] });
    const run = await bench.claude('SCENARIO:one');
    expect(run.results[0]).toMatchObject({ error: true });
    expect(ends(bench)).toEqual([]);
  });

  test('with headlessSeconds it waits for the user, or for its time', async () => {
    const bench = await makeBench({ one: [bash('./tool first')] }, { rules: { headlessSeconds: 600 } });
    const run = bench.claude('SCENARIO:one');
    const tab = new Tab(bench);
    await bench.until(() => bench.sessions().length > 0);
    const { id, dialog } = await tab.question();
    expect(dialog).toBe(false);
    await tab.answer(id, 'once');
    expect((await run).results[0]).toMatchObject({ error: false });
    expect(await bench.pending('first')).toBe('');
    bench.write('.config/trai/config.json', JSON.stringify({ rules: { headlessSeconds: 1 } }));
    expect((await bench.claude('SCENARIO:one')).results[0]).toMatchObject({ error: true });
    expect(bench.sessions().flatMap((session) => ends(bench, session))).toContain('late by client');
  });
});

test('a subagent waits while a tab is in sight, and its dialog comes without one', async () => {
  const agent = { description: 'a step', prompt: 'SCENARIO:sub', subagent_type: 'general-purpose' };
  const bench = await makeBench({
    one: [{ tool: 'Agent', input: agent }],
    sub: [bash('./tool first'), bash('./tool second')],
  });
  const screen = await started(bench);
  const tab = new Tab(bench);
  await tab.api('seen', {});
  await screen.type('SCENARIO:one');
  const { id, agent: of, dialog } = await tab.question();
  expect([of === '', dialog]).toEqual([false, false]);
  await tab.answer(id, 'once');
  await bench.until(async () => (await bench.pending('first')) !== null);
  const second = await tab.question();
  await tab.answer(second.id, 'leave');
  await screen.sees(DIALOG);
});
