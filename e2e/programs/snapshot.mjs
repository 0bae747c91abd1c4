// Prints what a tree holds, as JSON: `node snapshot.mjs DIR`. Runs on the host and inside the sandbox, so it uses nothing but Node.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const root = process.argv[2] ?? '';
/** @type {Record<string, { type: string, mode: number, mtime: string, content: string, twin: string }>} */
const entries = {};
/** The first name of each file that has several. @type {Map<string, string>} */
const names = new Map();

/** @param {Buffer} name */
function add(name) {
  const path = Buffer.concat([Buffer.from(`${root}/`), name]);
  const stat = lstatSync(path, { bigint: true });
  const key = name.toString('latin1');
  const inode = `${stat.dev} ${stat.ino}`;
  const twin = stat.isFile() && stat.nlink > 1n ? (names.get(inode) ?? key) : '';
  if (twin === key) names.set(inode, key);
  const base = { mode: Number(stat.mode & 0o7777n), mtime: String(stat.mtimeNs), twin };
  if (stat.isDirectory()) {
    entries[key] = { type: 'directory', ...base, content: '' };
    const below = name.length === 0 ? name : Buffer.concat([name, Buffer.from('/')]);
    for (const child of readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare))
      add(Buffer.concat([below, child]));
  } else if (stat.isSymbolicLink()) {
    entries[key] = { type: 'link', ...base, content: readlinkSync(path, 'latin1') };
  } else if (stat.isFile()) {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    entries[key] = { type: 'file', ...base, content: `${stat.size} ${hash.slice(0, 16)}` };
  } else {
    entries[key] = { type: stat.isSocket() ? 'socket' : 'other', ...base, content: '' };
  }
}

add(Buffer.alloc(0));
process.stdout.write(JSON.stringify(entries));
