/** The list of shortcuts, from the table that the key handler uses. */
import { useEffect, useRef } from 'preact/hooks';
import { KEYS } from '../keys/keys.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { groupBy } from '../lists/lists.ts';
import { useApp } from '../state/app.ts';
import { Check, IconButton } from '../ui/Button.tsx';

const NAMES: Record<string, string> = { Escape: 'Esc', Enter: 'Enter' };

const SECTIONS = groupBy(Object.values(KEYS), ({ section }) => [section]);

export function Help() {
  const { helpOpen, settings } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // A modal <dialog> traps the focus, and returns it when closed.
    dialog.current?.showModal();
  }, []);
  const close = (): void => {
    dialog.current?.close();
    helpOpen.value = false;
  };
  // Registered last, so it takes Escape before the view below.
  useShortcuts({ escape: close });
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={close}>
      <header class="sheet-head flex">
        <h2>Keyboard shortcuts</h2>
        <IconButton icon="close" label="Close" onClick={close} />
      </header>
      <div class="help-body">
        {[...SECTIONS].map(([name, rows]) => (
          <section key={name}>
            <h3 class="muted small">{name}</h3>
            <dl>
              {rows.map((row) => (
                <div key={row.text} class="flex">
                  <dt>
                    {row.keys.map((key) => (
                      <KeyCaps key={key} keys={key} />
                    ))}
                  </dt>
                  <dd>{row.text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <footer class="help-foot flex">
        <Check checked={settings.keys}>
          <span>Single-letter shortcuts are on</span>
        </Check>
        <p class="muted">Commit and discard have no key on purpose.</p>
      </footer>
    </dialog>
  );
}

function KeyCaps({ keys }: { keys: string }) {
  return (
    <span class="caps">
      {keys.split(' ').map((key) => (
        <kbd key={key}>{NAMES[key] ?? key}</kbd>
      ))}
    </span>
  );
}
