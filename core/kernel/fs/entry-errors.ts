/** Errors of a single entry, with the text for the user. */
import { ENTRY_ERRORS } from '../messages/reasons.ts';
import { errorCode } from './port.ts';

/** A unit that can't be applied, while others can. The message is for the user. */
export class NotApplied extends Error {
  override readonly name = 'NotApplied';
}

/** The message of an error that concerns one entry only; null when the commit must stop. */
export function entryMessage(thrown: unknown): string | null {
  if (thrown instanceof NotApplied) return thrown.message;
  const code = errorCode(thrown);
  const text = ENTRY_ERRORS[code];
  return text === undefined ? null : `${text} (${code})`;
}

/** Does what concerns one entry only. Returns the message when that fails; rethrows what stops the commit. */
export function refusalOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    const message = entryMessage(error);
    if (message === null) throw error;
    return message;
  }
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
