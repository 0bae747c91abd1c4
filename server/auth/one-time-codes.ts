import { TraiError } from '../../shared/errors.ts';
import { CODE_MS } from '../../shared/limits.ts';
import type { BrowserCredentials } from './browser-credentials.ts';
import { newSecret } from './secret.ts';

/** Spent codes are remembered so that a second use can be told from a wrong code. */
const MAX_REMEMBERED = 256;

interface Code {
  expires: number;
  used: boolean;
}

/**
 * Codes that `/trai:ui` puts into the address of the tab it opens (`#c=CODE`). A code is seen by whoever can read the
 * browser's command line, so it works once and for half a minute, and only for a browser of the user's (see Peers). An
 * address that is opened a second time is mostly the same person's: it gets nothing, and the first tab keeps what it has.
 */
export class OneTimeCodes {
  readonly #codes = new Map<string, Code>();
  readonly #credentials: BrowserCredentials;
  readonly #now: () => number;

  constructor(credentials: BrowserCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  make(): { code: string; expiresInMs: number } {
    const code = newSecret();
    this.#codes.set(code, { expires: this.#now() + CODE_MS, used: false });
    if (this.#codes.size > MAX_REMEMBERED) {
      const oldest = this.#codes.keys().next().value;
      if (oldest !== undefined) this.#codes.delete(oldest);
    }
    return { code, expiresInMs: CODE_MS };
  }

  /** Trades a code for a browser credential. Throws `unauthorised` for a code that is wrong, late or spent. */
  exchange(code: string): string {
    const known = this.#codes.get(code);
    if (known === undefined)
      throw new TraiError('unauthorised', 'this code is not known', { hint: ASK_AGAIN });
    if (known.used) {
      throw new TraiError('unauthorised', 'this link was already used, and works once', {
        hint: `The tab that it opened first stays signed in. ${ASK_AGAIN}`,
        data: { reused: true },
      });
    }
    if (this.#now() > known.expires) {
      this.#codes.delete(code);
      throw new TraiError('unauthorised', 'this code is older than 30 seconds', { hint: ASK_AGAIN });
    }
    known.used = true;
    return this.#credentials.issue().token;
  }
}

const ASK_AGAIN = 'Type /trai:ui in Claude Code, or run `trai ui`, for a new one.';
