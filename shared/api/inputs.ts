/**
 * The schema of each row's input, which is its type too. Every object is strict, and a field that says how
 * much is meant is required and has no default: a request that lost its body must never mean "everything".
 * Queries come as text and are converted. Only the server imports more than the type, so that zod stays out
 * of the page.
 */
import * as z from 'zod';
import type { BytePath } from '../bytes.ts';
import { MAX_COUNTED, MAX_SCOPE_PATHS, MAX_VIEWED_ENTRIES } from '../limits.ts';
import { SPACES } from '../model/diff.ts';
import { ANSWER_SCOPES, ANSWERS } from '../model/question.ts';
import { CALL_OUTCOMES, PERMISSION_BY, RULE_LISTS, type Rule } from '../model/rule.ts';
import { SETTING_NAMES, SETTINGS, type SettingsPatch } from './settings.ts';

const revision = z.string().min(1).max(128);
const changeId = z.string().regex(/^[0-9a-f]{16}$/);
const choice = z.enum(['keep-host', 'take-sandbox', 'merge', 'merge-markers']);
const MAX_CHOICES = 10_000;
const MAX_RULE_CHARS = 10_000;
const MAX_TEST_CHARS = 200_000;

const hostPath = z
  .string()
  .regex(/^\/[\x01-\xff]*$/, 'expected an absolute path, one character a byte')
  .transform((path) => path as BytePath);
const call = z.string().min(1).max(200);
const commitNumber = z.number().int().positive();
const typedCount = z.number().int().nonnegative().nullable();

const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('paths'), paths: z.array(hostPath).min(1).max(MAX_SCOPE_PATHS) }),
  z.strictObject({ kind: z.literal('call'), call }),
  z.strictObject({ kind: z.literal('up-to'), call }),
]);

const flag = z.enum(['0', '1']).transform((text) => text === '1');
const numberLike = (pattern: RegExp) => z.string().regex(pattern).transform(Number);

const entry = z.strictObject({ entry: changeId });
const question = z.string().regex(/^q[0-9a-f]{16}$/);
const MAX_PATTERN = 10_000;
const newRule = z.strictObject({
  scope: z.enum(ANSWER_SCOPES),
  tool: z.string().min(1).max(MAX_PATTERN),
  field: z.string().max(200),
  pattern: z.string().max(MAX_PATTERN),
});
const content = z.strictObject({ entry: changeId, side: z.enum(['pending', 'host']) });

/** The id is looked up, and never becomes a path; missing = no session, hence no project. */
const someSession = z.string().min(1).max(64).optional();
const listName = z.enum(RULE_LISTS);
const index = z.int().nonnegative().max(1_000_000);
const testCall = z.union([
  z.string().max(MAX_RULE_CHARS),
  z.strictObject({ tool: z.string().max(200), input: z.record(z.string(), z.unknown()) }),
]);
/** Shape and patterns are checked where it is written. A body of JSON has no undefined values. */
const rule = z.strictObject({
  tool: z.string().max(MAX_RULE_CHARS).optional(),
  match: z.record(z.string().max(200), z.string().max(MAX_RULE_CHARS)).optional(),
  reason: z.string().max(MAX_RULE_CHARS).optional(),
  tests: z.strictObject({ yes: z.array(testCall).optional(), no: z.array(testCall).optional() }).optional(),
  modes: z.array(z.string().max(50)).max(20).optional(),
  until: z.string().max(50).optional(),
  disabled: z.boolean().optional(),
}) as unknown as z.ZodType<Rule>;
const hash = z.string().regex(/^([0-9a-f]{64})?$/);

