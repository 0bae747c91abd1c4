/**
 * The Node path: one hook event or one claim, answered by the same functions as in the server, in a process
 * of its own. Slower, never different.
 *
 *     fallback.mjs hook EVENT    stdin: the body; headers: TRAI_SESSION, TRAI_ENV, TRAI_CLAUDE_PID,
 *                                TRAI_CLAUDE_START; prints the answer and exits with its status (1 = could
 *                                not answer, 3 = the script is to run the typed command)
 *     fallback.mjs claim         stdin: the claim's fields; prints `node` for the proof, then the answer
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { callerOf } from '../../../core/kernel/proc/caller.ts';
import { stateDir } from '../../../core/session/dirs.ts';
import { messageOf } from '../../../shared/errors.ts';
import { answerClaim } from '../claim/claim.ts';
import { answerHook } from '../events/dispatch.ts';
import { isHookEvent, readHookHeaders } from '../world/answer.ts';
import { programsBeside } from '../world/session-files.ts';
import { HookWorld } from '../world/world.ts';

function report(thrown: unknown): void {
  process.stderr.write(`trai: ${messageOf(thrown)}\n`);
}

/** The launcher's copy in the state directory has no `bin/trai` beside it: its sessions remember theirs. */
function ownPrograms(state: string): string[] {
  const lib = path.dirname(process.argv[1] ?? '');
  return lib.startsWith(`${state}/`) ? [] : programsBeside(lib);
}

async function main(argv: readonly string[]): Promise<number> {
  const [what, event] = argv;
  const state = stateDir(process.env);
  const world = new HookWorld({ stateDir: state, env: process.env, programs: ownPrograms(state) });
  const body = readFileSync(0);
  if (what === 'claim') {
    process.stdout.write(`node\n${await answerClaim(world, body, report)}`);
    return 0;
  }
  if (what !== 'hook' || event === undefined || !isHookEvent(event)) {
    report(`expected: claim, or hook EVENT; found: ${argv.join(' ')}`);
    return 1;
  }
  const headers = readHookHeaders(
    (name) => process.env[`TRAI_${name.toUpperCase().replace(/-/g, '_')}`],
    () => callerOf(process.pid, state),
  );
  const answer = await answerHook(world, event, body, headers, () => {});
  if (answer.stream === 'run') return 3;
  (answer.stream === 'err' ? process.stderr : process.stdout).write(answer.text);
  return answer.exit;
}

main(process.argv.slice(2)).then(
  (status) => {
    // Not exit(): a pipe may still hold a part of the answer.
    process.exitCode = status;
  },
  (thrown: unknown) => {
    report(thrown);
    process.exitCode = 1;
  },
);
