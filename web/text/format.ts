/** Numbers, sizes and times for users. */
import { localText } from '../../shared/format.ts';

export { durationText as duration, modeText as octal, sizeText as bytes } from '../../shared/format.ts';

const grouped = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return grouped.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 45) return 'just now';
  if (seconds < 3570) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_000) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}

/** Local time of day, `14:03:22`. */
export function clock(iso: string): string {
  return localText(iso).slice(11, 19) || iso;
}

/** Local time, `2026-03-02 14:03:22`, as in the terminal. */
export function dateTime(iso: string): string {
  return localText(iso).slice(0, 19) || iso;
}

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

/** A time on a ruler: `14:03`, `14:03:05.25`, or `Mar 2, 14:03` on another day than `before`. */
export function moment(time: number, before: number | null): string {
  const date = new Date(time);
  const clocked = clock(date.toISOString());
  const part =
    date.getMilliseconds() === 0
      ? ''
      : (date.getMilliseconds() / 1000).toFixed(3).slice(1).replace(/0+$/, '');
  const short = part === '' && clocked.endsWith(':00') ? clocked.slice(0, -3) : clocked + part;
  const sameDay = before !== null && new Date(before).toDateString() === date.toDateString();
  return sameDay ? short : `${days.format(date)}, ${short}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Cuts to `most` characters and an ellipsis. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
