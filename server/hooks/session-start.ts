import type { ClaudeIdentity, SessionMeta } from '../../shared/session/types.ts';
import { VERSION } from '../version.ts';
import { type HookAnswer, type HookHeaders, json } from './answer.ts';
import { type HookInput, text } from './input.ts';
import { forgetTold } from './search-hint.ts';
import { welcome } from './welcome.ts';
import type { HookWorld } from './world.ts';

const SOURCES: readonly ClaudeIdentity['source'][] = [
  'startup',
  'resume',
  'clear',
  'compact',
  'fork',
  'exec',
];

/** A client session begins or goes on: attaches it, looks whether the machine can, and tells person and agent. */
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
  if (unable !== null) return await switchOff(world, session, input.claude, unable);
  return await welcome(world, session, problems.length > 0 ? configText(file, problems) : '');
}

/** Doctor says that this machine can't: everything runs on the host, and that is said, not left to be found out. */
async function switchOff(
  world: HookWorld,
  session: SessionMeta,
  claude: string,
  why: string,
): Promise<HookAnswer> {
  await world.turnOff(session.id, claude, why);
  await world.log(session.id, { t: 'doctor', ok: false, failed: [why] });
  return json({
    systemMessage: `trai: off for this session: ${why} Bash runs on the host, and nothing of it is pending. See /trai:doctor.`,
  });
}

function configText(file: string | null, problems: readonly string[]): string {
  return `the config ${file ?? ''} is invalid (${problems.join('; ')}), so the defaults are used`;
}
