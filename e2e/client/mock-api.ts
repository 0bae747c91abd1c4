import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What the model "says": some text, or calls of tools (several in one reply run in parallel where they may). */
export interface ToolCall {
  tool: string;
  input: Record<string, unknown>;
}
export type Reply = string | ToolCall | readonly ToolCall[];

/** What a scenario is given for each reply. */
export interface Turn {
  /** How many replies this conversation has had since the prompt that named the scenario. */
  step: number;
  /** The texts of the tool results that came with this request, in order. */
  results: readonly string[];
}
export type Scenario = readonly Reply[] | ((turn: Turn) => Reply | null | Promise<Reply | null>);

interface Message {
  role: string;
  content: string | { type: string; text?: string; content?: unknown }[];
}
export interface ApiRequest {
  path: string;
  model: string;
  messages: readonly Message[];
  tools: number;
  session: string;
}

/** Shorthand for a Bash call. */
export function bash(command: string, more: Record<string, unknown> = {}): ToolCall {
  return { tool: 'Bash', input: { command, description: 'a step of the test', ...more } };
}

const DONE = 'done';

/**
 * A stand-in for the Messages API: `SCENARIO:name` in a prompt chooses what is said, step by step. A request without
 * tools (titles, summaries) gets "ok".
 */
export class MockApi {
  readonly requests: ApiRequest[] = [];
  readonly server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  readonly #scenarios: Readonly<Record<string, Scenario>>;
  readonly #project: string;
  #ids = 0;

  /** `$PROJECT` in a tool's input stands for `project`. */
  constructor(scenarios: Readonly<Record<string, Scenario>>, project: string) {
    this.#scenarios = scenarios;
    this.#project = project;
  }

  /** The client's session id, as the newest request names it. */
  session(): string {
    return this.requests.at(-1)?.session ?? '';
  }

  /** Listens on a unix socket: the client's network namespace has no way to this process but a file. */
  async listen(socket: string): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(socket, resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"not_found_error"}}');
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      model?: string;
      messages?: Message[];
      tools?: unknown[];
      metadata?: { user_id?: string };
    };
    const messages = body.messages ?? [];
    const tools = body.tools?.length ?? 0;
    const session =
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!.*[0-9a-f]{8}-)/.exec(body.metadata?.user_id ?? '')?.[0] ??
      '';
    this.requests.push({ path: request.url, model: body.model ?? '', messages, tools, session });
    if (request.url.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":10}');
      return;
    }
    const reply = tools === 0 ? 'ok' : await this.#reply(messages);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of this.#events(reply))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }

  async #reply(messages: readonly Message[]): Promise<Reply> {
    let name: string | undefined;
    let at = messages.length;
    while (name === undefined && at > 0) {
      at -= 1;
      const message = messages[at];
      if (message?.role === 'user') name = /SCENARIO:([a-z0-9-]+)/.exec(textOf(message))?.[1];
    }
    const scenario = name === undefined ? undefined : this.#scenarios[name];
    if (scenario === undefined) return DONE;
    const step = messages.slice(at).filter((message) => message.role === 'assistant').length;
    if (typeof scenario !== 'function') return scenario[step] ?? DONE;
    return (await scenario({ step, results: resultsOf(messages.at(-1)) })) ?? DONE;
  }

  *#events(reply: Reply): Generator<Record<string, unknown> & { type: string }> {
    const calls = typeof reply === 'string' ? [] : 'tool' in reply ? [reply] : reply;
    const usage = {
      input_tokens: 10,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const id = `msg_${++this.#ids}`;
    yield {
      type: 'message_start',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'mock',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    };
    if (typeof reply === 'string') {
      yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
      yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: reply } };
      yield { type: 'content_block_stop', index: 0 };
    }
    for (const [index, call] of calls.entries()) {
      const block = { type: 'tool_use', id: `toolu_${++this.#ids}`, name: call.tool, input: {} };
      yield { type: 'content_block_start', index, content_block: block };
      const delta = {
        type: 'input_json_delta',
        partial_json: JSON.stringify(call.input).replaceAll('$PROJECT', this.#project),
      };
      yield { type: 'content_block_delta', index, delta };
      yield { type: 'content_block_stop', index };
    }
    const stop = calls.length > 0 ? 'tool_use' : 'end_turn';
    yield { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage };
    yield { type: 'message_stop' };
  }
}

function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('\n');
}

function resultsOf(message: Message | undefined): string[] {
  if (message === undefined || typeof message.content === 'string') return [];
  return message.content.filter((block) => block.type === 'tool_result').map((block) => flat(block.content));
}

/** A tool result's content is a text or a list of text blocks. */
export function flat(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block: { text?: string }) => block.text ?? '').join('\n');
}
