/** What else can be done with the entry on show: white space, tab width, its path, its file. */
import { ApiError } from '../../shared/api/api-error.ts';
import type { SideName } from '../../shared/api/files.ts';
import { TAB_WIDTHS } from '../../shared/api/settings.ts';
import { nameOf, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { SPACES, type Spaces } from '../../shared/model/diff.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Icon } from '../ui/Icon.tsx';
import { Menu } from '../ui/Menu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { lineInSight, useLineAddress } from './rows/position.ts';
import { notice, spaces } from './use-diff.ts';

const SPACE_WORDS: Record<Spaces, string> = {
  exact: 'Show all',
  amount: 'Ignore amount',
  ignored: 'Ignore all',
};

export function DiffMenu({ state, change }: { state: SessionState; change: Change }) {
  const { backend, settings, status } = useApp();
  const say = (text: string): void => {
    notice.value = text;
  };

  const copy = async (): Promise<void> => {
    const path = toDisplay(change.path);
    try {
      await navigator.clipboard.writeText(path);
      say(`Copied ${path}`);
    } catch {
      say('The browser did not let the path be copied.');
    }
  };
  const download = async (side: SideName): Promise<void> => {
    try {
      saveFile(await backend.download(state.id, { entry: change.id, side }), toDisplay(nameOf(change.path)));
    } catch (thrown) {
      const { message, hint = '' } = ApiError.from(thrown);
      say(`Not downloaded: ${message}. ${hint}`);
    }
  };
  const edit = async (): Promise<void> => {
    try {
      const { editor } = await backend.openInEditor(state.id, { entry: change.id, line: lineInSight() ?? 1 });
      say(`A copy that can only be read was opened in ${editor}.`);
    } catch (thrown) {
      const { message, hint = '' } = ApiError.from(thrown);
      say(`Not opened: ${message}. ${hint}`);
    }
  };
  const isFile = change.pending?.type === 'file' || change.host?.type === 'file';
  const link = useLineAddress();
  useShortcuts({
    'link-line': () => {
      const line = lineInSight();
      if (line !== null) link(line);
    },
    'copy-path': () => void copy(),
    ...(isFile ? { 'open-editor': () => void edit() } : {}),
  });

  return (
    <Menu label="More" icon="more" marked={spaces.value !== 'exact'} class="menu-end">
      {(close) => {
        const does = (work: () => Promise<void>) => () => {
          close();
          void work();
        };
        return (
          <>
            <p class="menu-title">White space</p>
            <Segmented
              label="White space"
              value={spaces.value}
              options={SPACES.map((value) => ({ value, text: SPACE_WORDS[value] }))}
              onChange={(value) => set(spaces, value)}
            />
            <p class="menu-title">Tab width</p>
            <Segmented
              label="Tab width"
              value={String(settings.tabWidth.value)}
              options={TAB_WIDTHS.map((width) => ({ value: String(width), text: String(width) }))}
              onChange={(value) =>
                set(settings.tabWidth, TAB_WIDTHS.find((width) => String(width) === value) ?? 4)
              }
            />
            <ul class="menu-list plain">
              <li>
                <button type="button" class="menu-item" onClick={does(copy)}>
                  <Icon name="copy" /> Copy the path <kbd>y</kbd>
                </button>
              </li>
              {isFile ? (
                <li>
                  <button
                    type="button"
                    class="menu-item"
                    disabled={status.value !== 'connected'}
                    onClick={does(edit)}
                  >
                    <Icon name="edit" /> Open a copy in the editor <kbd>e</kbd>
                  </button>
                </li>
              ) : null}
              {(['pending', 'host'] as const)
                .filter((side) => change[side]?.type === 'file')
                .map((side) => (
                  <li key={side}>
                    <button
                      type="button"
                      class="menu-item"
                      disabled={status.value !== 'connected'}
                      onClick={does(() => download(side))}
                    >
                      <Icon name="download" />{' '}
                      {side === 'pending' ? 'Download the pending version' : 'Download the host’s version'}
                    </button>
                  </li>
                ))}
            </ul>
          </>
        );
      }}
    </Menu>
  );
}

function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
