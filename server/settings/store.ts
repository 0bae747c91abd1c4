/**
 * The dashboard's settings: `settings.json` in the state directory (0600). Only this server writes it, so a
 * queue suffices. Fields of a newer version are kept; a file that is not understood is never replaced, and
 * the defaults are used. editors.ts is the table of editors that a tab can open.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../core/kernel/fs/state-file.ts';
import type { Env } from '../../core/session/dirs.ts';
import {
  DEFAULT_SETTINGS,
  readSettings,
  type SettingsAnswer,
  type SettingsPatch,
  type UiSettings,
} from '../../shared/api/settings.ts';
import type { EventHub } from '../events/hub.ts';
import { refusal } from '../messages/refusals.ts';
import { editorsFound } from './editors.ts';

const FORMAT = 1;
/** A larger file is not ours (bytes). */
const MAX_BYTES = 64 * 1024;

interface Stored {
  settings: UiSettings;
  problems: string[];
  /** The whole file: fields of a newer version are kept. */
  fields: Readonly<Record<string, unknown>>;
  /** Another format, or unreadable: it is not replaced. */
  foreign: boolean;
}

export class SettingsStore {
  readonly file: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stateDir: string) {
    this.file = path.join(stateDir, 'settings.json');
  }

  /** Never throws: for invalid values the defaults are used, and a problem names them. */
  async read(): Promise<{ settings: UiSettings; problems: string[] }> {
    const { settings, problems } = await this.#load();
    return { settings, problems };
  }

  /** Concurrent changes are queued. @throws TraiError `corrupt` for a file that is not understood, `io` */
  change(patch: Partial<UiSettings>): Promise<{ settings: UiSettings; problems: string[] }> {
    const done = this.#last.then(() => this.#change(patch));
    this.#last = done.catch(() => {});
    return done;
  }

  async #change(patch: Partial<UiSettings>): Promise<{ settings: UiSettings; problems: string[] }> {
    const { fields, foreign, problems } = await this.#load();
    if (foreign) throw refusal('settings-foreign', { why: problems.join(' ') }, { path: this.file });
    const next = { ...fields, v: FORMAT, ...patch };
    try {
      await replaceFile(this.file, `${JSON.stringify(next, null, 2)}\n`);
    } catch (error) {
      throw refusal('settings-failed', { why: String(error) }, { path: this.file, cause: error });
    }
    return readSettings(next);
  }

  async #load(): Promise<Stored> {
    const text = await this.#text();
    if (text === null) return { settings: DEFAULT_SETTINGS, problems: [], fields: {}, foreign: false };
    if ('problem' in text) return this.#unusable(text.problem);
    let json: unknown;
    try {
      json = JSON.parse(text.text);
    } catch {
      return this.#unusable('expected JSON');
    }
    if (!isObject(json)) return this.#unusable('expected an object');
    if (json['v'] !== FORMAT)
      return this.#unusable(`expected format ${FORMAT}, found ${JSON.stringify(json['v']) ?? 'none'}`);
    const { settings, problems } = readSettings(json);
    return { settings, problems, fields: json, foreign: false };
  }

  #unusable(problem: string): Stored {
    const problems = [`${this.file}: ${problem}. The defaults are used.`];
    return { settings: DEFAULT_SETTINGS, problems, fields: {}, foreign: true };
  }

  async #text(): Promise<{ text: string } | { problem: string } | null> {
    try {
      const file = await open(this.file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stat = await file.stat();
        if (!stat.isFile()) return { problem: 'expected a regular file' };
        if (stat.size > MAX_BYTES)
          return { problem: `expected at most ${MAX_BYTES} bytes, found ${stat.size}` };
        return { text: await file.readFile('utf8') };
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT') return null;
      return { problem: `it cannot be read (${String(code)})` };
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All values come from fixed lists, so nothing needs escaping. */
export function pageWith(html: string, { theme, density }: Pick<UiSettings, 'theme' | 'density'>): string {
  const attributes = [
    ...(theme === DEFAULT_SETTINGS.theme ? [] : [` data-theme="${theme}"`]),
    ...(density === DEFAULT_SETTINGS.density ? [] : [` data-density="${density}"`]),
  ].join('');
  const scheme = theme === 'system' ? 'light dark' : theme;
  return html
    .replace(/<html lang="en">/, `<html lang="en"${attributes}>`)
    .replace(/(<meta name="color-scheme" content=")[^"]*(")/, `$1${scheme}$2`);
}

export async function pageNow(store: SettingsStore, body: Uint8Array): Promise<string> {
  return pageWith(new TextDecoder().decode(body), (await store.read()).settings);
}

/** Every tab gets the event, the one that made the change too. */
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
