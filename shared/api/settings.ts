/**
 * Settings of the dashboard. The server keeps them (`settings.json` in the state directory), since
 * localStorage belongs to one port of one browser. Browser, server and zod schema read these tables.
 */

/** A tab sends an id, never a command. */
export const EDITORS = {
  'none': 'None',
  'env': '$VISUAL or $EDITOR',
  'vscode': 'Visual Studio Code',
  'vscodium': 'VSCodium',
  'cursor': 'Cursor',
  'zed': 'Zed',
  'sublime': 'Sublime Text',
  'idea': 'IntelliJ IDEA',
  'webstorm': 'WebStorm',
  'pycharm': 'PyCharm',
  'emacs': 'Emacs (emacsclient)',
  'gvim': 'gVim',
  'kate': 'Kate',
  'gedit': 'gedit',
} as const satisfies Record<string, string>;

export type EditorId = keyof typeof EDITORS;

export const THEMES = ['system', 'light', 'dark'] as const;
export const DENSITIES = ['comfortable', 'compact'] as const;
export const LAYOUTS = ['unified', 'split'] as const;
export const TAB_WIDTHS = [2, 3, 4, 8] as const;

const BOOLEANS = [true, false] as const;

export const SETTINGS = {
  theme: THEMES,
  density: DENSITIES,
  layout: LAYOUTS,
  wrap: BOOLEANS,
  tabWidth: TAB_WIDTHS,
  editor: Object.keys(EDITORS) as EditorId[],
  keys: BOOLEANS,
  newestFirst: BOOLEANS,
  notify: BOOLEANS,
};

export type UiSettings = { [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K][number] };

export const DEFAULT_SETTINGS: UiSettings = {
  theme: 'system',
  density: 'comfortable',
  layout: 'unified',
  wrap: true,
  tabWidth: 4,
  editor: 'none',
  keys: true,
  newestFirst: true,
  notify: false,
};

export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof UiSettings)[];

export type SettingsPatch = { [K in keyof UiSettings]?: UiSettings[K] | undefined };

export interface SettingsAnswer {
  settings: UiSettings;
  problems: string[];
  editors: EditorId[];
}

/** An invalid field is named and gets its default. Never throws. */
export function readSettings(fields: Readonly<Record<string, unknown>>): {
  settings: UiSettings;
  problems: string[];
} {
  const given = SETTING_NAMES.filter((name) => Object.hasOwn(fields, name));
  const isValid = (name: keyof UiSettings) => (SETTINGS[name] as readonly unknown[]).includes(fields[name]);
  const valid = given.filter(isValid).map((name) => [name, fields[name]]);
  return {
    settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(valid) },
    problems: given
      .filter((name) => !isValid(name))
      .map((name) => `${name}: ${JSON.stringify(fields[name])} is no value of it; the default is used.`),
  };
}

export function changedSettings(before: UiSettings, now: UiSettings): Partial<UiSettings> {
  const changed = SETTING_NAMES.filter((name) => before[name] !== now[name]);
  return Object.fromEntries(changed.map((name) => [name, now[name]]));
}
