/** Refusals as users read them: the message says what happened, the hint what to do. */
import { type ErrorCode, type ErrorDetails, TraiError } from '../../shared/errors.ts';
import { filled } from '../../shared/format.ts';

const NEW_CODE = 'Type `/trai:ui` in Claude Code, or run `trai ui`, for a new one.';
const RELOAD = 'Reload the page for a new number.';

export const REFUSALS = {
  'unknown-code': ['unauthorised', 'this code is not known', NEW_CODE],
  'late-code': ['unauthorised', 'this code is older than 30 seconds', NEW_CODE],
  'used-code': [
    'unauthorised',
    'this link was already used, and works once',
    `The tab that it opened first stays signed in. ${NEW_CODE}`,
  ],
  'many-pages': ['busy', 'too many pages are waiting for a number', 'Try again in two minutes.'],
  'void-numbers': ['not-found', 'too many wrong numbers: all numbers on open pages are void', RELOAD],
  'wrong-number': [
    'not-found',
    'no page shows the number {number}',
    'Numbers are good for two minutes; reload the page for a new one.',
  ],
  'late-number': ['not-found', 'this number is no longer valid', RELOAD],
  'not-signed-in': [
    'unauthorised',
    'this tab is not signed in',
    'Type `/trai:ui` in Claude Code, or run `trai ui` in a terminal.',
  ],
  'not-your-browser': [
    'forbidden',
    'only a browser of yours may do this: it was asked by {who}',
    'Open the page in a browser that you started yourself, outside Claude Code’s commands; or use trai in a terminal.',
  ],
  'not-the-user': [
    'needs-permit',
    'only the user can open the dashboard: this was asked by {who}',
    'Type `/trai:ui` in Claude Code, or run `trai ui` in a terminal of your own.',
  ],
  'no-question': ['not-found', 'there is no such question'],
  'answered': ['answered', 'this question has been settled already ({how})', 'The first answer counts.'],
  'answer-denied': [
    'forbidden',
    'a permission rule denies this call now: {why}',
    'Deny it, or change the rule first.',
  ],
  'no-question-diff': ['not-found', 'this question is not about a text that is written to a file'],
  'not-the-user-answers': [
    'needs-permit',
    'only the user can answer: this was asked by {who}',
    'Answer in the dashboard, in Claude Code itself, or with `trai answer` in a terminal of your own.',
  ],
  'not-the-user-boxes': [
    'needs-permit',
    'only the user can open the network of a box: this was asked by {who}',
    'Start the box in a terminal of your own.',
  ],
  'not-a-box': ['forbidden', 'process {pid} is not the first one in a box of that session'],
  'no-box-network': [
    'io',
    'the network of the box could not be opened: {why}',
    'Without it: --net off, or --net open.',
  ],
  'many-tabs': ['busy', 'too many tabs are open'],
  'no-session': ['no-session', 'there is no such session'],
  'no-call-yet': ['not-found', 'this session has not run anything yet'],
  'no-call': ['not-found', 'there is no such call in the log'],
  'no-entry': ['not-found', 'there is no such entry in the list any more'],
  'not-as-seen': ['stale-revision', 'the changes moved on since you looked: refresh, and look again'],
  'search-moved-on': ['stale-revision', 'the changes moved on while they were searched', 'Search again.'],
  'no-file': [
    'not-found',
    'expected a file on that side, and there is none, or it has just changed',
    'Refresh and look again.',
  ],
  'no-image': ['bad-input', 'expected a PNG, JPEG, GIF or WebP image, found something else'],
  'unreadable': ['io', 'the file cannot be read'],
  'changed-while-read': ['io', 'the file changed while it was read'],
  'too-large': [
    'too-large',
    '{size} bytes are too many to be {done}; at most {most} are',
    'In a terminal, `trai exec` sees the sandbox’s version: copy it from there.',
  ],
  'rules-need-session': [
    'bad-input',
    'rules of the scope {scope} belong to a project or session, and none was chosen',
    'Choose a session on the page.',
  ],
  'no-tool-input': ['bad-input', 'the input of this tool is not JSON', 'Write it as {"field": "value"}.'],
  'no-editor': ['unsupported', '{why}', 'Choose one in the settings.'],
  'editor-failed': ['io', 'the editor could not be started'],
  'settings-foreign': [
    'corrupt',
    'the settings were not saved: {why}',
    'Nothing was changed. Move the file away, and the defaults are used.',
  ],
  'settings-failed': ['io', 'the settings were not saved: {why}'],
} as const satisfies Record<string, readonly [code: ErrorCode, message: string, hint?: string]>;

/** `{name}` in a message stands for `values.name`. */
export function refusal(
  name: keyof typeof REFUSALS,
  values: Readonly<Record<string, string | number>> = {},
  details: Omit<ErrorDetails, 'hint'> & { cause?: unknown } = {},
): TraiError {
  const [code, message, hint]: readonly [ErrorCode, string, string?] = REFUSALS[name];
  return new TraiError(code, filled(message, values), { ...details, hint });
}
