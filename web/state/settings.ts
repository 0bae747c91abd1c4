/** What the person chose for this browser. Kept in localStorage; where that is off, for this tab only. */
import { effect, type Signal, signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';

export interface Settings {
  theme: Signal<Theme>;
  layout: Signal<'unified' | 'split'>;
  wrap: Signal<boolean>;
  newestFirst: Signal<boolean>;
  /** Single-letter shortcuts. */
  keys: Signal<boolean>;
}

const STORAGE_KEY = 'trai-settings';

function stored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Reads the settings and writes them back on every change; `data-theme` of the page follows the theme. */
export function createSettings(): Settings {
  const saved = stored();
  const settings: Settings = {
    theme: signal<Theme>(saved['theme'] === 'light' || saved['theme'] === 'dark' ? saved['theme'] : 'auto'),
    layout: signal<'unified' | 'split'>(saved['layout'] === 'split' ? 'split' : 'unified'),
    wrap: signal(saved['wrap'] !== false),
    newestFirst: signal(saved['newestFirst'] !== false),
    keys: signal(saved['keys'] !== false),
  };
  effect(() => {
    const values = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.value]));
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(values));
    } catch {
      // Storage is off or full: the choice holds for this tab.
    }
  });
  effect(() => {
    if (settings.theme.value === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', settings.theme.value);
  });
  return settings;
}
