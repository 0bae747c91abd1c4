/** Texts of decisions for user and model; callers prefix `trai: `. */

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

export function openBesideText(program: string): string {
  return (
    `\`${program}\` gains no rights beside commands that read files on the host, since those run in a user namespace. ` +
    `Nothing was run. Run \`${program} ...\` as a call of its own, and the rest as another.`
  );
}

export function ownDirectoryText(program: string, path: string): string {
  return (
    `\`${program}\` would reach ${path} on the host, which holds trai's own state. Commands may not touch it. ` +
    'Nothing was run. Name only what it is to work on; or ask the user to run it in a terminal.'
  );
}

export function ownProgramText(program: string): string {
  return (
    'only the user commits, discards, undoes or bypasses the sandbox. Nothing was run. ' +
    'Ask the user to type the slash command (for example `/trai:commit`). ' +
    `To look at the session, run \`${program} status\` (or diff, log, sessions, doctor, why) as a call of its own, written exactly so.`
  );
}

export function hostText(program: string, pending: boolean): string {
  const warning = `\`${program}\` runs on the host, outside the sandbox.`;
  return pending
    ? `${warning} Pending changes of this session are not on the host, so it does not see them.`
    : warning;
}

/** The question to the user; the model reads it where no user can be asked. */
export function runsProgramsText(program: string, because: string): string {
  return (
    `this \`${program}\` may run other programs, because of ${because}. It would run on the host, outside the ` +
    'sandbox, and what those programs write is not reviewed. Allow it only if you know what it runs.'
  );
}

/** For the model, after a denial, so that it tries no other way. Under `-p` all questions are denied. */
export const DENIED_TEXT =
  'To Claude, if this was denied: nothing was run. Do not try it another way. Continue with what does not need it, and end with ' +
  'the exact commands that are left for the user (/trai:commit first, where it is named above).';

export const CONFIG_OFF_TEXT =
  'the sandbox is turned off by the config ("enabled": false); this call runs on the host.';
export const ONE_SHOT_TEXT = 'you let this one call run on the host, outside the sandbox.';
