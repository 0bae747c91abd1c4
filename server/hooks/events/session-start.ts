import { projectOf } from '../../../core/session/project.ts';
import { VERSION } from '../../../core/session/version.ts';
import { fromText } from '../../../shared/bytes.ts';
import { EVENT_FIELDS } from '../../../shared/log/events.ts';
import { countText } from '../../../shared/terminal/text.ts';
import { rememberUnable } from '../claim/decide-call.ts';
import { forgetTold } from '../file-tools/search-hint.ts';
import { type HookAnswer, type HookHeaders, json } from '../world/answer.ts';
import { type HookInput, text } from '../world/input.ts';
import type { PendingFacts } from '../world/list-questions.ts';
import { whyUnable } from '../world/session-files.ts';
import { within } from '../world/within.ts';
import type { Earlier, HookSession, HookWorld } from '../world/world.ts';

/** The client waits 5 s for all of SessionStart; a slower list (ms) is not counted. */
const LIST_MS = 2_000;
const MOST_EARLIER = 3;

export async function sessionStart(
  world: HookWorld,
  input: HookInput,
  headers: HookHeaders,
): Promise<HookAnswer> {
  const source =
    EVENT_FIELDS.session.source.find((known) => known === text(input.all, 'source')) ?? 'startup';
  const transcript = text(input.all, 'transcript_path');
  const cwd = fromText(input.cwd === '' ? '/' : input.cwd);
  const session = await world.attach({
    claudeId: input.claude,
    session: headers.session,
    source,
    pid: headers.claudePid,
    pidStart: headers.claudePidStart,
    cwd,
    project: projectOf(cwd),
    transcriptPath: transcript === '' ? null : transcript,
  });
  forgetTold(session.dir);
  await session.log({ t: 'session', claude: input.claude, source, cwd: input.cwd, plugin: VERSION });
  const { problems, file, config } = world.config();
  const problem = problems.length === 0 ? '' : configText(file, problems);
  if (problem !== '') await session.log({ t: 'notice', code: 'config', text: problem });
  const unable = config.enabled ? await whyUnable(world.stateDir, world.env) : null;
  rememberUnable(session, unable);
  return unable === null ? await welcome(session, problem, config.enabled) : await sayUnable(session, unable);
}

/** The session is set up nevertheless: pending changes stay, and nothing runs unsandboxed. */
async function sayUnable(session: HookSession, why: string): Promise<HookAnswer> {
  await session.log({ t: 'doctor', ok: false, failed: [why] });
  const pending = (await session.pending()) ? ' Pending changes of this session are safe.' : '';
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

async function welcome(session: HookSession, problem: string, enabled: boolean): Promise<HookAnswer> {
  const isPending = await session.pending();
  // A failing list is reported where it is asked for.
  const asked = isPending ? session.ask('facts', null).catch(() => null) : Promise.resolve(null);
  const facts = await within(LIST_MS, asked);
  const moved = facts === null ? '' : movedText(facts);
  const said = [
    ownText(session, isPending, facts),
    ...(moved === '' ? [] : [moved]),
    ...earlierText(await session.earlierPending(), isPending),
    ...(problem === '' ? [] : [problem]),
    ...(enabled ? [] : ['the config has "enabled": false, so everything runs on the host']),
  ];
  return json({
    systemMessage: `trai: ${said.join('; ')}. /trai:ui shows it.`,
    hookSpecificOutput: {
      hookEventName: 'SessionStart',
      additionalContext: orientation(isPending, facts, moved),
    },
  });
}

function ownText({ meta }: HookSession, isPending: boolean, facts: PendingFacts | null): string {
  const count = facts?.count ?? 0;
  if (isPending)
    return `this session has ${count === 0 ? 'pending changes' : countText(count, 'pending change')}`;
  if (meta.wentOnIn !== undefined) return `what was pending here continues in session ${meta.wentOnIn}`;
  return 'what Bash writes stays pending until you commit it';
}

function movedText({ count, moved, movedNamed }: PendingFacts): string {
  if (moved === 0) return '';
  return `the host changed ${moved} of ${countText(count, 'pending path')} since: ${movedNamed}`;
}

/** Only a session without pending changes can adopt another's. */
function earlierText(earlier: readonly Earlier[], pending: boolean): string[] {
  const named = earlier.slice(0, MOST_EARLIER).map(({ id, changes }) => {
    const has = `session ${id} has ${changes === null ? 'pending changes' : countText(changes, 'pending change')}`;
    return pending ? has : `${has}: /trai:adopt ${id} continues with ${changes === 1 ? 'it' : 'them'}`;
  });
  return earlier.length > MOST_EARLIER
    ? [...named, `${earlier.length - MOST_EARLIER} more sessions have pending changes`]
    : named;
}

/** Short: it costs tokens in every session. */
function orientation(isPending: boolean, facts: PendingFacts | null, moved: string): string {
  const pending =
    facts === null || facts.count === 0
      ? 'This session has pending changes from earlier.'
      : `This session has ${countText(facts.count, 'pending change')} from earlier: ${facts.named}.`;
  return [
    'trai: Bash commands run in an overlay of the file system. They see all files; what they write is pending until the user commits it, and later Bash commands see it.',
    'The file tools (Read, Edit, Write, Grep, Glob) work on the host and do not see pending changes. Read and edit what Bash created or changed (a new directory with everything in it) through Bash: cat, sed, here-documents. Edit and Write refuse it.',
    'git, gh, docker, podman and sudo run on the host as calls of their own and do not see pending files. Only the user types trai commands (commit, discard ...).',
    ...(isPending ? [pending] : []),
    ...(moved === ''
      ? []
      : [`Meanwhile ${moved}. Bash sees the pending versions, the file tools the host's; both may matter.`]),
  ].join('\n');
}
