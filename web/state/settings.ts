/** Settings, kept by the server for all tabs. A change that could not be saved is retried. */
import { batch, effect, type Signal, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import {
  changedSettings,
  DEFAULT_SETTINGS,
  DENSITIES,
  type EditorId,
  SETTING_NAMES,
  type SettingsAnswer,
  type SettingsPatch,
  THEMES,
  type UiSettings,
} from '../../shared/api/settings.ts';

type Signals = { [K in keyof UiSettings]: Signal<UiSettings[K]> };

interface Root {
  dataset: Record<string, string | undefined>;
  style: { setProperty(name: string, value: string): void };
}

type Keeper = Pick<Backend, 'settings' | 'saveSettings'>;

/** Starts with what the server wrote into the page, so that colours do not change when settings arrive. */
export function createSettings(keeper: Keeper, page: Root = document.documentElement) {
  /** As the server has them, as far as is known. */
  let saved: UiSettings = {
    ...DEFAULT_SETTINGS,
    theme: THEMES.find((theme) => theme === page.dataset['theme']) ?? DEFAULT_SETTINGS.theme,
    density: DENSITIES.find((density) => density === page.dataset['density']) ?? DEFAULT_SETTINGS.density,
  };
  const values = signalsOf(saved);
  /** The server has answered or failed; drawing earlier would draw twice. */
  const answered = signal(false);
  const problems = signal<string[]>([]);
  const editors = signal<EditorId[]>([]);
  /** Why the last change was not saved; null = saved, or being saved. */
  const error = signal<ApiError | null>(null);
  /** Being saved. */
  let sent: SettingsPatch | null = null;
  let saves = 0;
  const unsaved = (): Partial<UiSettings> => changedSettings(saved, plain(values));
  /** Changed again since they were sent. */
  const unsent = (): Partial<UiSettings> =>
    changedSettings({ ...saved, ...sent } as UiSettings, plain(values));

  /** What was changed here and is not saved stays. */
  function adopt(answer: SettingsAnswer): void {
    const own = { ...unsaved(), ...unsent() };
    saved = answer.settings;
    problems.value = answer.problems;
    editors.value = answer.editors;
    batch(() => {
      for (const name of SETTING_NAMES) if (!Object.hasOwn(own, name)) assign(values, saved, name);
    });
  }

  async function send(): Promise<void> {
    if (sent !== null) return;
    try {
      for (let patch = unsaved(); Object.keys(patch).length > 0; patch = unsaved()) {
        sent = patch;
        const answer = await keeper.saveSettings(patch);
        saves++;
        saved = { ...saved, ...patch };
        adopt(answer);
      }
      error.value = null;
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    } finally {
      sent = null;
    }
  }

  /** On leaving the page: sends unsaved settings at once. */
  function leave(): void {
    const rest = unsent();
    // With what is being sent, which may not arrive. If the page comes back, the same may be sent again,
    // which changes nothing.
    if (Object.keys(rest).length > 0) keeper.saveSettings({ ...sent, ...rest }).catch(() => undefined);
  }

  async function load(): Promise<void> {
    const before = saves;
    try {
      const answer = await keeper.settings();
      // An answer from before the last save is older than what is shown.
      if (before !== saves) return await load();
      adopt(answer);
    } catch {
      // The connection's banner says so; the next connection fetches again.
      return;
    } finally {
      answered.value = true;
    }
    await send();
  }

  effect(() => {
    // After a failed save also for a change that was undone: that clears the error.
    if (Object.keys(unsaved()).length > 0 || error.peek() !== null) void send();
  });
  effect(() => {
    mark(page, 'theme', values.theme.value, DEFAULT_SETTINGS.theme);
    mark(page, 'density', values.density.value, DEFAULT_SETTINGS.density);
    page.style.setProperty('--tab-width', String(values.tabWidth.value));
  });
  return { ...values, known: answered, problems, editors, error, load, leave };
}

function signalsOf(from: UiSettings): Signals {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, signal(from[name])])) as unknown as Signals;
}

function plain(values: Signals): UiSettings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, values[name].value])) as unknown as UiSettings;
}

function assign<K extends keyof UiSettings>(values: Signals, from: UiSettings, name: K): void {
  const target: Signal<UiSettings[K]> = values[name];
  target.value = from[name];
}

function mark(page: Root, name: string, value: string, usual: string): void {
  if (value === usual) delete page.dataset[name];
  else page.dataset[name] = value;
}
