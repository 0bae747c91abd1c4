import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import type * as z from 'zod';
import { TraiError } from '../../shared/errors.ts';

/** zod-validator with our own error form: which field, what was expected; never the value that was sent. */
export function valid<T extends z.ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: T,
) {
  return zValidator(target, schema, (result) => {
    if (result.success) return;
    const [issue] = result.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'the request' : issue.path.join('.');
    throw new TraiError('bad-input', `${where}: ${issue?.code ?? 'invalid'}`);
  });
}
