import type { Bench } from './bench.ts';
import { flat, type ToolCall } from './mock-api.ts';

/** Calls of the client's file tools on a file of the project. */
export const tool = (name: string, file: string, more: Record<string, unknown> = {}): ToolCall => ({
  tool: name,
  input: { [name === 'NotebookEdit' ? 'notebook_path' : 'file_path']: `$PROJECT/${file}`, ...more },
});
export const read = (file: string) => tool('Read', file);
export const edit = (file: string, from: string, to: string) =>
  tool('Edit', file, { old_string: from, new_string: to });
export const write = (file: string, content: string) => tool('Write', file, { content });

/** The results of all tools of the conversation, in order. */
export function results(bench: Bench): string[] {
  const last = bench.api.requests.findLast((request) => request.tools > 0);
  const blocks = (last?.messages ?? []).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  );
  return blocks.filter((block) => block.type === 'tool_result').map((block) => flat(block.content));
}

/** Everything that the model was told beside the results of its tools, a line each. */
export function told(bench: Bench): string[] {
  const last = bench.api.requests.findLast((request) => request.tools > 0);
  const texts = (last?.messages ?? [])
    .filter((message) => message.role !== 'assistant')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map((block) => block.text ?? ''),
    );
  return texts
    .join('\n')
    .split('\n')
    .filter((line) => /(Tool\w*)(:\w+)? hook additional context: trai: /.test(line));
}
