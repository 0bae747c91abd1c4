/** Numbers, sizes and times as a user reads them. */
export { durationText as duration, sizeText as bytes } from '../../shared/format.ts';

const grouped = new Intl.NumberFormat('en-US');

/** 48211 → `48,211`. */
export function count(value: number): string {
  return grouped.format(value);
}

/** `1 entry`, `3 entries`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** How long ago an ISO time was: `just now`, `4 min ago`, `3 h ago`, `2 d ago`. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 45) return 'just now';
  if (seconds < 3570) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_000) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86_400)} d ago`;
}

/** Local time of day, `14:03:22`; the title of the element carries the whole ISO time. */
export function clock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((n) => String(n).padStart(2, '0'))
    .join(':');
}

/** Local date and time, `2026-03-02 14:03:22`, as the terminal writes it. */
export function dateTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0'));
  return `${[date.getFullYear(), ...day].join('-')} ${clock(iso)}`;
}

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

/**
 * A time on a ruler, after another one: `14:03`, with seconds and their parts where it has some (`14:03:05.25`), and with the day where that is another
 * one than before (`Mar 2, 14:03`).
 */
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

/** Permission bits as four octal digits. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

/** With a capital letter at the beginning of a sentence. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** At most so many characters, with a sign where some are cut off. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
