import { isObject } from '../json-lines.ts';
import type { Config } from './config.ts';

export interface ConfigRow {
  /** Dotted: `undo.keepDays`. */
  key: string;
  value: string;
  /** The default, if it differs; else null. */
  usual: string | null;
}

export function configRows(config: Config, usual: Config): ConfigRow[] {
  return rowsOf(config, usual, '');
}

function rowsOf(values: object, usual: object, prefix: string): ConfigRow[] {
  return Object.entries(values).flatMap(([name, value]): ConfigRow[] => {
    const before: unknown = Reflect.get(usual, name);
    const key = prefix + name;
    if (isObject(value)) return rowsOf(value, isObject(before) ? before : {}, `${key}.`);
    const [now, then] = [shown(value), shown(before)];
    return [{ key, value: now, usual: now === then ? null : then }];
  });
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(' ');
  return String(value);
}
