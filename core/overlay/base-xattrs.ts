/** What a directory's extended attributes were when the sandbox took its copy: its times move with every name in it. */
import { hash } from 'node:crypto';
import type { BytePath } from '../../shared/bytes.ts';
import type { BaseRecord, BaseState } from '../../shared/model/base-record.ts';
import { hostEntry } from '../kernel/fs/entry.ts';
import { xattrsOf } from '../kernel/xattr/values.ts';

/** Adds them to the records of directories; not where something came in between, or they can't be read. */
export function noteXattrs(records: Iterable<[BytePath, BaseRecord]>): void {
  const asked: { path: BytePath; base: Extract<BaseState, { state: 'known' }> }[] = [];
  for (const [path, { base }] of records)
    if (base.state === 'known' && base.host.type === 'dir') asked.push({ path, base });
  const texts = xattrsOf(asked.map(({ path }) => path));
  asked.forEach(({ path, base }, i) => {
    const text = texts[i] ?? null;
    const now = text === null ? null : hostEntry(path);
    if (text === null || now === null || now === 'closed') return;
    if (String(now.ino) === base.host.ino && String(now.ctimeNs) === base.host.ctimeNs)
      base.xattrs = xattrHash(text);
  });
}

/** `none` is short for what most directories have. */
export function xattrHash(text: string): string {
  return text === '' ? 'none' : hash('sha256', text).slice(0, 16);
}
