/**
 * The bodies that the HTTP API takes. Every object is strict and every field is required: a field that says how much
 * is meant must never have a default, or a request that lost its body would mean "everything".
 */
import * as z from 'zod';
import type { BytePath } from '../bytes.ts';
import { MAX_SCOPE_PATHS, MAX_VIEWED_ENTRIES } from '../limits.ts';
import { SPACES } from '../model/diff.ts';

const revision = z.string().min(1).max(128);
const changeId = z.string().regex(/^[0-9a-f]{16}$/);
const choice = z.enum(['keep-host', 'take-sandbox', 'merge', 'merge-markers']);
/** More single choices than this are made for all at once. */
const MAX_CHOICES = 10_000;

/** An absolute path, one character a byte. */
const hostPath = z
  .string()
  .regex(/^\/[\x01-\xff]*$/, 'expected an absolute path, one character a byte')
  .transform((path) => path as BytePath);
const call = z.string().min(1).max(200);

const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('paths'), paths: z.array(hostPath).min(1).max(MAX_SCOPE_PATHS) }),
  z.strictObject({ kind: z.literal('call'), call }),
  z.strictObject({ kind: z.literal('up-to'), call }),
]);

export const previewBody = z.strictObject({
  scope,
  action: z.enum(['commit', 'discard']),
  includeIgnored: z.boolean(),
});

export const commitBody = z
  .strictObject({
    scope,
    revision,
    includeIgnored: z.boolean(),
    conflicts: z.enum(['refuse', 'keep-host', 'take-sandbox']),
    choices: z
      .record(changeId, choice)
      .refine((choices) => Object.keys(choices).length <= MAX_CHOICES, 'too many single choices'),
    /** Of each choice for a merge: the etag of what was shown. */
    merges: z.record(changeId, z.string().min(1).max(64)).optional(),
    yes: z.boolean(),
    typedCount: z.number().int().nonnegative().nullable(),
    /** May be missing, unlike all else: without it more is kept, not less. */
    noUndo: z.boolean().optional(),
  })
  .refine(
    ({ choices, merges }) =>
      Object.entries(choices).every(([id, one]) => !one.startsWith('merge') || merges?.[id] !== undefined),
    'a merge is ordered with the etag of what was shown',
  );

const commitNumber = z.number().int().positive();

export const undoPreviewBody = z.strictObject({ n: commitNumber });

export const undoCommitBody = z.strictObject({
  n: commitNumber,
  revision,
  conflicts: z.enum(['refuse', 'keep-host', 'take-back']),
  yes: z.boolean(),
  typedCount: z.number().int().nonnegative().nullable(),
  endProcesses: z.boolean(),
});

export const redoBody = z.strictObject({});

/** Each item that was shown and is to go; an order that lost its list removes nothing. */
export const gcBody = z.strictObject({
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
});

export const discardBody = z.strictObject({ scope, revision, endProcesses: z.boolean() });

export const cancelBody = z.strictObject({});

export const undoBody = z.strictObject({
  trash: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
});

/** A row of the history (a number, or a name in the trash), and how many of its paths are at hand. */
export const historyPathsQuery = z.strictObject({
  of: z
    .string()
    .max(255)
    .regex(/^(?:[1-9]\d{0,8}|[A-Za-z0-9][A-Za-z0-9._-]*\.\d{8}T\d{9}Z)$/),
  after: z.string().regex(/^\d{1,9}$/),
});

export const viewedBody = z.strictObject({
  entries: z.array(changeId).min(1).max(MAX_VIEWED_ENTRIES),
  viewed: z.boolean(),
  etag: z.string().min(1).max(64).nullable(),
  revision,
});

/** What merging an entry would put on the host, and what both sides of it are. */
export const mergeQuery = z.strictObject({ entry: changeId });

/** Why an entry of the list is as it is. */
export const whyQuery = z.strictObject({ entry: changeId });
/** Why a path is no entry of the list. */
export const whyNotQuery = z.strictObject({ path: hostPath });

/**
 * The list is sent unless it is the one of this revision; without it it always is. `last`: the last one will do where a new
 * one takes a while. `since`: as `ListOrLast` says; without it a list of now.
 */
export const changesQuery = z.strictObject({
  unless: revision.optional(),
  last: z.literal('1').optional(),
  since: z
    .string()
    .regex(/^\d{1,15}(?:\.\d{1,20})?$/)
    .optional(),
});

/** What is new on the timeline since the log had so many bytes; without it all of it, which is never wrong. */
export const callsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

/** Why a call ran where it ran: its id, or its request's where no launcher ever asked. */
export const whyCallQuery = z.strictObject({ call });

/** Each process that the person saw: a pid alone may be another one's by now. */
export const endProcessesBody = z.strictObject({
  processes: z
    .array(z.strictObject({ pid: z.int().positive(), start: z.string().regex(/^\d{1,20}$/) }))
    .min(1)
    .max(MAX_CHOICES),
});

export const exchangeBody = z.strictObject({ code: z.string().min(1).max(200) });

export const pairBody = z.strictObject({});

export const pairPollBody = z.strictObject({ id: z.string().min(1).max(200) });

export const diffQuery = z.strictObject({
  entry: changeId,
  load: z.enum(['0', '1']),
  whole: z.enum(['0', '1']),
  spaces: z.enum(SPACES),
});
