/**
 * Errors of the server, keyed by code: what happened, and what to do unless the error has a hint of its own.
 *
 * This folder has the dashboard's sentences, a module for each domain: first what happened, then what to do.
 * The terminal has its own.
 */
import type { ApiErrorCode } from '../../shared/api/api-error.ts';

export const ERROR_TITLES: Partial<Record<ApiErrorCode, string>> = {
  offline: 'Server stopped',
  unauthorised: 'This tab is signed out',
  'no-session': 'No such session',
  'not-found': 'Not found',
  'stale-revision': 'The list of changes is out of date',
  conflicts: 'Some entries are in conflict',
  live: 'Processes are still running in this session',
  'not-empty': 'The overlay is not empty',
  busy: 'The session is busy',
  unfinished: 'An earlier commit is unfinished',
  cancelled: 'Cancelled',
  answered: 'Already settled',
  'no-space': 'The disk is full',
  io: 'The file system reported an error',
  corrupt: 'Data on disk is damaged',
};

export const REQUEST_FAILED = 'Request failed';

export const NEXT_STEPS: Partial<Record<ApiErrorCode, string>> = {
  'no-session': 'Go back to the list of sessions.',
  'stale-revision': 'Refresh, review what changed, and try again.',
  live: 'Wait until they end, or end them.',
  busy: 'Another commit, discard or call holds it. Try again in a moment.',
  unfinished: 'Commit again: it finishes the earlier one first.',
  'no-space': 'Free some space and try again. Nothing was lost.',
  internal: 'Try again. If it fails again, see what Doctor says.',
};
