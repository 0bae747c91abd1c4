import type { LeftEntry, UnitLine } from './lines.ts';

/** How a unit leaves an entry that it deletes, or gives another mode or owner. */
export function leftAs({ op, path, host, mode, uid, gid, mtime }: UnitLine): LeftEntry {
  if (op === 'delete' || host === null) return { path, id: null };
  const fields = host.split(':');
  if (fields[0] !== 'symlink') fields[1] = String(mode);
  if (fields[0] === 'file' && op === 'meta' && mtime !== null) fields[9] = mtime;
  return { path, id: [fields[0], fields[1], uid, gid, ...fields.slice(4)].join(':') };
}
