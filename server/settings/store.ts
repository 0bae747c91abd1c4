/**
 * The dashboard's settings: `settings.json` in the state directory (0600). Only this server writes it, so a
 * queue suffices. Fields of a newer version are kept; a file that is not understood is never replaced, and
 * the defaults are used. editors.ts is the table of editors that a tab can open.
 */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../core/kernel/fs/port.ts';
import { readTail, replaceFile } from '../../core/kernel/fs/state-file.ts';
import type { Env } from '../../core/session/dirs.ts';
import {
  DEFAULT_SETTINGS,
  readSettings,
  type SettingsAnswer,
  type SettingsPatch,
  type UiSettings,
} from '../../shared/api/settings.ts';
import { isObject } from '../../shared/json-lines.ts';
import type { EventHub } from '../events/hub.ts';
import { refusal } from '../messages/refusals.ts';
import { editorsFound } from './editors.ts';

const FORMAT = 1;
/** A larger file is not ours (bytes). */
const MAX_BYTES = 64 * 1024;

type Read = Omit<SettingsAnswer, 'editors'>;

interface Stored extends Read {
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
  read(): Read {
    const { settings, problems } = this.#load();
    return { settings, problems };
  }

  /** Concurrent changes are queued. @throws TraiError `corrupt` for a file that is not understood, `io` */
  change(patch: Partial<UiSettings>): Promise<Read> {
    const done = this.#last.then(() => this.#change(patch));
    this.#last = done.catch(() => {});
    return done;
  }

  async #change(patch: Partial<UiSettings>): Promise<Read> {
    const { fields, foreign, problems } = this.#load();
    if (foreign) throw refusal('settings-foreign', { why: problems.join(' ') }, { path: this.file });
    const next = { ...fields, v: FORMAT, ...patch };
    try {
      await replaceFile(this.file, `${JSON.stringify(next, null, 2)}\n`);
    } catch (error) {
      throw refusal('settings-failed', { why: String(error) }, { path: this.file, cause: error });
    }
    return readSettings(next);
  }

  #load(): Stored {
    try {
      const bytes = readTail(this.file, MAX_BYTES + 1);
      if (bytes !== null && bytes.length > MAX_BYTES)
        return this.#unusable(`expected at most ${MAX_BYTES} bytes`);
      if (bytes !== null) return this.#parse(JSON.parse(bytes.toString('utf8')));
      if (lstatSync(this.file, { throwIfNoEntry: false }) !== undefined)
        return this.#unusable('expected a regular file');
      return { settings: DEFAULT_SETTINGS, problems: [], fields: {}, foreign: false };
    } catch (error) {
      const isText = error instanceof SyntaxError;
      return this.#unusable(isText ? 'expected JSON' : `it cannot be read (${errorCode(error)})`);
    }
  }

  #parse(json: unknown): Stored {
    if (!isObject(json)) return this.#unusable('expected an object');
    if (json['v'] !== FORMAT)
      return this.#unusable(`expected format ${FORMAT}, found ${JSON.stringify(json['v']) ?? 'none'}`);
    return { ...readSettings(json), fields: json, foreign: false };
  }

  #unusable(problem: string): Stored {
    const problems = [`${this.file}: ${problem}. The defaults are used.`];
    return { settings: DEFAULT_SETTINGS, problems, fields: {}, foreign: true };
  }
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

/** Every tab gets the event, the one that made the change too. */
export function settingsBackend(store: SettingsStore, hub: EventHub, env: Env) {
  const answer = (read: Read): SettingsAnswer => ({ ...read, editors: editorsFound(env) });
  return {
    settings: async () => answer(store.read()),
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
