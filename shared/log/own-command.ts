import type { CallView } from './call-view.ts';

/** What a slash command runs: bin/trai by its whole path, with the arguments in a permit. */
const FROM_PROMPT = /^(?:"[^"]*\/bin\/trai"|\S*\/bin\/trai) ([a-z]+) --from-prompt\s*$/;

/** A call as a list names it: of a slash command of ours what the person typed, not the program that it runs. */
export function shownCommand({ command, reason }: Pick<CallView, 'command' | 'reason'>): string {
  const name = reason === 'own-program' ? FROM_PROMPT.exec(command)?.[1] : undefined;
  return name === undefined ? command : `/trai:${name}`;
}
