/** What user and model read about a decision; whoever shows it puts `trai: ` in front. */

/** A writing passthrough program beside parts that need the sandbox. */
export function mixedText(program: string, others: readonly string[]): string {
  const named = [...new Set(others.filter((other) => other !== '' && other !== program))].slice(0, 3);
  const beside =
    named.length === 0 ? 'parts that run in the sandbox' : named.map((name) => `\`${name}\``).join(', ');
  return (
    `this command mixes \`${program}\`, which runs on the host, with ${beside}, which must run in the sandbox. ` +
    `Nothing was run. Run \`${program} ...\` as a call of its own: it runs on the host. ` +
    'Run the rest as another call, without redirecting output of the first one into a file.'
  );
}

/** A program that does not work where trai's own directories are hidden, beside one that runs nowhere else. */
export function openBesideText(program: string): string {
  return (
    `\`${program}\` gains no rights beside commands that read files on the host, since those run in a user namespace. ` +
    `Nothing was run. Run \`${program} ...\` as a call of its own, and the rest as another.`
  );
}

/** A command that runs on the host with trai's own directories in sight, and names one of them. */
export function ownDirectoryText(program: string, path: string): string {
  return (
    `\`${program}\` would reach ${path} on the host, which holds trai's own state. Commands may not touch it. ` +
    'Nothing was run. Name only what it is to work on; or ask the user to run it in a terminal.'
  );
}

/** The model tried to use trai's program in a way that only the user may. */
export function ownProgramText(program: string): string {
  return (
    'only the user commits, discards, undoes or bypasses the sandbox. Nothing was run. ' +
    'Ask the user to type the slash command (for example `/trai:commit`). ' +
    `To look at the session, run \`${program} status\` (or diff, log, sessions, doctor, why) as a call of its own, written exactly so.`
  );
}

/** What the user sees when a passthrough program runs on the host. */
export function hostText(program: string, pending: boolean): string {
  const warning = `\`${program}\` runs on the host, outside the sandbox.`;
  return pending
    ? `${warning} Pending changes of this session are not on the host, so it does not see them.`
    : warning;
}

/** What the user is asked, and what the model reads when nobody could be asked. */
export function runsProgramsText(program: string, because: string): string {
  return (
    `this \`${program}\` may run other programs, because of ${because}. It would run on the host, outside the ` +
    'sandbox, and what those programs write is not reviewed. Allow it only if you know what it runs.'
  );
}

/**
 * Follows each question: a denial has the same words, and then only the model reads them. Where nobody can be asked (`-p`)
 * every question is denied at once, and without instructions the model would look for another way to the same end.
 */
export const DENIED_TEXT =
  'To Claude, if this was denied: nothing was run. Do not try it another way. Continue with what does not need it, and end with ' +
  'the exact commands that are left for the user (/trai:commit first, where it is named above).';

export const CONFIG_OFF_TEXT =
  'the sandbox is turned off by the config ("enabled": false); this call runs on the host.';
export const ONE_SHOT_TEXT = 'you let this one call run on the host, outside the sandbox.';
