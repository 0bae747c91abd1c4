/** Settings of a recording: kept as long as the page lives. */
import {
  DEFAULT_SETTINGS,
  type SettingsAnswer,
  type SettingsPatch,
  type UiSettings,
} from '../../../shared/api/settings.ts';

export class FakeSettings {
  #settings: UiSettings = DEFAULT_SETTINGS;

  answer(): SettingsAnswer {
    return { settings: this.#settings, problems: [], editors: ['env', 'vscode', 'emacs'] };
  }

  change(patch: SettingsPatch): SettingsAnswer {
    this.#settings = { ...this.#settings, ...patch } as UiSettings;
    return this.answer();
  }
}
