/**
 * Takes the command back out of the string that the client hands to `bash -c`. The form is the client's, measured on
 * 2.1.330: `… # trai:SESSION … && eval WORD[ < /dev/null] && pwd -P >| PATH`.
 */

/** What follows the session's marker in the env line. */
const MARKER = /# trai:[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?=\s)/;
const EVAL = ' && eval ';
const TAIL = /^(?: < \/dev\/null)? && pwd -P >\| \S+$/;
const BARE = /^[A-Za-z0-9_./:=@+,-]+/;
/** The command itself is in the variable `__CLAUDE_CC_COMMAND_TEXT`; the string only names it. */
const CARRIED = /&& 'eval' "[^"`'$();|&<>]*\$\{?__CLAUDE_CC_COMMAND_TEXT\}?"/;

/**
 * The command in `shellString`, or null when the string does not have exactly the known form: then nothing is known
 * of it and it must not run on the host. `carried` is the content of `__CLAUDE_CC_COMMAND_TEXT`, or empty.
 */
export function commandOf(shellString: string, carried: string): { command: string } | null {
  const first = MARKER.exec(shellString);
  if (first === null) return null;
  const behind = shellString.slice(first.index + first[0].length);
  const at = behind.indexOf(EVAL);
  if (at >= 0) {
    const word = readWord(behind, at + EVAL.length);
    if (word !== null && TAIL.test(behind.slice(word.end))) return { command: word.text };
    return null;
  }
  const match = carried === '' ? null : CARRIED.exec(behind);
  if (match === null || !TAIL.test(behind.slice(match.index + match[0].length))) return null;
  return { command: carried };
}

/** Reads one shell word made of `'…'`, `"'"` and bare characters, as the client quotes; null for anything else. */
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

/** `sleep 30` as the client wraps it to watch it (feature on, bash, 20 s and more). */
const WATCHED_SLEEP =
  /\{ CLAUDE_CODE_WATCHED_SLEEP=1 (sleep [^|]*?) \|\| \( case \$\? in 141\) ;; \*\) \\?builtin exit "\$\?";; esac \); \}/g;

/**
 * The text by which a command is recognised after the client's own changes: `nul` for `/dev/null`, the watched
 * sleep, blanks around it. For attribution only; decisions are made on the text that runs.
 */
export function normalise(command: string): string {
  return command
    .replace(WATCHED_SLEEP, '$1')
    .replace(/(\d?>{1,2}) ?nul(?=$|[\s;&|)])/gi, '$1/dev/null')
    .replace(/(\d?>{1,2}) \/dev\/null/g, '$1/dev/null')
    .trim();
}

/** A request that no call has claimed yet. */
export interface OpenRequest {
  /** tool_use_id of the client. */
  request: string;
  command: string;
  cwd: string;
}

export interface Match<R extends OpenRequest = OpenRequest> {
  request: R | null;
  matched: 'exact' | 'normalised' | 'only-open' | 'none';
  /** How many open requests fit equally well, the chosen one included; more than 1 = interchangeable. */
  twins: number;
}

/**
 * The oldest open request that fits: same text and directory, same text, same text after the client's changes, or the
 * only one that is open (another plugin may have rewritten the command). `open` is in order of arrival.
 */
export function matchRequest<R extends OpenRequest>(
  open: readonly R[],
  command: string,
  cwd: string,
): Match<R> {
  const exact = open.filter((one) => one.command === command);
  const here = exact.filter((one) => one.cwd === cwd);
  const wanted = normalise(command);
  const near = open.filter((one) => normalise(one.command) === wanted);
  const nearHere = near.filter((one) => one.cwd === cwd);
  return (
    pick(here, 'exact') ??
    pick(exact, 'exact') ??
    pick(nearHere, 'normalised') ??
    pick(near, 'normalised') ??
    (open.length === 1 ? pick(open, 'only-open') : null) ?? { request: null, matched: 'none', twins: 0 }
  );
}

function pick<R extends OpenRequest>(found: readonly R[], matched: Match['matched']): Match<R> | null {
  const [first] = found;
  return first === undefined ? null : { request: first, matched, twins: found.length };
}
