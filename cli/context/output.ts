/** Where the words of a command go: to a terminal, or into the answer to a prompt of the client; and Ctrl-C. */
export interface Sink {
  out(text: string): void;
  err(text: string): void;
}

export const TERMINAL: Sink = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** The client cuts what a hook says at 10,000 characters. */
const MAX_ANSWER = 9_000;

/** Collects both streams: the user reads one text, in the order in which it was written. */
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

/**
 * A reader that leaves (`trai log | head -1`) ends no command: the rest of the output goes nowhere, and the exit status stays
 * the command's. Any other error of an output is printed, where it can be, and the command counts as failed.
 */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EIO: the terminal is gone.
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      // After the command has set its own.
      process.once('exit', () => {
        process.exitCode = 1;
      });
      if (stream === process.stdout)
        process.stderr.write(`trai: the output could not be written: ${error.message}\n`);
    });
  }
}

/** Runs `work`; the first Ctrl-C aborts its signal, so that it stops between two entries, the second ends the program. */
export async function stoppable<T>(
  cli: { remark(text: string): void },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    cli.remark(
      'Stopping between two entries. Ctrl-C once more leaves at once; the next run then finishes it.',
    );
  };
  process.on('SIGINT', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal);
  }
}

/** Commands that the client has, too. */
const SLASH =
  /`?\btrai (status|diff|log|ps|why|commit|discard|undo|adopt|export|ui|sessions|explore|passthrough|doctor)\b([^`\n]*)`?/g;

/** A hint for somebody who types in the client: slash commands instead of those of a terminal. */
export function typedHint(name: string, hint: string | undefined): string | undefined {
  // What is for a terminal stays one: the command names another session, or has no slash command.
  if (hint === undefined || hint.includes('terminal')) return hint;
  const slashed = hint.replace(SLASH, '/trai:$1$2');
  return slashed === hint && /(?:^|\s|\()--[a-z]/.test(hint)
    ? `${hint}\nType it after /trai:${name} and what you typed before.`
    : slashed;
}
