/** `1h`, `7d`, `today` or an ISO time, as an ISO time in UTC. */
import { sinceTime } from '../../../shared/since.ts';
import { badUsage, type Command } from '../../context/command.ts';
import { USAGE } from '../../messages/errors.ts';

/** Errors: `bad-usage`. */
export function sinceOf(command: Command, text: string): string {
  const found = sinceTime(text);
  if (found === null) throw badUsage(command, USAGE.noTime(text));
  return found;
}
