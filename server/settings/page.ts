/** The page as the server sends it: the theme stands in it from its first byte, so that no other one is painted first. */
import { DEFAULT_SETTINGS, type UiSettings } from '../../shared/api/settings.ts';
import type { SettingsStore } from './store.ts';

/** Puts theme and density where the stylesheet looks for them. All values are from fixed lists, so nothing is to be escaped. */
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

/** The page for the settings of this moment. */
export async function pageNow(store: SettingsStore, body: Uint8Array): Promise<string> {
  return pageWith(new TextDecoder().decode(body), (await store.read()).settings);
}
