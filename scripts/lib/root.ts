import path from 'node:path';

/** The repository's top directory. */
export const ROOT = path.dirname(path.dirname(import.meta.dirname));

/** The installed form of the plugin, built and committed. */
export const PLUGIN_DIST = path.join(ROOT, 'dist/plugin');
