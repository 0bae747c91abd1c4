/** The bar on top: where the user is, whether the server answers, and the way to the other pages. */
import { STATUS_WORDS } from '../messages/connection.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { formatRoute, type Route } from '../state/router.ts';
import { visibleText } from '../text/visible.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';

const STATUS_TONES = {
  connected: 'status-good',
  connecting: '',
  offline: 'status-bad',
  unauthorised: 'status-bad',
} as const;

const PAGES: readonly { name: string; icon: IconName; to: Route }[] = [
  { name: 'Disk', icon: 'disk', to: { view: 'disk' } },
  { name: 'Doctor', icon: 'pulse', to: { view: 'doctor', about: null } },
  { name: 'Settings', icon: 'gear', to: { view: 'settings' } },
];

export function Header() {
  const { route, status, helpOpen, recorded } = useApp();
  const where = route.value;
  return (
    <header class="top-bar">
      <a class="brand" href="#/">
        <Icon name="shield" /> trai
      </a>
      <nav class="crumbs" aria-label="You are here">
        <a href="#/" aria-current={where.view === 'sessions' ? 'page' : undefined}>
          Sessions
        </a>
        {'session' in where ? (
          <>
            <span aria-hidden="true">/</span>
            <span class="mono crumb">{visibleText(where.session)}</span>
          </>
        ) : null}
      </nav>
      {recorded === null ? null : <span class="badge tone-accent recorded">{recorded}</span>}
      <div class="top-tools">
        <span class={`status ${STATUS_TONES[status.value]}`} role="status">
          <span class="status-dot" aria-hidden="true" />
          <span class="status-word">{STATUS_WORDS[status.value]}</span>
        </span>
        <nav class="top-pages" aria-label="Pages">
          {PAGES.map(({ name, icon, to }) => (
            <a
              key={name}
              class="top-page"
              href={formatRoute(to)}
              title={name}
              aria-current={where.view === to.view ? 'page' : undefined}
            >
              <Icon name={icon} /> <span class="top-page-name">{name}</span>
            </a>
          ))}
        </nav>
        <IconButton
          icon="keyboard"
          label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          aria-haspopup="dialog"
          onClick={() => set(helpOpen, true)}
        />
      </div>
    </header>
  );
}
