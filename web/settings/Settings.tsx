/**
 * The dashboard's settings, kept by the server for all tabs.
 *
 * A table of rows makes the page: each is a switch or a choice that sets a signal of state/settings.ts, which
 * saves it. Notifications also need the browser's permission (state/notify.ts).
 */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import {
  DENSITIES,
  EDITORS,
  type EditorId,
  LAYOUTS,
  TAB_WIDTHS,
  THEMES,
  type UiSettings,
} from '../../shared/api/settings.ts';
import { useApp } from '../state/app.ts';
import { askPermission, notifyPermission, type Permission } from '../state/notify.ts';
import { set } from '../state/resource.ts';
import { capital } from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { Page, Section } from '../ui/Panel.tsx';
import { Segmented } from '../ui/Segmented.tsx';

/** A setting with options is a choice of few, one without is a switch. */
type Row = readonly [keyof UiSettings, label: string, about: string, options?: readonly (string | number)[]];

const LOOK: readonly Row[] = [
  ['theme', 'Theme', '“System” follows your desktop.', THEMES],
  ['density', 'Density', 'How many rows fit on the screen.', DENSITIES],
];
const DIFFS: readonly Row[] = [
  ['layout', 'Layout', 'One column, or both versions side by side.', LAYOUTS],
  ['tabWidth', 'Tab width', 'Columns that a tab character takes.', TAB_WIDTHS],
  ['wrap', 'Wrap long lines', 'Otherwise they scroll.'],
];
const KEYBOARD: readonly Row[] = [
  ['keys', 'Single-letter shortcuts', 'j, k, v and the others. Escape works in any case.'],
];

export function Settings() {
  const { settings } = useApp();
  return (
    <Page title="Settings" about="for all tabs, on this machine">
      <ErrorPanel error={settings.error.value} retry={() => void settings.load()}>
        <p>The change holds in this tab and is not saved.</p>
      </ErrorPanel>
      {settings.problems.value.length === 0 ? null : (
        <Banner boxed tone="warning" icon="warning">
          {visibleText(settings.problems.value.join(' '))}
        </Banner>
      )}
      <Rows title="Look" rows={LOOK} />
      <Rows title="Diffs" rows={DIFFS} />
      <Editor />
      <Rows title="Keyboard" rows={KEYBOARD} />
      <Notifications />
    </Page>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  const { settings } = useApp();
  return (
    <Section title={title}>
      {rows.map(([setting, label, about, options]) => {
        const now: Signal<unknown> = settings[setting];
        const choose = (value: unknown): void => set(now, value);
        if (options === undefined)
          return (
            <Switch key={setting} label={label} about={about} value={now.value === true} onChange={choose} />
          );
        return (
          <Setting key={setting} label={label} about={about}>
            <Segmented
              label={label}
              value={String(now.value)}
              options={options.map((value) => ({ value: String(value), text: capital(String(value)) }))}
              onChange={(chosen) => choose(options.find((one) => String(one) === chosen))}
            />
          </Setting>
        );
      })}
    </Section>
  );
}

const EDITOR_IDS = Object.keys(EDITORS) as EditorId[];

function Editor() {
  const { settings } = useApp();
  const id = useId();
  const isThere = (editor: EditorId): boolean => editor === 'none' || settings.editors.value.includes(editor);
  return (
    <Section title="Editor">
      <Setting label="Open files in" about="Started by the server, on this machine." for={id}>
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
              {EDITORS[editor]}
              {isThere(editor) ? '' : ' (not found)'}
            </option>
          ))}
        </select>
      </Setting>
    </Section>
  );
}

const REFUSED: Partial<Record<Permission, string>> = {
  denied: 'This browser does not allow notifications from this page. Change that in its site settings.',
  unsupported: 'This browser does not support notifications.',
  default: 'The permission request was not answered.',
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
        label="When a session ends with pending changes, or Claude Code asks"
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
          On, but this browser has not granted permission yet.{' '}
          <LinkButton onClick={() => void turn(true)}>Ask for permission</LinkButton>
        </p>
      ) : null}
    </Section>
  );
}

function Setting(props: { label: string; about: string; for?: string; children: ComponentChildren }) {
  const Label = props.for === undefined ? 'span' : 'label';
  return (
    <div class="setting flex wrap">
      <div class="setting-text">
        <Label class="medium" {...(props.for === undefined ? {} : { for: props.for })}>
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
    <Setting label={props.label} about={props.about} for={id}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={props.value}
        class="switch"
        checked={props.value}
        onChange={(event) => {
          // The box follows the setting, which may be refused.
          event.currentTarget.checked = props.value;
          props.onChange(!props.value);
        }}
      />
    </Setting>
  );
}
