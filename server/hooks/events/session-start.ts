import { type SessionMeta, SOURCES } from '../../../core/session/types.ts';
import { VERSION } from '../../../core/session/version.ts';
import { rememberUnable } from '../claim/unable.ts';
import { forgetTold } from '../file-tools/search-hint.ts';
import { welcome } from '../news/welcome.ts';
import { type HookAnswer, type HookHeaders, json } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { HookWorld } from '../world/world.ts';

/** A client session starts or continues: attaches it, checks the machine, and tells user and agent. */
export async function sessionStart(
  world: HookWorld,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const source = SOURCES.find((known) => known === text(input.all, 'source')) ?? 'startup';
  const session = await world.attach({
    session: headers.session || input.claude,
    claude: input.claude,
    source,
    cwd: input.cwd,
    claudePid: headers.claudePid,
    claudePidStart: headers.claudePidStart,
    transcript: text(input.all, 'transcript_path'),
  });
  forgetTold(world.sessionDir(session.id));
  await world.log(session.id, {
    t: 'session',
    claude: input.claude,
    source,
    cwd: input.cwd,
    plugin: VERSION,
  });
  const { problems, file, config } = world.config();
  if (problems.length > 0)
    await world.log(session.id, { t: 'notice', code: 'config', text: configText(file, problems) });
  const unable = config.enabled ? await world.unable() : null;
  rememberUnable(world, session.id, unable);
  if (unable !== null) return await sayUnable(world, session, unable);
  return await welcome(world, session, problems.length > 0 ? configText(file, problems) : '');
}

/** Doctor says that this machine can't. The session stays ours: what is pending is not lost, and nothing runs unsandboxed. */
async function sayUnable(world: HookWorld, session: SessionMeta, why: string): Promise<HookAnswer> {
  await world.log(session.id, { t: 'doctor', ok: false, failed: [why] });
  const pending = (await world.pending(session)) ? ' Pending changes of this session are safe.' : '';
  return json({
    systemMessage: `trai: the sandbox does not work here: ${why} Until that is fixed, Bash calls run nothing and end with status 125.${pending} See /trai:doctor.`,
    hookSpecificOutput: {
      hookEventName: 'SessionStart',
      additionalContext: `trai: Bash calls cannot run here for now, and end with status 125: ${why} Only the user can fix that (/trai:doctor).${pending}`,
    },
  });
}

function configText(file: string | null, problems: readonly string[]): string {
  return `the config ${file ?? ''} is invalid (${problems.join('; ')}), so the defaults are used`;
}
