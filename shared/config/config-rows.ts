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
    if (isGroup(value)) return rowsOf(value, isGroup(before) ? before : {}, `${key}.`);
    const [now, then] = [shown(value), shown(before)];
    return [{ key, value: now, usual: now === then ? null : then }];
  });
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(' ');
  return String(value);
}
