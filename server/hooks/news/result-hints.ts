/** What the agent is told about errors that only a sandboxed call meets. */
import type { HookAnswer } from '../world/answer.ts';
import { type HookInput, isObject, list, text } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';
import { withContext } from './context.ts';

/** So much of a result is looked through, from its beginning and from its end. */
const LOOK_CHARS = 20_000;

const HINTS: readonly { when: RegExp; said: string }[] = [
  {
    when: /failed to create link .*Invalid cross-device link/,
    said:
      'in the sandbox, hard links from another file system (such as /tmp) into the overlay are not possible. ' +
      'Clone without `--local`, or with `--no-hardlinks`.',
  },
  {
    when: /Invalid cross-device link|EXDEV: cross-device link/,
    said:
      'in the sandbox, an existing directory of the user cannot be renamed, and nothing can be linked or renamed between ' +
      'covered directories and /tmp. `mv` and `cp -a` copy instead.',
  },
];

/** PostToolBatch: adds a hint to the answer of others where a Bash call met such an error. */
export async function withResultHints(
  world: HookWorld,
  input: HookInput,
  answer: HookAnswer,
): Promise<HookAnswer> {
  const said = hintsFor(input);
  if (said === '' || answer.exit !== 0) return answer;
  const session = await world.session(input.claude);
  return session === null || session.off !== null ? answer : withContext(answer, 'PostToolBatch', said);
}

function hintsFor(input: HookInput): string {
  const hints = list(input.all, 'tool_calls').flatMap((item) => {
    if (!isObject(item) || text(item, 'tool_name') !== 'Bash') return [];
    const result = text(item, 'tool_response');
    const seen = `${result.slice(0, LOOK_CHARS)}\n${result.slice(-LOOK_CHARS)}`;
    const found = HINTS.find(({ when }) => when.test(seen));
    return found === undefined ? [] : [`trai: ${found.said}`];
  });
  return [...new Set(hints)].join('\n');
}
