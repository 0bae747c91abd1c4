import { expect, test } from 'vitest';
import { ApiError } from '../../shared/api/api-error.ts';
import { DEFAULT_SETTINGS, type SettingsPatch, type UiSettings } from '../../shared/api/settings.ts';
import { createSettings } from './settings.ts';

/** A server whose answers to saves the test releases. */
function server(first: Partial<UiSettings> = {}) {
  let settings: UiSettings = { ...DEFAULT_SETTINGS, ...first };
  const held: { patch: SettingsPatch; go: (error?: ApiError) => Promise<void> }[] = [];
  const answer = () => ({ settings, problems: [], editors: [] });
  return {
    held,
    get settings() {
      return settings;
    },
    set: (patch: Partial<UiSettings>) => {
      settings = { ...settings, ...patch };
    },
    keeper: {
      settings: async () => answer(),
      saveSettings: (patch: SettingsPatch) =>
        new Promise<ReturnType<typeof answer>>((resolve, reject) => {
          const go = async (error?: ApiError) => {
            if (error === undefined) {
              settings = { ...settings, ...patch } as UiSettings;
              resolve(answer());
            } else reject(error);
            await new Promise((next) => setTimeout(next, 0));
          };
          held.push({ patch, go });
        }),
    },
  };
}

function page(dataset: Record<string, string | undefined> = {}) {
  return { dataset, style: { setProperty: () => {} } };
}

test('the theme that the server wrote into the page holds until the settings are there, and nothing is saved', async () => {
  const on = server({ theme: 'dark' });
  const html = page({ theme: 'dark' });
  const settings = createSettings(on.keeper, html);
  expect([settings.theme.value, settings.known.value]).toEqual(['dark', false]);
  await settings.load();
  expect(settings.known.value).toBe(true);
  expect(html.dataset).toEqual({ theme: 'dark' });
  expect(on.held).toEqual([]);
});

test('a change is saved; one more while it is on its way is saved after it', async () => {
  const on = server();
  const html = page();
  const settings = createSettings(on.keeper, html);
  settings.theme.value = 'light';
  expect(html.dataset).toEqual({ theme: 'light' });
  settings.wrap.value = false;
  settings.theme.value = 'dark';
  await on.held[0]?.go();
  expect(settings.theme.value).toBe('dark');
  await on.held[1]?.go();
  expect(on.held.map(({ patch }) => patch)).toEqual([{ theme: 'light' }, { theme: 'dark', wrap: false }]);
  expect(on.settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark', wrap: false });
});

test('what another tab saved comes in and is not saved again', async () => {
  const on = server();
  const settings = createSettings(on.keeper, page());
  await settings.load();
  on.set({ layout: 'split' });
  await settings.load();
  expect(settings.layout.value).toBe('split');
  expect(on.held).toEqual([]);
});

test('what could not be saved holds here, is said, and is tried again', async () => {
  const on = server();
  const settings = createSettings(on.keeper, page());
  settings.keys.value = false;
  await on.held[0]?.go(ApiError.offline());
  expect(settings.error.value?.code).toBe('offline');
  on.set({ wrap: false });
  const loading = settings.load();
  while (on.held.length < 2) await new Promise((next) => setTimeout(next, 0));
  expect([settings.keys.value, settings.wrap.value]).toEqual([false, false]);
  await on.held[1]?.go();
  await loading;
  expect(settings.error.value).toBeNull();
  expect(on.settings).toEqual({ ...DEFAULT_SETTINGS, wrap: false, keys: false });
});

test('a server that does not answer leaves the defaults, and nobody waits for it', async () => {
  const lost = { ...server().keeper, settings: () => Promise.reject(ApiError.offline()) };
  const settings = createSettings(lost, page());
  await settings.load();
  expect([settings.known.value, settings.layout.value]).toEqual([true, DEFAULT_SETTINGS.layout]);
});

test('a page that goes sends what waits for a save under way, and nothing twice', async () => {
  const on = server();
  const settings = createSettings(on.keeper, page());
  settings.leave();
  settings.theme.value = 'light';
  settings.leave();
  expect(on.held.map(({ patch }) => patch)).toEqual([{ theme: 'light' }]);
  settings.wrap.value = false;
  settings.leave();
  expect(on.held.map(({ patch }) => patch)).toEqual([{ theme: 'light' }, { theme: 'light', wrap: false }]);
  for (const { go } of on.held) await go();
  expect(on.settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'light', wrap: false });
});

test('a page that goes tries once more what could not be saved, and the error of that troubles nobody', async () => {
  const on = server();
  const settings = createSettings(on.keeper, page());
  settings.keys.value = false;
  await on.held[0]?.go(ApiError.offline());
  settings.leave();
  expect(on.held[1]?.patch).toEqual({ keys: false });
  await on.held[1]?.go(ApiError.offline());
});

test('a page that comes back goes on with its saves', async () => {
  const on = server();
  const settings = createSettings(on.keeper, page());
  settings.theme.value = 'light';
  settings.wrap.value = false;
  settings.leave();
  await on.held[0]?.go();
  expect(on.held[2]?.patch).toEqual({ wrap: false });
  await on.held[1]?.go();
  await on.held[2]?.go();
  expect(on.settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'light', wrap: false });
  expect(settings.error.value).toBeNull();
});
