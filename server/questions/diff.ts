import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { languageOf } from '../../core/content/language.ts';
import { fsPath, orNull } from '../../core/kernel/fs/port.ts';
import { resolvePath, upperOf } from '../../core/scan/lookup/resolve.ts';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { isObject } from '../../shared/json-lines.ts';
import { MAX_DIFF_BYTES, MAX_DIFF_LINES } from '../../shared/limits.ts';
import { type DiffModel, OMITTED_REASONS, type OmittedReason } from '../../shared/model/diff.ts';
import { compareTexts } from '../../shared/text/diff-text.ts';
import { countLines } from '../../shared/text/lines.ts';
import { flag, list, text } from '../hooks/world/input.ts';
import { message } from '../messages/hooks.ts';
import { refusal } from '../messages/refusals.ts';
import type { Held } from './held.ts';

/** What the tool would make of its file, as that is now. Errors: `not-found` for a tool that writes no text file. */
export function questionDiff({ question, session, inside }: Held): DiffModel {
  const { id, tool, input } = question;
  const name = text(input, 'file_path');
  if (name === '' || !/^(Edit|MultiEdit|Write)$/.test(tool)) throw refusal('no-question-diff');
  const base = { id, etag: id };
  const given = fromText(name);
  const view = inside ? orNull(() => session.view()) : null;
  const path =
    view === null ? given : (orNull(() => upperOf(view, resolvePath(view, given) ?? given)) ?? given);
  const before = readText(path);
  if (typeof before !== 'string' && before !== null) return omitted(base, before.omitted);
  const after = tool === 'Write' ? text(input, 'content') : edited(before ?? '', input);
  if (after === null) return { ...base, kind: 'meta', notes: [message('edit-no-match')] };
  const isLarge = (one: string) =>
    Buffer.byteLength(one) > MAX_DIFF_BYTES || countLines(one) > MAX_DIFF_LINES;
  if (isLarge(before ?? '') || isLarge(after)) return omitted(base, 'too-large');
  return { ...base, kind: 'text', ...compareTexts(before ?? '', after), language: languageOf(given) };
}

function omitted(base: { id: string; etag: string }, reason: OmittedReason): DiffModel {
  const message = OMITTED_REASONS[reason];
  return { ...base, kind: 'omitted', reason, message, oldBytes: null, newBytes: null, head: [] };
}

/** Null = there is no such file. Links are followed, as the tool does. */
function readText(path: BytePath): string | null | { omitted: OmittedReason } {
  const fd = orNull(() => openSync(fsPath(path), constants.O_RDONLY | constants.O_NONBLOCK));
  if (fd === null) return null;
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) return { omitted: 'special' };
    if (found.size > MAX_DIFF_BYTES) return { omitted: 'too-large' };
    const bytes = Buffer.alloc(found.size);
    const read = readSync(fd, bytes, 0, found.size, 0);
    const content = bytes.subarray(0, read);
    return content.includes(0) ? { omitted: 'special' } : content.toString('utf8');
  } catch {
    return { omitted: 'unreadable' };
  } finally {
    closeSync(fd);
  }
}

/** Null when a text to be replaced is not there. */
function edited(before: string, input: Held['question']['input']): string | null {
  const edits = list(input, 'edits').filter(isObject);
  let now = before;
  for (const edit of edits.length === 0 ? [input] : edits) {
    const [old, fresh] = [text(edit, 'old_string'), text(edit, 'new_string')];
    if (old === '') now = now === '' ? fresh : now;
    else if (!now.includes(old)) return null;
    else now = flag(edit, 'replace_all') ? now.replaceAll(old, () => fresh) : now.replace(old, () => fresh);
  }
  return now;
}
