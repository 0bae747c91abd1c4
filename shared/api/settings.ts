/**
 * How the dashboard looks and behaves. The server keeps it (`settings.json` in the state directory), since localStorage
 * belongs to one port of one browser. Pure: the browser, the server and its zod schema read these tables.
 */

/** Programs that "open in editor" may start: an id, never a command, comes from a tab. */
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

export interface UiSettings {
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  /** Of a diff. */
  layout: (typeof LAYOUTS)[number];
  wrap: boolean;
  tabWidth: (typeof TAB_WIDTHS)[number];
  editor: EditorId;
  /** Single-letter shortcuts. */
  keys: boolean;
  /** Order of the timeline. */
  newestFirst: boolean;
  /** Tell the person when a session ends with pending changes. */
  notify: boolean;
}

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

export const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof UiSettings)[];

/** Some of them, to be changed. */
export type SettingsPatch = { [K in keyof UiSettings]?: UiSettings[K] | undefined };

export interface SettingsAnswer {
  settings: UiSettings;
  /** What the file held that could not be used. Empty = all is well. */
  problems: string[];
  /** Editors whose program is on the server's PATH. */
  editors: EditorId[];
}

const CHECKS: { [K in keyof UiSettings]: (value: unknown) => value is UiSettings[K] } = {
  theme: (value): value is UiSettings['theme'] => isOneOf(THEMES, value),
  density: (value): value is UiSettings['density'] => isOneOf(DENSITIES, value),
  layout: (value): value is UiSettings['layout'] => isOneOf(LAYOUTS, value),
  wrap: isBoolean,
  tabWidth: (value): value is UiSettings['tabWidth'] => isOneOf(TAB_WIDTHS, value),
  editor: (value): value is EditorId => typeof value === 'string' && Object.hasOwn(EDITORS, value),
  keys: isBoolean,
  newestFirst: isBoolean,
  notify: isBoolean,
};

/** Reads what a file holds: a field that is wrong is named, and has its default. Never throws. */
export function readSettings(fields: Readonly<Record<string, unknown>>): {
  settings: UiSettings;
  problems: string[];
} {
  const settings: UiSettings = { ...DEFAULT_SETTINGS };
  const problems: string[] = [];
  const take = <K extends keyof UiSettings>(name: K): void => {
    if (!Object.hasOwn(fields, name)) return;
    const value = fields[name];
    if (CHECKS[name](value)) settings[name] = value;
    else problems.push(`${name}: ${JSON.stringify(value)} is no value of it; the default is used.`);
  };
  for (const name of SETTING_NAMES) take(name);
  return { settings, problems };
}

/** The fields of `now` that differ from `before`. */
export function changedSettings(before: UiSettings, now: UiSettings): Partial<UiSettings> {
  const changed: Partial<UiSettings> = {};
  const take = <K extends keyof UiSettings>(name: K): void => {
    if (before[name] !== now[name]) changed[name] = now[name];
  };
  for (const name of SETTING_NAMES) take(name);
  return changed;
}

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
