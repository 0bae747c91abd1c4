/** Named lists of hosts, for `preset:NAME` in `box.network`. */
export const PRESETS = {
  /** Claude Code itself: its service, and signing in. */
  anthropic: [
    ...['api.anthropic.com', 'console.anthropic.com', 'statsig.anthropic.com'],
    ...['claude.ai', 'platform.claude.com'],
  ],
  github: [
    ...['github.com', 'api.github.com', 'codeload.github.com', 'uploads.github.com'],
    '*.githubusercontent.com',
  ],
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com'],
  pypi: ['pypi.org', 'files.pythonhosted.org'],
  crates: ['crates.io', 'index.crates.io', 'static.crates.io'],
  go: ['proxy.golang.org', 'sum.golang.org'],
  debian: ['deb.debian.org', 'security.debian.org'],
} as const satisfies Record<string, readonly string[]>;

export type Preset = keyof typeof PRESETS;

export const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name);
