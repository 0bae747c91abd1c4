/** What an error says to do next, for somebody who types in the client. */

/** Commands that the client has, too. */
const SLASH =
  /`?\btrai (status|diff|log|ps|why|commit|discard|undo|adopt|export|ui|sessions|explore|passthrough|doctor)\b([^`\n]*)`?/g;

/** The same hint with slash commands for those of a terminal; an option that it names is one of `/trai:NAME`. */
export function typedHint(name: string, hint: string | undefined): string | undefined {
  // What is for a terminal stays one: the command names another session, or has no slash command.
  if (hint === undefined || hint.includes('terminal')) return hint;
  const slashed = hint.replace(SLASH, '/trai:$1$2');
  return slashed === hint && /(?:^|\s|\()--[a-z]/.test(hint)
    ? `${hint}\nType it after /trai:${name} and what you typed before.`
    : slashed;
}
