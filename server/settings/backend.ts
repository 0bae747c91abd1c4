import type { Env } from '../../core/session/dirs.ts';
import type { SettingsAnswer, SettingsPatch, UiSettings } from '../../shared/api/settings.ts';
import type { EventHub } from '../events/hub.ts';
import { editorsFound } from './editors.ts';
import type { SettingsStore } from './store.ts';

/** The settings' part of the server's backend. Every tab is told of a change, the one that made it too. */
export function settingsBackend(store: SettingsStore, hub: EventHub, env: Env) {
  const answer = (read: { settings: UiSettings; problems: string[] }): SettingsAnswer => ({
    ...read,
    editors: editorsFound(env),
  });
  return {
    settings: async () => answer(await store.read()),
    saveSettings: async (patch: SettingsPatch) => {
      const saved = answer(await store.change(defined(patch)));
      hub.emit({ type: 'settings' });
      return saved;
    },
  };
}

function defined(patch: SettingsPatch): Partial<UiSettings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
