/** One finding of the doctor. */
export interface Check {
  id: string;
  ok: boolean;
  /** A warning does not keep the sandbox from working. */
  level: 'error' | 'warning';
  found: string;
  /** Empty when nothing is to be done. */
  remedy: string;
}

export function pass(id: string, found: string): Check {
  return { id, ok: true, level: 'error', found, remedy: '' };
}

export function fail(id: string, found: string, remedy: string, level: Check['level'] = 'error'): Check {
  return { id, ok: false, level, found, remedy };
}
