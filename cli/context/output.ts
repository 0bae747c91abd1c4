/** A command's output, to the terminal or into the answer to a prompt; and Ctrl-C. */
import { answerText } from '../../shared/terminal/visible.ts';

export interface Sink {
  out(text: string): void;
  err(text: string): void;
}

export const TERMINAL: Sink = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Both streams in one text. */
export class PromptAnswer implements Sink {
  #text = '';

  out(text: string): void {
    this.#text += text;
  }

  err(text: string): void {
    this.#text += text;
  }

  /** For the hook: the client stops the prompt and shows the text. */
  line(): string {
    return `${JSON.stringify({ decision: 'block', reason: answerText(this.#text) })}\n`;
  }
}

/** A closed pipe (`trai log | head -1`) does not change the exit status; other output errors do. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // EIO: the terminal is gone.
      if (error.code === 'EPIPE' || error.code === 'EIO') return;
      process.once('exit', () => {
        process.exitCode = 1;
      });
      if (stream === process.stdout)
        process.stderr.write(`trai: the output could not be written: ${error.message}\n`);
    });
  }
}

/** The first Ctrl-C stops `work` between two entries; the second ends the process. */
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

const SLASH =
  /`?\btrai (status|diff|log|ps|why|commit|discard|undo|adopt|export|ui|sessions|explore|passthrough|doctor|rules|answer)(?![\w-])([^`\n]*)`?/g;

/** Slash commands instead of terminal commands. */
export function typedHint(name: string, hint: string | undefined): string | undefined {
  // It is for a terminal: it names another session, or has no slash command.
  if (hint === undefined || hint.includes('terminal')) return hint;
  const slashed = hint.replace(SLASH, '/trai:$1$2');
  return slashed === hint && /(?:^|\s|\()--[a-z]/.test(hint)
    ? `${hint}\nType it after /trai:${name} and what you typed before.`
    : slashed;
}
