const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Decimal units, three digits at most: `312 MB`, `1.4 kB`. */
export function sizeText(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${size.toFixed(digits).replace(/\.0$/, '')} ${UNITS[unit]}`;
}

/** Four octal digits: `0644`. */
export function modeText(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

/** `180 ms`, `4.2 s`, `3 min 12 s`, `2 h 5 min`; a second part of zero is left out. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's');
  return two(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

/** `2026-03-02 14:03:22.120`, local time; empty for what is no ISO time. */
export function localText(iso: string): string {
  const utc = Date.parse(iso);
  if (Number.isNaN(utc)) return '';
  const shift = new Date(utc).getTimezoneOffset() * 60_000;
  return new Date(utc - shift).toISOString().slice(0, 23).replace('T', ' ');
}

/** `{name}` in a message stands for `values.name`. */
export function filled(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
}
