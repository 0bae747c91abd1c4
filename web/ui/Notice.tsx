/** Errors, empty pages, banners and pills. */

import type { ComponentChildren } from 'preact';
import type { ApiError } from '../../shared/api/api-error.ts';
import { ERROR_TITLES, NEXT_STEPS, REQUEST_FAILED } from '../messages/errors.ts';
import type { Resource } from '../state/resource.ts';
import { count } from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { scrolls } from './Panel.tsx';
import { Prose } from './Prose.tsx';

interface ErrorPanelProps {
  /** Null draws nothing. */
  error: ApiError | null;
  retry?: () => void;
  children?: ComponentChildren;
}

export function ErrorPanel({ error, retry, children }: ErrorPanelProps) {
  if (error === null) return null;
  const next = error.hint ?? NEXT_STEPS[error.code];
  return (
    <div class="notice lines tone-danger" role="alert">
      <Icon name="warning" />
      <div class="notice-body stack">
        <strong>{ERROR_TITLES[error.code] ?? REQUEST_FAILED}</strong>
        <p>
          <Prose text={error.message} />
        </p>
        {error.path === undefined ? null : <p class="mono path">{visibleText(error.path)}</p>}
        {error.paths.length === 0 ? null : <PathList paths={error.paths} />}
        {next === undefined ? null : (
          <p class="muted">
            <Prose text={next} />
          </p>
        )}
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
  waiting?: ComponentChildren;
  children(value: T): ComponentChildren;
}

/** The value, with the error of the last fetch. */
export function Loaded<T>({ resource, waiting = null, children }: LoadedProps<T>) {
  const value = resource.data.value;
  const error = resource.error.value;
  return (
    <>
      <ErrorPanel error={error} retry={() => void resource.load()} />
      {value === null ? error === null && waiting : children(value)}
    </>
  );
}

const SHOWN_PATHS = 50;

/** Scrolls, and says how many paths are left out. */
export function PathList({ paths }: { paths: readonly string[] }) {
  return (
    <ul class="path-list framed" {...scrolls} aria-label="Paths">
      {paths.slice(0, SHOWN_PATHS).map((path) => (
        <li key={path} class="mono path">
          {visibleText(path)}
        </li>
      ))}
      {paths.length > SHOWN_PATHS ? (
        <li class="muted">and {count(paths.length - SHOWN_PATHS)} more</li>
      ) : null}
    </ul>
  );
}

export function Empty(props: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty stack">
      <Icon name={props.icon} class="empty-icon" />
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

export function Banner(props: {
  tone: 'added' | 'accent' | 'warning' | 'danger';
  icon: IconName;
  /** On a page, not over its whole width. */
  boxed?: boolean;
  role?: 'status';
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class={`banner lines tone-${props.tone} ${props.boxed ? 'boxed' : ''}`} role={props.role}>
      <Icon name={props.icon} />
      <div class="banner-text grow">{props.children}</div>
      {props.action}
    </div>
  );
}

/** Floats over a list, so that nothing moves. A plain note without `onShow`. */
export function Pill({ text, onShow }: { text: string; onShow?: () => void }) {
  return (
    <div class="pill-holder" role="status">
      {onShow === undefined ? (
        <span class="pill pill-quiet flex">{text}</span>
      ) : (
        <button type="button" class="pill flex" onClick={onShow}>
          <Icon name="refresh" /> {text}
        </button>
      )}
    </div>
  );
}

interface UnreadProps {
  /** With its number: "2 directories". */
  what: string;
  problems: readonly { name: string; text: string }[];
  /** Between the sections of a page. */
  boxed?: boolean;
}

/** What a list had to leave out, with the reasons. Draws nothing without any. */
export function Unread({ what, problems, boxed = false }: UnreadProps) {
  if (problems.length === 0) return null;
  return (
    <Banner boxed={boxed} tone="warning" icon="warning">
      <details>
        <summary>{what} could not be read: this list may be incomplete</summary>
        <ul class="plain">
          {problems.map(({ name, text }) => (
            <li key={name}>
              <span class="mono path">{visibleText(name)}</span> {visibleText(text)}
            </li>
          ))}
        </ul>
      </details>
    </Banner>
  );
}
