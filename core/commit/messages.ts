import { TraiError } from '../../shared/errors.ts';

export function staleList(data?: Record<string, string>): TraiError {
  return new TraiError('stale-revision', 'the pending changes are not the ones that were reviewed', {
    hint: 'Review them again, then repeat.',
    ...(data === undefined ? {} : { data }),
  });
}
