import path from 'node:path';

/** The repository's top directory. */
export const ROOT = path.dirname(import.meta.dirname);
