import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ColourJob, FromWorker, Token } from './highlight.ts';
import { ABANDONED_MS, type Colourer, Highlighter, LIMIT_MS } from './highlighter.ts';

class FakeWorker implements Colourer {
  onmessage: Colourer['onmessage'] = null;
  onerror: Colourer['onerror'] = null;
  readonly jobs: string[] = [];
  ended = false;

  postMessage(job: ColourJob): void {
    this.jobs.push(job.texts.join(''));
  }

  terminate(): void {
    this.ended = true;
  }

  says(data: FromWorker): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }

  fails(): void {
    this.onerror?.(new Event('error') as ErrorEvent);
  }
}

const never = () => new AbortController().signal;
const shell = (text: string): ColourJob => ({ language: 'bash', texts: [text] });
const answer = (className: string): Token[][][] => [[[{ start: 0, end: 1, className }]]];

function bench() {
  const workers: FakeWorker[] = [];
  const highlighter = new Highlighter(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
  const at = (index: number): FakeWorker => {
    const worker = workers[index];
    if (worker === undefined) throw new Error(`expected worker ${index}, ${workers.length} were started`);
    return worker;
  };
  return { workers, highlighter, at };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('nothing is started before it is needed, and one job is with the worker at a time', async () => {
  const { workers, highlighter, at } = bench();
  expect(workers).toEqual([]);
  const [a, b] = [highlighter.ask(shell('a'), never()), highlighter.ask(shell('b'), never())];
  expect(at(0).jobs).toEqual([]);
  at(0).says('ready');
  expect(at(0).jobs).toEqual(['a']);
  at(0).says(answer('one'));
  at(0).says(answer('two'));
  expect([await a, await b]).toEqual([answer('one'), answer('two')]);
  expect(workers).toHaveLength(1);
});

test('loading the worker does not count towards the limit of its first job', async () => {
  const { highlighter, at } = bench();
  const a = highlighter.ask(shell('a'), never());
  vi.advanceTimersByTime(LIMIT_MS * 10);
  at(0).says('ready');
  at(0).says(answer('one'));
  expect(await a).toEqual(answer('one'));
});

test('a job that hangs is ended with its worker, and the next one gets a new worker', async () => {
  const { workers, highlighter, at } = bench();
  const [a, b] = [highlighter.ask(shell('a'), never()), highlighter.ask(shell('b'), never())];
  at(0).says('ready');
  vi.advanceTimersByTime(LIMIT_MS - 1);
  expect(at(0).ended).toBe(false);
  vi.advanceTimersByTime(1);
  expect(at(0).ended).toBe(true);
  expect(await a).toBeNull();
  at(1).says('ready');
  // Sent by the first worker before its end.
  at(0).says(answer('late'));
  at(1).says(answer('two'));
  expect(await b).toEqual(answer('two'));
  expect(at(1).jobs).toEqual(['b']);
  vi.advanceTimersByTime(LIMIT_MS * 2);
  expect(workers).toHaveLength(2);
  expect(at(1).ended).toBe(false);
});

test('after a hang no worker is started until something is asked for', () => {
  const { workers, highlighter, at } = bench();
  void highlighter.ask(shell('a'), never());
  at(0).says('ready');
  vi.advanceTimersByTime(LIMIT_MS);
  expect(workers).toHaveLength(1);
  void highlighter.ask(shell('b'), never());
  expect(workers).toHaveLength(2);
});

test('what is given up while it waits is never begun', async () => {
  const { highlighter, at } = bench();
  const abort = new AbortController();
  const [a, b] = [highlighter.ask(shell('a'), abort.signal), highlighter.ask(shell('b'), never())];
  abort.abort();
  expect(await a).toBeNull();
  at(0).says('ready');
  expect(at(0).jobs).toEqual(['b']);
  at(0).says(answer('two'));
  expect(await b).toEqual(answer('two'));
});

test('what is given up while it runs keeps others waiting for a moment at most', async () => {
  const { highlighter, at } = bench();
  const abort = new AbortController();
  const [a, b] = [highlighter.ask(shell('a'), abort.signal), highlighter.ask(shell('b'), never())];
  at(0).says('ready');
  abort.abort();
  expect(await a).toBeNull();
  vi.advanceTimersByTime(ABANDONED_MS);
  expect(at(0).ended).toBe(true);
  at(1).says('ready');
  at(1).says(answer('two'));
  expect(await b).toEqual(answer('two'));
});

test('an answer that comes in that moment is not taken for that of the next job', async () => {
  const { workers, highlighter, at } = bench();
  const abort = new AbortController();
  const [a, b] = [highlighter.ask(shell('a'), abort.signal), highlighter.ask(shell('b'), never())];
  at(0).says('ready');
  abort.abort();
  at(0).says(answer('one'));
  at(0).says(answer('two'));
  expect([await a, await b]).toEqual([null, answer('two')]);
  vi.advanceTimersByTime(ABANDONED_MS);
  expect(workers).toHaveLength(1);
});

test('a worker that cannot be loaded is not tried again, and nobody waits for it', async () => {
  const { workers, highlighter, at } = bench();
  const a = highlighter.ask(shell('a'), never());
  at(0).fails();
  expect([await a, await highlighter.ask(shell('b'), never())]).toEqual([null, null]);
  expect(workers).toHaveLength(1);
});

test('a browser that lets no worker be started shows plain text', async () => {
  const highlighter = new Highlighter(() => {
    throw new Error('refused');
  });
  expect(await highlighter.ask(shell('a'), never())).toBeNull();
});

test('a job that throws has no colours, and its worker goes on', async () => {
  const { workers, highlighter, at } = bench();
  const [a, b] = [highlighter.ask(shell('a'), never()), highlighter.ask(shell('b'), never())];
  at(0).says('ready');
  at(0).says(null);
  at(0).says(answer('two'));
  expect([await a, await b]).toEqual([null, answer('two')]);
  expect(workers).toHaveLength(1);
});

test('what is given up before it was asked for, and what is not to be coloured, is answered at once', async () => {
  const { workers, highlighter } = bench();
  expect(await highlighter.ask(shell('a'), AbortSignal.abort())).toBeNull();
  expect(await highlighter.ask(null, never())).toBeNull();
  expect(workers).toEqual([]);
});
