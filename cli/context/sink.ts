/** Where the words of a command go: to a terminal, or into the answer to a prompt of the client. */

/** The client cuts what a hook says at 10,000 characters. */
const MAX_ANSWER = 9_000;

export interface Sink {
  out(text: string): void;
  err(text: string): void;
}

export const TERMINAL: Sink = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Collects all of it: the user reads one text, in the order in which it was said. */
export class PromptAnswer implements Sink {
  #text = '';

  out(text: string): void {
    this.#text += text;
  }

  err(text: string): void {
    this.#text += text;
  }

  /** One line for the client: the prompt ends here, and the user sees the text. */
  line(): string {
    const whole = this.#text.trimEnd();
    // Never half of a surrogate pair.
    const kept = whole.slice(0, MAX_ANSWER).replace(/[\ud800-\udbff]$/, '');
    const reason = kept.length === whole.length ? whole : `${kept}\n… (cut; /trai:ui shows all)`;
    return `${JSON.stringify({ decision: 'block', reason })}\n`;
  }
}
