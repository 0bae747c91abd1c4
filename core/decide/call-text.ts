/**
 * Extracts the command from the string that the client passes to `bash -c`. Measured on client 2.1.330:
 * `… # trai:SESSION … && eval WORD[ < /dev/null] && pwd -P >| PATH`.
 */

/** The end of the env line. */
const MARKER = /# trai:[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?=\s)/;
const EVAL = ' && eval ';
const TAIL = /^(?: < \/dev\/null)? && pwd -P >\| \S+$/;
const BARE = /^[A-Za-z0-9_./:=@+,-]+/;
/** The command is in the variable `__CLAUDE_CC_COMMAND_TEXT`; the string only names it. */
const CARRIED = /&& 'eval' "[^"`'$();|&<>]*\$\{?__CLAUDE_CC_COMMAND_TEXT\}?"/;

/** Null for any other form: it must not run on the host. `carried`: `__CLAUDE_CC_COMMAND_TEXT` or empty. */
export function commandOf(shellString: string, carried: string): string | null {
  const first = MARKER.exec(shellString);
  if (first === null) return null;
  const behind = shellString.slice(first.index + first[0].length);
  const at = behind.indexOf(EVAL);
  if (at >= 0) {
    const word = readWord(behind, at + EVAL.length);
    return word !== null && TAIL.test(behind.slice(word.end)) ? word.text : null;
  }
  const match = carried === '' ? null : CARRIED.exec(behind);
  return match !== null && TAIL.test(behind.slice(match.index + match[0].length)) ? carried : null;
}

/** Null for anything but `'…'`, `"'"` and bare characters, as the client quotes. */
function readWord(text: string, start: number): { text: string; end: number } | null {
  let out = '';
  let at = start;
  for (;;) {
    const rest = text[at];
    if (rest === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) return null;
      out += text.slice(at + 1, close);
      at = close + 1;
    } else if (text.startsWith(`"'"`, at)) {
      out += "'";
      at += 3;
    } else if (rest === undefined || rest === ' ') {
      return at === start ? null : { text: out, end: at };
    } else {
      const bare = BARE.exec(text.slice(at, at + 4096))?.[0];
      if (bare === undefined) return null;
      out += bare;
      at += bare.length;
    }
  }
}

/** The client's wrapper of `sleep 30` (feature on, bash, 20 s and more). */
const WATCHED_SLEEP =
  /\{ CLAUDE_CODE_WATCHED_SLEEP=1 (sleep [^|]*?) \|\| \( case \$\? in 141\) ;; \*\) \\?builtin exit "\$\?";; esac \); \}/g;

/** Undoes the client's own changes. For attribution only; decisions use the text that runs. */
export function normalise(command: string): string {
  return command
    .replace(WATCHED_SLEEP, '$1')
    .replace(/(\d?>{1,2}) ?nul(?=$|[\s;&|)])/gi, '$1/dev/null')
    .replace(/(\d?>{1,2}) \/dev\/null/g, '$1/dev/null')
    .trim();
}

export interface OpenRequest {
  /** tool_use_id. */
  request: string;
  command: string;
  cwd: string;
}

export interface Match<R extends OpenRequest> {
  request: R | null;
  matched: 'exact' | 'normalised' | 'only-open' | 'none';
}

/**
 * The oldest with the same text and directory, same text, same normalised text, or the only one (another
 * plugin may have rewritten it). `open` is in order of arrival.
 */
export function matchRequest<R extends OpenRequest>(
  open: readonly R[],
  command: string,
  cwd: string,
): Match<R> {
  const wanted = normalise(command);
  const fits = {
    exact: open.filter((one) => one.command === command),
    normalised: open.filter((one) => normalise(one.command) === wanted),
  };
  for (const matched of ['exact', 'normalised'] as const) {
    const request = fits[matched].find((one) => one.cwd === cwd) ?? fits[matched][0];
    if (request !== undefined) return { request, matched };
  }
  const [only, ...more] = open;
  return only !== undefined && more.length === 0
    ? { request: only, matched: 'only-open' }
    : { request: null, matched: 'none' };
}
