/** The bar on top: where the person is, whether the server answers, and how the page looks. */
import { Icon } from '../components/Icon.tsx';
import { Segmented } from '../components/Segmented.tsx';
import { visibleText } from '../lib/visible.ts';
import { useApp } from '../state/app.ts';

const STATUS = {
  connected: { word: 'connected', class: 'status-good' },
  connecting: { word: 'connecting', class: '' },
  offline: { word: 'server stopped', class: 'status-bad' },
  unauthorised: { word: 'not paired', class: 'status-bad' },
} as const;

export function Header() {
  const { route, status, settings, helpOpen, recorded } = useApp();
  const where = route.value;
  const state = STATUS[status.value];
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
      {recorded === null ? null : <span class="badge badge-accent">{recorded}</span>}
      <div class="top-tools">
        <span class={`status ${state.class}`} role="status">
          <span class="status-dot" aria-hidden="true" />
          {state.word}
        </span>
        <Segmented
          label="Colours"
          compact
          value={settings.theme.value}
          options={[
            { value: 'system', text: 'As the system', icon: 'auto' },
            { value: 'light', text: 'Light', icon: 'sun' },
            { value: 'dark', text: 'Dark', icon: 'moon' },
          ]}
          onChange={(theme) => {
            settings.theme.value = theme;
          }}
        />
        <button
          type="button"
          class="button button-quiet button-icon"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          aria-haspopup="dialog"
          onClick={() => {
            helpOpen.value = true;
          }}
        >
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  );
}
