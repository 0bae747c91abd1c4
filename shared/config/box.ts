/** The options of `trai box`, of the command line and of a profile in config.json. */

export const BOX_WRITES = ['pending', 'direct', 'read-only'] as const;
/** From the widest to the narrowest; a project's own file may only narrow. */
export const BOX_NETS = ['open', 'list', 'off'] as const;
export const BOX_HISTORIES = ['project', 'shared'] as const;

export interface BoxOptions {
  /** How the project can be written. */
  write: (typeof BOX_WRITES)[number];
  net: (typeof BOX_NETS)[number];
  history: (typeof BOX_HISTORIES)[number];
  /** `PATH` or `PATH:ro`, as given. */
  allow: readonly string[];
  hide: readonly string[];
  /** `NAME` or `NAME=VALUE`. */
  env: readonly string[];
}

export const DEFAULT_BOX_OPTIONS: BoxOptions = {
  write: 'pending',
  net: 'open',
  history: 'project',
  allow: [],
  hide: [],
  env: [],
};
