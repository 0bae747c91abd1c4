/** Bodies and queries of what the dashboard asks about contents; strict and without defaults, as schema.ts. */
import * as z from 'zod';
import { MAX_COUNTED } from '../limits.ts';
import { SIDES } from './files.ts';

const changeId = z.string().regex(/^[0-9a-f]{16}$/);

export const searchBody = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\n]+$/),
  matchCase: z.boolean(),
  includeIgnored: z.boolean(),
  after: changeId.nullable(),
});

export const lineCountsBody = z.strictObject({ entries: z.array(changeId).min(1).max(MAX_COUNTED) });

/** Which file and where in it, and nothing else: what runs is the server's business. */
export const openBody = z.strictObject({
  entry: changeId,
  line: z.number().int().positive().max(100_000_000),
});

export const contentQuery = z.strictObject({ entry: changeId, side: z.enum(SIDES) });
