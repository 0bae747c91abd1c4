/** A button that asks for a commit or discard: opens the sheet of the request. Without a server there is nothing to request. */

import type { ComponentChildren } from 'preact';
import { MAX_SCOPE_PATHS } from '../../shared/limits.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { tooManyText } from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';

interface Props {
  state: SessionState;
  action: 'commit' | 'discard';
  /** What it is about; as a function it is worked out by the click, and null is too much to name one by one. */
  scope: Scope | (() => Scope | null);
  primary?: boolean;
  small?: boolean;
  /** There is nothing to request in any case. */
  disabled?: boolean;
  children: ComponentChildren;
}

export function ActionButton({ state, action, scope, children, ...looks }: Props) {
  const { status, announcement } = useApp();
  const { primary = false, small = false, disabled = false } = looks;
  const onClick = (): void => {
    const meant = typeof scope === 'function' ? scope() : scope;
    if (meant !== null) state.request.value = { action, scope: meant };
    else announcement.value = tooManyText(MAX_SCOPE_PATHS);
  };
  return (
    <button
      type="button"
      class={`button ${small ? 'button-small' : ''} ${primary ? 'button-primary' : ''}`}
      aria-haspopup="dialog"
      disabled={disabled || status.value !== 'connected'}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