export const INPUTS = {
  /** Sent unless its revision is `unless`. `last`: the last list will do. `since`: see `ListOrLast`. */
  changes: z.strictObject({
    unless: revision.optional(),
    last: z
      .literal('1')
      .transform(() => true as const)
      .optional(),
    since: numberLike(/^\d{1,15}(?:\.\d{1,20})?$/).optional(),
  }),
  diff: z.strictObject({ entry: changeId, load: flag, whole: flag, spaces: z.enum(SPACES) }),
  /** `after`: `CallList.size` of the tab's list. */
  calls: z.strictObject({ after: numberLike(/^\d{1,15}$/).optional() }),
  call: z.strictObject({ call }),
  preview: z.strictObject({ scope, action: z.enum(['commit', 'discard']), includeIgnored: z.boolean() }),
  commit: z
    .strictObject({
      scope,
      revision,
      includeIgnored: z.boolean(),
      conflicts: z.enum(['refuse', 'keep-host', 'take-sandbox']),
      choices: z
        .record(changeId, choice)
        .refine((choices) => Object.keys(choices).length <= MAX_CHOICES, 'too many single choices'),
      /** By change id: the etag that was shown. */
      merges: z.record(changeId, z.string().min(1).max(64)).optional(),
      yes: z.boolean(),
      typedCount,
      /** Optional, unlike all else: without it more is kept, not less. */
      noUndo: z.boolean().optional(),
    })
    .refine(
      ({ choices, merges }) =>
        Object.entries(choices).every(([id, one]) => !one.startsWith('merge') || merges?.[id] !== undefined),
      'a merge is ordered with the etag of what was shown',
    ),
  discard: z.strictObject({ scope, revision, endProcesses: z.boolean() }),
  undo: z.strictObject({
    trash: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  }),
  /** `of`: number of a commit or undo, or name of a discard in the trash. */
  historyPaths: z.strictObject({
    of: z
      .string()
      .max(255)
      .regex(/^(?:[1-9]\d{0,8}|[A-Za-z0-9][A-Za-z0-9._-]*\.\d{8}T\d{9}Z)$/)
      .transform((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    after: numberLike(/^\d{1,9}$/),
  }),
  undoPreview: z.strictObject({ n: commitNumber }),
  undoCommit: z.strictObject({
    n: commitNumber,
    revision,
    conflicts: z.enum(['refuse', 'keep-host', 'take-back']),
    yes: z.boolean(),
    typedCount,
    endProcesses: z.boolean(),
  }),
  merge: entry,
  conflict: entry,
  markViewed: z.strictObject({
    entries: z.array(changeId).min(1).max(MAX_VIEWED_ENTRIES),
    viewed: z.boolean(),
    /** `DiffModel.etag` of the one entry whose diff was shown; null = the revision says what was shown. */
    etag: z.string().min(1).max(64).nullable(),
    revision,
  }),
  why: entry,
  whyNot: z.strictObject({ path: hostPath }),
  whyCall: z.strictObject({ call }),
  /** With the start time: the kernel reuses pids. */
  endProcesses: z.strictObject({
    processes: z
      .array(z.strictObject({ pid: z.int().positive(), start: z.string().regex(/^\d{1,20}$/) }))
      .min(1)
      .max(MAX_CHOICES),
  }),
  search: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\n]+$/),
    matchCase: z.boolean(),
    includeIgnored: z.boolean(),
    /** `next` of the last page; null = from the first entry. */
    after: changeId.nullable(),
  }),
  lineCounts: z.strictObject({ entries: z.array(changeId).min(1).max(MAX_COUNTED) }),
  /** Never a command: the server's settings say what runs. */
  openInEditor: z.strictObject({ entry: changeId, line: z.number().int().positive().max(100_000_000) }),
  image: content,
  download: content,
  /** A request that lost its list removes nothing. What is not garbage any more stays, without an error. */
  gc: z.strictObject({
    items: z
      .array(
        z.strictObject({
          kind: z.enum(['images', 'discard', 'session']),
          session: z.string().min(1).max(64),
          name: z.string().max(255),
        }),
      )
      .min(1)
      .max(MAX_CHOICES),
  }),
  /** As for `gc`: a request that lost its list moves nothing. Ids are looked up, and never become a path. */
  collectBoxes: z.strictObject({
    ids: z
      .array(z.string().regex(/^[0-9a-f]{16}$/))
      .min(1)
      .max(MAX_CHOICES),
  }),
  /** The id is looked up, and never becomes a path. */
  doctor: z.strictObject({ session: z.string().min(1).max(64).optional() }),
  /** `message`: to the agent, with `no`. A rule with `session`, `always` and `never`, and with nothing else. */
  answerQuestion: z
    .strictObject({
      question,
      answer: z.enum(ANSWERS),
      message: z.string().max(4_000).nullable(),
      rule: newRule.nullable(),
    })
    .refine(
      ({ answer, rule }) => (rule !== null) === ['session', 'always', 'never'].includes(answer),
      'a rule belongs to some answers',
    )
    .refine(({ answer, message }) => message === null || answer === 'no', 'a message belongs to a no'),
  questionDiff: z.strictObject({ question }),
  previewRule: z.strictObject({ question, list: z.enum(['allow', 'deny']), rule: newRule }),
  rules: z.strictObject({ session: someSession }),
  ruleSuggestions: z.strictObject({ session: someSession }),
  /** `text`: of a shell the command, of another tool its input as JSON. */
  testRule: z.strictObject({
    session: someSession,
    tool: z.string().min(1).max(200),
    text: z.string().max(MAX_TEST_CHARS),
    mode: z.string().min(1).max(50),
  }),
  ruleHistory: z.strictObject({ session: someSession, list: listName, rule }),
  /** `seen`: hash of the file's content that was shown, empty for no file. */
  changeRules: z.strictObject({
    session: someSession,
    scope: z.enum(['user', 'project', 'session']),
    seen: hash,
    change: z.discriminatedUnion('do', [
      z.strictObject({ do: z.literal('add'), list: listName, rule }),
      z.strictObject({ do: z.literal('replace'), list: listName, index, rule, to: listName }),
      z.strictObject({ do: z.literal('move'), list: listName, index, before: index }),
      z.strictObject({ do: z.literal('remove'), list: listName, index }),
    ]),
  }),
  /** Only content that was shown. */
  trustRules: z.strictObject({
    session: z.string().min(1).max(64),
    hashes: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(10),
  }),
  setSandboxed: z.strictObject({ value: z.enum(['ask', 'allow']) }),
  /** Empty = any. `text`: in the call's text, without case. */
  audit: z.strictObject({
    session: z.string().max(64),
    tool: z.string().max(200),
    decision: z.enum(['', 'allow', 'ask', 'deny', 'pass']),
    by: z.enum(['', ...PERMISSION_BY]),
    outcome: z.enum(['', ...CALL_OUTCOMES]),
    text: z.string().max(200),
    since: z.string().regex(/^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)?$/),
    from: numberLike(/^\d{1,9}$/),
    count: numberLike(/^[1-9]\d{0,3}$/),
  }),
  /** A missing field stays as it is; an unknown one is refused. */
  saveSettings: z
    .strictObject(
      Object.fromEntries(SETTING_NAMES.map((name) => [name, z.literal([...SETTINGS[name]]).optional()])),
    )
    .refine((body) => Object.keys(body).length > 0, 'nothing to change') as z.ZodType<SettingsPatch>,
};

export type Inputs = { readonly [K in keyof typeof INPUTS]: z.output<(typeof INPUTS)[K]> };
