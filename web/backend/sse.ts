/** Server-sent events over `fetch`, as an EventSource sends no credential. Reconnects where it stopped. */
import { createParser } from 'eventsource-parser';
import type { BackendStatus, ServerEvent } from '../../shared/api/types.ts';
import { isObject } from '../../shared/json-lines.ts';

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 15_000;
/** The server sends something at least every 30 s: a longer silence means a dead connection. */
const SILENCE_MS = 75_000;

interface StreamOptions {
  url: string;
  token: () => string | null;
  listener: (event: ServerEvent) => void;
  status: (state: BackendStatus) => void;
}

/** Null for invalid messages; events of a newer version pass and are ignored by their type. */
function parseEvent(data: string): ServerEvent | null {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) && 'type' in value ? (value as unknown as ServerEvent) : null;
  } catch {
    return null;
  }
}

export interface Stream {
  close(): void;
  /** The credential is not valid: reports it, and stops reconnecting. */
  signOut(): void;
}

/** Reconnects until `close`. */
export function openStream(options: StreamOptions): Stream {
  const { listener, status } = options;
  let closed = false;
  let pause = FIRST_PAUSE_MS;
  let lastId = '';
  let abort = new AbortController();
  let wake: () => void = () => {};

  async function read(): Promise<'unauthorised' | 'ended'> {
    abort = new AbortController();
    const headers: Record<string, string> = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${options.token() ?? ''}`,
    };
    if (lastId !== '') headers['Last-Event-ID'] = lastId;
    const response = await fetch(options.url, { headers, signal: abort.signal, cache: 'no-store' });
    if (response.status === 401) return 'unauthorised';
    if (!response.ok || response.body === null) return 'ended';
    status('connected');
    pause = FIRST_PAUSE_MS;
    const parser = createParser({
      onEvent: (message) => {
        if (message.id !== undefined) lastId = message.id;
        const event = parseEvent(message.data);
        if (event?.type === 'signed-out') signOut();
        else if (event !== null) listener(event);
      },
    });
    await pump(response.body, (text) => parser.feed(text), abort);
    return 'ended';
  }

  async function run(): Promise<void> {
    status('connecting');
    while (!closed) {
      const end = await read().catch(() => 'ended' as const);
      if (closed) return;
      if (end === 'unauthorised') {
        status('unauthorised');
        return;
      }
      status('offline');
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause * (0.5 + Math.random()));
      });
      pause = Math.min(pause * 2, LAST_PAUSE_MS);
    }
  }

  function close(): void {
    closed = true;
    abort.abort();
    wake();
  }

  function signOut(): void {
    if (closed) return;
    close();
    status('unauthorised');
  }

  void run();
  return { close, signOut };
}

async function pump(
  body: ReadableStream<Uint8Array>,
  feed: (text: string) => void,
  abort: AbortController,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const timer = setTimeout(() => abort.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    feed(decoder.decode(value, { stream: true }));
  }
}
