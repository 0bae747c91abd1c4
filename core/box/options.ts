/** The options of a box: of a profile, of the command line, and what the project's own file narrows. Pure. */

import { BOX_NETS, type BoxOptions } from '../../shared/config/box.ts';
import { isObject } from '../../shared/json-lines.ts';
import { NARROWS } from './messages/errors.ts';

/** Where a project has it, below its root. */
export const PROJECT_FILE = '.claude/trai.box.json';

/** Those of the command line win over a profile's; lists are joined. */
export function joinedOptions(profile: BoxOptions, given: Partial<BoxOptions>): BoxOptions {
  return {
    ...profile,
    ...given,
    allow: [...profile.allow, ...(given.allow ?? [])],
    hide: [...profile.hide, ...(given.hide ?? [])],
    env: [...profile.env, ...(given.env ?? [])],
  };
}

export interface Narrowed {
  options: BoxOptions;
  /** Below the project's root. */
  hide: string[];
  /** What the file says beyond that. */
  ignored: string[];
}

/**
 * A repository is not the user: its file takes away, and never gives.
 * @param file its JSON; `undefined`: it could not be read
 */
export function narrowed(options: BoxOptions, file: unknown): Narrowed {
  if (!isObject(file)) return { options, hide: [], ignored: [NARROWS.broken] };
  const ignored: string[] = [];
  const hide: string[] = [];
  const made = { ...options };
  for (const [key, value] of Object.entries(file)) {
    if (key === 'net' && isNarrower(value, options.net)) made.net = value;
    else if (key === 'read-only' && value === true) made.write = 'read-only';
    else if (key === 'hide' && Array.isArray(value)) {
      const [inside, outside] = [value.filter(isInside), value.filter((path) => !isInside(path))];
      hide.push(...inside);
      ignored.push(...outside.map((path) => NARROWS.outside(String(path))));
    } else if (FORMS.get(key)?.(value) === false) ignored.push(NARROWS.form(key));
    else if (!(key === 'net' && value === options.net) && !(key === 'read-only' && value === false))
      ignored.push(NARROWS.widens(key));
  }
  return { options: made, hide, ignored };
}

const FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['hide', (value: unknown) => Array.isArray(value)],
  ['net', (value: unknown) => (BOX_NETS as readonly unknown[]).includes(value)],
  ['read-only', (value: unknown) => typeof value === 'boolean'],
]);

function isNarrower(value: unknown, than: BoxOptions['net']): value is BoxOptions['net'] {
  const at = (BOX_NETS as readonly unknown[]).indexOf(value);
  return at > BOX_NETS.indexOf(than);
}

function isInside(path: unknown): path is string {
  return (
    typeof path === 'string' &&
    path !== '' &&
    !path.startsWith('/') &&
    !path.includes('\0') &&
    !path.split('/').includes('..')
  );
}
