/**
 * What the user chose, as the server keeps it. A view reads and sets the signals; what differs from what is known is
 * saved, and what another tab saved comes in. What could not be saved holds in this tab and is tried again.
 */
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

/** What of the page's root element carries settings. */
interface Root {
  dataset: Record<string, string | undefined>;
  style: { setProperty(name: string, value: string): void };
}

type Keeper = Pick<Backend, 'settings' | 'saveSettings'>;

/** Starts with what the server wrote into the page, so that nothing changes its colour when the settings arrive. */
export function createSettings(keeper: Keeper, page: Root = document.documentElement) {
  let known: UiSettings = {
    ...DEFAULT_SETTINGS,
    theme: THEMES.find((theme) => theme === page.dataset['theme']) ?? DEFAULT_SETTINGS.theme,
    density: DENSITIES.find((density) => density === page.dataset['density']) ?? DEFAULT_SETTINGS.density,
  };
  const values = signalsOf(known);
  /** The server has answered, or could not: what is drawn before would be drawn anew in another way. */
  const answered = signal(false);
  /** What the server's file held that could not be used. */
  const problems = signal<string[]>([]);
  /** Editors that the server found. */
  const editors = signal<EditorId[]>([]);
  /** Why the last change was not saved; null = all is saved, or on its way. */
  const error = signal<ApiError | null>(null);
  /** Changed here, and not known to be saved. */
  let waiting: SettingsPatch = {};
  /** On its way. */
  let sent: SettingsPatch | null = null;
  let saves = 0;

  function adopt(answer: SettingsAnswer): void {
    problems.value = answer.problems;
    editors.value = answer.editors;
    known = { ...answer.settings, ...waiting } as UiSettings;
    batch(() => {
      for (const name of SETTING_NAMES) assign(values, known, name);
    });
  }

  async function send(): Promise<void> {
    if (sent !== null) return;
    try {
      while (Object.keys(waiting).length > 0) {
        const patch = waiting;
        sent = patch;
        const answer = await keeper.saveSettings(patch);
        saves++;
        waiting = changedSince(patch, waiting);
        adopt(answer);
      }
      error.value = null;
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    } finally {
      sent = null;
    }
  }

  /** The page goes: what waits for a save that is under way, or for the next try, is sent at once. */
  function leave(): void {
    if (sent === waiting || Object.keys(waiting).length === 0) return;
    // Should the page come back, the same is sent once more, which changes nothing; nobody is left to be told of an error.
    keeper.saveSettings(waiting).catch(() => undefined);
  }

  /** Asks the server, and saves what is not saved yet. */
  async function load(): Promise<void> {
    const before = saves;
    try {
      const answer = await keeper.settings();
      // An answer from before the last save is older than what is on show.
      if (before !== saves) return await load();
      adopt(answer);
    } catch {
      // The connection's own banner says so; the next connection asks again.
      return;
    } finally {
      answered.value = true;
    }
    if (Object.keys(waiting).length > 0) await send();
  }

  effect(() => {
    const changed = changedSettings(known, plain(values));
    if (Object.keys(changed).length === 0) return;
    known = { ...known, ...changed };
    waiting = { ...waiting, ...changed };
    void send();
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

/** What was changed once more while `sent` was on its way. */
function changedSince(sent: SettingsPatch, now: SettingsPatch): SettingsPatch {
  const names = SETTING_NAMES.filter((name) => Object.hasOwn(now, name) && now[name] !== sent[name]);
  return Object.fromEntries(names.map((name) => [name, now[name]]));
}

function mark(page: Root, name: string, value: string, usual: string): void {
  if (value === usual) delete page.dataset[name];
  else page.dataset[name] = value;
}
