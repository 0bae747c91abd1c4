/** How the dashboard looks and behaves: kept by the server, for all tabs. */

import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { DENSITIES, EDITORS, type EditorId, LAYOUTS, TAB_WIDTHS, THEMES } from '../../shared/api/settings.ts';
import { useApp } from '../state/app.ts';
import { askPermission, notifyPermission, type Permission } from '../state/notify.ts';
import { set } from '../state/resource.ts';
import { capital } from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { Section } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';

export function Settings() {
  const { settings } = useApp();
  const error = settings.error.value;
  return (
    <div class="page">
      <div class="page-head">
        <h1>Settings</h1>
        <span class="muted">for all tabs, on this machine</span>
      </div>
      {error === null ? null : (
        <ErrorPanel error={error} retry={() => void settings.load()}>
          <p>The change holds in this tab and is not saved.</p>
        </ErrorPanel>
      )}
      {settings.problems.value.length === 0 ? null : (
        <div class="page-banner">
          <Banner tone="warning" icon="warning">
            {visibleText(settings.problems.value.join(' '))}
          </Banner>
        </div>
      )}
      <Section title="Look">
        <Pick
          label="Theme"
          about="“System” follows your desktop."
          setting={settings.theme}
          options={THEMES}
        />
        <Pick
          label="Density"
          about="How many rows fit on the screen."
          setting={settings.density}
          options={DENSITIES}
        />
      </Section>
      <Diffs />
      <Editor />
      <Section title="Keyboard">
        <Switch
          label="Single-letter shortcuts"
          about="j, k, v and the others. Escape works in any case."
          value={settings.keys.value}
          onChange={(value) => set(settings.keys, value)}
        />
      </Section>
      <Notifications />
    </div>
  );
}

function Diffs() {
  const { settings } = useApp();
  return (
    <Section title="Diffs">
      <Pick
        label="Layout"
        about="One column, or both versions side by side."
        setting={settings.layout}
        options={LAYOUTS}
      />
      <Pick
        label="Tab width"
        about="Columns that a tab character takes."
        setting={settings.tabWidth}
        options={TAB_WIDTHS}
      />
      <Switch
        label="Wrap long lines"
        about="Otherwise they scroll."
        value={settings.wrap.value}
        onChange={(value) => set(settings.wrap, value)}
      />
    </Section>
  );
}

const EDITOR_IDS = Object.keys(EDITORS) as EditorId[];

function Editor() {
  const { settings } = useApp();
  const found = settings.editors.value;
  const id = useId();
  const name = (editor: EditorId): string =>
    editor === 'none' || found.includes(editor) ? EDITORS[editor] : `${EDITORS[editor]} (not found)`;
  return (
    <Section title="Editor">
      <Choice label="Open files in" about="Started by the server, on this machine." for={id}>
        <select
          id={id}
          value={settings.editor.value}
          onChange={(event) => {
            const value = EDITOR_IDS.find((editor) => editor === event.currentTarget.value);
            if (value !== undefined) settings.editor.value = value;
          }}
        >
          {EDITOR_IDS.map((editor) => (
            <option key={editor} value={editor}>
              {name(editor)}
            </option>
          ))}
        </select>
      </Choice>
    </Section>
  );
}

const REFUSED: Partial<Record<Permission, string>> = {
  denied: 'This browser does not allow notifications of this page: its site settings say so.',
  unsupported: 'This browser has no notifications.',
  default: 'The browser’s question was not answered.',
};

function Notifications() {
  const { settings } = useApp();
  const [refused, setRefused] = useState<string | null>(null);
  const turn = async (on: boolean): Promise<void> => {
    const permission = on ? await askPermission() : 'granted';
    setRefused(REFUSED[permission] ?? null);
    settings.notify.value = on && permission === 'granted';
  };
  const muted = settings.notify.value && notifyPermission() !== 'granted';
  return (
    <Section title="Notifications">
      <Switch
        label="When a session ends with pending changes"
        about="Shown by the browser, as long as a tab is open."
        value={settings.notify.value}
        onChange={(on) => void turn(on)}
      />
      {refused === null ? null : (
        <p class="warn-text" role="status">
          {refused}
        </p>
      )}
      {muted && refused === null ? (
        <p class="warn-text">
          It is on, but this browser has not been asked yet.{' '}
          <LinkButton onClick={() => void turn(true)}>Ask it</LinkButton>
        </p>
      ) : null}
    </Section>
  );
}

interface PickProps<T> {
  label: string;
  about: string;
  setting: Signal<T>;
  options: readonly T[];
}

/** A choice of few. */
function Pick<T extends string | number>({ label, about, setting, options }: PickProps<T>) {
  return (
    <Choice label={label} about={about}>
      <Segmented
        label={label}
        value={String(setting.value)}
        options={options.map((value) => ({ value: String(value), text: capital(String(value)) }))}
        onChange={(chosen) => set(setting, options.find((one) => String(one) === chosen) ?? setting.value)}
      />
    </Choice>
  );
}

function Choice(props: { label: string; about: string; for?: string; children: ComponentChildren }) {
  const Label = props.for === undefined ? 'span' : 'label';
  return (
    <div class="setting">
      <div class="setting-text">
        <Label class="setting-label" {...(props.for === undefined ? {} : { for: props.for })}>
          {props.label}
        </Label>
        <span class="muted">{props.about}</span>
      </div>
      {props.children}
    </div>
  );
}

function Switch(props: { label: string; about: string; value: boolean; onChange: (value: boolean) => void }) {
  const id = useId();
  return (
    <Choice label={props.label} about={props.about} for={id}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={props.value}
        class="switch"
        checked={props.value}
        onChange={(event) => {
          // What is on show follows the setting, which may be refused.
          event.currentTarget.checked = props.value;
          props.onChange(!props.value);
        }}
      />
    </Choice>
  );
}
