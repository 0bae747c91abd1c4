import { lastPrompt } from '../hooks/world/session-files.ts';

const MAX_CHARS = 200;
const MAX_KNOWN = 200;

/** The last prompt of each conversation, of which a question came. */
export class LastPrompts {
  readonly #known = new Map<string, string>();

  /** @param inside the session of the credential, whose client speaks for no other session's */
  saw(claude: string, inside: string | null, prompt: string): void {
    // A command of trai's own begins no turn.
    if (prompt.trim() === '' || prompt.startsWith('/trai:')) return;
    const key = keyOf(claude, inside);
    this.#known.delete(key);
    this.#known.set(key, shortened(prompt));
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
  }

  /** Empty where it is not known. After a restart the session's log knows it, as far as it is read. */
  of(claude: string, inside: string | null, sessionDir: string): string {
    return this.#known.get(keyOf(claude, inside)) ?? shortened(lastPrompt(sessionDir, claude));
  }
}

const keyOf = (claude: string, inside: string | null): string => `${inside ?? ''} ${claude}`;

function shortened(prompt: string): string {
  if (prompt.length <= MAX_CHARS) return prompt;
  // Never half of a surrogate pair.
  return `${prompt.slice(0, MAX_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}
