import type { ShellRun } from './bench.ts';
import { flat } from './mock-api.ts';

export interface ToolResult {
  id: string;
  text: string;
  error: boolean;
}

/** One `claude -p` run, read from its stream-json output. */
export interface ClaudeRun extends ShellRun {
  events: Record<string, unknown>[];
  /** Results of the main conversation's tool calls, in the order they came back. */
  results: ToolResult[];
  /** The client's id of the session. */
  session: string;
  /** Text of the last `result` event. */
  answer: string;
}

interface Block {
  type?: string;
  tool_use_id?: string;
  content?: unknown;
  is_error?: boolean;
}

/** Reads the stream; lines that are not JSON are left to `out`. */
export function parseRun(run: ShellRun): ClaudeRun {
  const events: Record<string, unknown>[] = [];
  for (const line of run.out.split('\n')) {
    if (line.startsWith('{')) events.push(JSON.parse(line) as Record<string, unknown>);
  }
  const results: ToolResult[] = [];
  for (const event of events) {
    const content = (event['message'] as { content?: unknown } | undefined)?.content;
    if (event['type'] !== 'user' || event['parent_tool_use_id'] != null || !Array.isArray(content)) continue;
    for (const block of content as Block[]) {
      if (block.type !== 'tool_result') continue;
      results.push({
        id: block.tool_use_id ?? '',
        text: flat(block.content),
        error: block.is_error === true,
      });
    }
  }
  const last = events.findLast((event) => event['type'] === 'result');
  const answer = typeof last?.['result'] === 'string' ? last['result'] : '';
  const session = events.map((event) => event['session_id']).find((id) => typeof id === 'string') ?? '';
  return { ...run, events, results, session, answer };
}
