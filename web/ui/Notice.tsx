/** Errors, empty pages and banners: what is the matter, and what to do next. */
import type { ComponentChildren } from 'preact';
import type { ApiError, ApiErrorCode } from '../../shared/api/api-error.ts';
import type { Resource } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { scrolls } from './Panel.tsx';

const TITLES: Partial<Record<ApiErrorCode, string>> = {
  offline: 'The server stopped',
  unauthorised: 'This tab is not paired',
  'no-session': 'No such session',
  'not-found': 'It is not there any more',
  'stale-revision': 'The changes moved on since you looked',
  conflicts: 'Some entries are in conflict',
  live: 'Processes are still running in this session',
  'not-empty': 'The overlay is not empty',
  busy: 'The session is busy',
  unfinished: 'An earlier commit stopped in the middle',
  cancelled: 'Stopped, as you asked',
  'no-space': 'The disk is full',
  io: 'The file system refused',
  corrupt: 'Something on disk is damaged',
};

/** What to do where the server gave no hint of its own. */
const NEXT: Partial<Record<ApiErrorCode, string>> = {
  'no-session': 'Go back to the list of sessions.',
  'stale-revision': 'Refresh, look at what changed, and try again.',
  live: 'Wait until they end, or end them.',
  busy: 'Another commit, discard or call holds it. Try again in a moment.',
  unfinished: 'Commit again: it finishes the earlier one first.',
  'no-space': 'Free some space and try again. Nothing was lost.',
  internal: 'Try again. If it stays, run `trai doctor`.',
};

export function ErrorPanel({
  error,
  retry,
  children,
}: {
  error: ApiError;
  retry?: () => void;
  children?: ComponentChildren;
}) {
  const next = error.hint ?? NEXT[error.code];
  return (
    <div class="notice notice-error" role="alert">
      <Icon name="warning" />
      <div class="notice-body">
        <strong>{TITLES[error.code] ?? 'That did not work'}</strong>
        <p>{visibleText(error.message)}</p>
        {error.path === undefined ? null : <p class="mono path">{visibleText(error.path)}</p>}
        {error.paths.length === 0 ? null : <PathList paths={error.paths} />}
        {next === undefined ? null : <p class="muted">{visibleText(next)}</p>}
        {children}
        {retry === undefined ? null : (
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

interface LoadedProps<T> {
  resource: Resource<T>;
  /** Until the first answer. */
  waiting?: ComponentChildren;
  children(value: T): ComponentChildren;
}

/** What was fetched, with why the last fetch failed. */
export function Loaded<T>({ resource, waiting = null, children }: LoadedProps<T>) {
  const value = resource.data.value;
  const error = resource.error.value;
  return (
    <>
      {error === null ? null : <ErrorPanel error={error} retry={() => void resource.load()} />}
      {value === null ? error === null && waiting : children(value)}
    </>
  );
}

const SHOWN_PATHS = 50;

/** A scrolling list of paths; says how many are left out. */
export function PathList({ paths }: { paths: readonly string[] }) {
  return (
    <ul class="path-list" {...scrolls} aria-label="Paths">
      {paths.slice(0, SHOWN_PATHS).map((path) => (
        <li key={path} class="mono path">
          {visibleText(path)}
        </li>
      ))}
      {paths.length > SHOWN_PATHS ? <li class="muted">and {paths.length - SHOWN_PATHS} more</li> : null}
    </ul>
  );
}

export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} class="empty-icon" />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Banner(props: {
  tone: 'good' | 'info' | 'warning' | 'danger';
  icon: IconName;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class={`banner banner-${props.tone}`}>
      <Icon name={props.icon} />
      <div class="banner-text">{props.children}</div>
      {props.action}
    </div>
  );
}

/** "12 changes – refresh": floats over a list, so that nothing under the reader moves. */
export function NewerPill({ text, onShow }: { text: string; onShow: () => void }) {
  return (
    <div class="pill-holder" role="status">
      <button type="button" class="pill" onClick={onShow}>
        <Icon name="refresh" /> {text}
      </button>
    </div>
  );
}

/** In the same place, while there is nothing to press yet. */
export function QuietPill({ text }: { text: string }) {
  return (
    <div class="pill-holder" role="status">
      <span class="pill pill-quiet">{text}</span>
    </div>
  );
}
