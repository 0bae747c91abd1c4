/** Signing in, and the connection to the server. */
import type { BackendStatus } from '../../shared/api/types.ts';

export const STATUS_WORDS: Record<BackendStatus, string> = {
  connected: 'connected',
  connecting: 'connecting',
  offline: 'server stopped',
  unauthorised: 'signed out',
};

export const SIGN_IN = {
  title: 'Sign in this tab',
  why: 'Sign in to see this session’s changes.',
  signedOut: 'This tab is signed out',
  restarted: 'The server was restarted. Sign in again; your pending changes are safe.',
  code: 'Sign in with a code',
  typeIt: 'Type one of these within two minutes.',
} as const;

export const OFFLINE = {
  title: 'Server stopped',
  state: 'You are looking at the last known state.',
} as const;

export const staleText = (why: string): string => `This view is no longer updated: ${why}`;
