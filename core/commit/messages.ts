/** Texts of errors that several parts of a commit or discard raise. */
import { TraiError } from '../../shared/errors.ts';

/** The list that the request is about is stale. `data` = what a client needs to load the present one. */
export function staleList(data?: Record<string, string>): TraiError {
  return new TraiError('stale-revision', 'the pending changes are not the ones that were reviewed', {
    hint: 'Review them again, then repeat.',
    ...(data === undefined ? {} : { data }),
  });
}
