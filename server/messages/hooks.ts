/** What hooks and claims say to user and model; `{name}` stands for a value. */
import { PASSTHRU } from '../../core/rules/messages.ts';
import { filled } from '../../shared/format.ts';

const ANEW = 'Ask the user to type /clear, which starts the session anew.';
const WAY_OUT = 'Only the user can put them there first: by typing /trai:commit.';

export const MESSAGES = {
  // A call before and after it runs.
  'not-set-up': `this session was not set up (the SessionStart hook failed). Nothing was run. ${ANEW}`,
  'caught': `an earlier call of this session ran outside the sandbox unnoticed, so no more are run. ${ANEW}`,
  'env-missing': `this session's env file is missing, so the command would not run in the sandbox. Nothing was run. ${ANEW}`,
  'env-changed': `this session's env file was changed, so the command might not run in the sandbox. Nothing was run. ${ANEW}`,
  'env-unknown': `the hook did not look at the env file. Nothing was run. ${ANEW}`,
  'undecided': 'this was not run, because it could not be decided: {why}',
  'not-sandboxed':
    'NOT SANDBOXED: this command ran on the host: {command}. Bash is refused until you type /clear.',
  'own-state': "{dir} holds trai's own state and is not for {tool}. Ask the user instead.",
  'own-commands': "only the user may run trai's commands. Ask the user to type the command.",
  'not-typed':
    '/trai:{name} was not run: only what the user types counts, and this was sent by {who}. Run in a terminal: trai {name}',
  // Permission rules.
  'rule-denied': '{why}. Nothing was run. Only the user can change permission rules.',
  'rule-file': '{file} holds permission rules, which only the user writes. Ask the user instead.',
  'rule-slow':
    'the permission rule {rule} took too long on a call: it counted as a match where it denies or asks, and as none where it allows. Simplify its pattern',
  'rules-last-good':
    'the rule file {file} cannot be used ({problem}), so its last good version counts; see: trai rules verify',
  'rules-broken':
    'the rule file {file} cannot be used ({problem}), so everything that no other rule decides is asked about; see: trai rules verify',
  'rules-untrusted':
    'the allow rules of {file} came with the project and count once you have trusted them: trai rules trust',
  'rules-importable':
    '{count} of {from} could be imported: trai rules import {name} shows them, trai rules import --dismiss says no',
  'rules-passthru': `${PASSTHRU.on}. ${PASSTHRU.which}`,
  'rules-off': 'the config has "rules.enabled": false, so no permission rule counts',
  // Questions of the client.
  'client-asks': 'no permission rule decides this call, so Claude Code asks by its own settings',
  'client-asks-too': 'a permission rule allows this call, but Claude Code asks by its own settings',
  'asked': '{tool} in {project} waits for your answer',
  'answered-no': 'trai: the user was asked and said no. Nothing was run.',
  'answered-no-with': 'trai: the user was asked and said no. Nothing was run. The user says: {words}',
  'rule-no-match': 'this rule does not match the call that is asked about',
  'rule-behind': 'another rule comes first: {why}',
  'edit-no-match': 'The text to be replaced is not in the file as it is now, so the tool will fail.',
  // The decision.
  'not-run': '{why}. Nothing of the command was run.',
  'unable': 'the sandbox can’t be entered here. {why} Nothing of the command was run.',
  'unasked':
    '{said} The user was not asked, because this became so just now. Nothing was run. Run it again: then the user is asked.',
  'unasked-host':
    'this was allowed because what it writes would stay pending, and now it would run on the host. The user was not asked. Nothing was run. Run it again: then the user is asked.',
  'pending-refused': `{said} Nothing was run, as the config has "hostWithPending": "refuse". ${WAY_OUT} Then run this again.`,
  'pending-asked': `{said} ${WAY_OUT} Allow this only if it is right without them.`,
  'not-kept': 'What `{what}` throws away cannot be saved: {why}.',
  'loss-asked': '{said} Allow this only if it may be lost.',
  'loss-refused':
    '{lost} Nothing was run. If it may be lost, the user types /trai:passthrough, which lets the next call run.',
  'no-space': '{dir} has no space left ({why}). Free some space on that disk; what is pending stays',
  'not-in-view':
    '{why}, which has pending changes that this call would not see. {undo}, or end this session and start a new one: what is pending stays in this one',
  // Notices.
  'untidy': 'the work after a call could not be done: {why}',
  'not-replayed': 'a running process was not told of a change on the host: {why}',
  'replay-saved':
    "a process of the session wrote to a file while the host's change of it was taken over; its version is pending as {path}",
  'overlap':
    "{overlap}. Each session's Bash sees only its own versions, and whichever is committed second will conflict: tell the user.",
  'host-conflicts':
    '{count} in conflict since {commands} ran on the host: {named}. Bash still sees the pending versions; /trai:commit refuses until the user has resolved them.',
  // The start of a session.
  'no-session': 'the session could not be set up: {why}. Bash calls will be refused.',
  'unable-user':
    'the sandbox does not work here: {why} Until that is fixed, Bash calls run nothing and end with status 125.{pending} See /trai:doctor.',
  'unable-model':
    'Bash calls cannot run here for now, and end with status 125: {why} Only the user can fix that (/trai:doctor).{pending}',
  'pending-safe': ' Pending changes of this session are safe.',
  'bad-config': 'the config {file} is invalid ({problems}), so the defaults are used',
  'config-off': 'the config has "enabled": false, so everything runs on the host',
  'begun': 'what Bash writes stays pending until you commit it',
  'try-claude':
    '`trai claude` in a terminal runs Claude Code itself in a session, so that what Edit, Write and git do is pending too',
  'went-on': 'what was pending here continues in session {session}',
  'moved': 'the host changed {moved} of {count} since: {named}',
  'orientation': [
    'trai: Bash commands run in an overlay of the file system. They see all files; what they write is pending until the user commits it, and later Bash commands see it.',
    'The file tools (Read, Edit, Write, Grep, Glob) work on the host and do not see pending changes. Read and edit what Bash created or changed (a new directory with everything in it) through Bash: cat, sed, here-documents. Edit and Write refuse it.',
    'git, gh, docker, podman and sudo run on the host as calls of their own and do not see pending files. Only the user types trai commands (commit, discard ...).',
  ].join('\n'),
  'inside-begun': 'everything that is written in this session stays pending until you commit it',
  'inside-begun-direct':
    'what is written in this session stays pending until you commit it, except in {named}: that is yours at once',
  'inside-orientation':
    'trai: you run inside a session. All tools (Bash, Edit, Write, MCP servers, git) see one view of all files; {written}.\nsudo, docker and podman do not work inside. Only the user types trai commands (commit, discard ...).',
  'inside-written': 'what they write is pending until the user commits it to the real files',
  'inside-written-direct':
    'what they write is pending until the user commits it to the real files, except in {named}: those are the real files',
  'inside-cannot':
    '{program} cannot do its work inside a session, or does it outside of it at once: ask the user to run it in a terminal outside.',
  'inside-push':
    'git push publishes what is pending here: commits that the real repository does not have yet.',
  'inside-elsewhere':
    'Claude Code runs in session {session} itself (trai claude), which is the session of this conversation too: go on there, or end it first',
  'inside-outside': 'this client runs inside the session: run in a terminal outside of it: {command}',
  'inside-passthrough':
    'Claude Code itself runs in this session, so none of its calls can run on the host. Run the command in a terminal outside.',
  'inside-adopt':
    'Claude Code itself runs in this session, which can take over no other one meanwhile. To go on with that one: trai claude --session {other}',
  'box-outside':
    '/trai:{name} cannot be typed in a box. In a terminal outside of it: {command}. In the dashboard: {where}. To allow commit and undo inside: trai box --commit-inside',
  'box-direct':
    'a box of session {session} runs with --write direct: what this call writes in the project would be yours at once, not pending. Wait for the end of the box, or name another session',
  'inside-moved-model':
    'Meanwhile {moved}. You see the pending versions; which of the two stays, the user says at the commit.',
  'box-unread':
    'what this box was given cannot be read (box.json of the session is damaged), so not all that is written here may be pending',
  'moved-model':
    "Meanwhile {moved}. Bash sees the pending versions, the file tools the host's; both may matter.",
} as const satisfies Readonly<Record<string, string>>;

/** The names in braces. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
type Values<Text extends string> = [Names<Text>] extends [never]
  ? []
  : [Record<Names<Text>, string | number>];

export function message<Key extends keyof typeof MESSAGES>(
  key: Key,
  ...[values]: Values<(typeof MESSAGES)[Key]>
): string {
  return filled(MESSAGES[key], values ?? {});
}
