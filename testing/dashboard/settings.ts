/** Settings of a recording: kept as long as the tab lives, so that they outlast a reload as a server's do. */
import {
  DEFAULT_SETTINGS,
  readSettings,
  type SettingsAnswer,
  type SettingsPatch,
  type UiSettings,
} from '../../shared/api/settings.ts';

const KEY = 'trai-recorded-settings';

export class FakeSettings {
  #settings: UiSettings = { ...DEFAULT_SETTINGS, ...kept() };

  answer(): SettingsAnswer {
    return { settings: this.#settings, problems: [], editors: ['env', 'vscode', 'emacs'] };
  }

  change(patch: SettingsPatch): SettingsAnswer {
    this.#settings = { ...this.#settings, ...patch } as UiSettings;
    sessionStorage.setItem(KEY, JSON.stringify(this.#settings));
    return this.answer();
  }
}

function kept(): Partial<UiSettings> {
  const fields: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  return typeof fields === 'object' && fields !== null ? readSettings({ ...fields }).settings : {};
}
