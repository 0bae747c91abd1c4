/** The objects of a JSON-lines file. Torn lines are skipped. */
export function* jsonLines(text: string): Generator<Record<string, unknown>> {
  for (const line of text.split('\n')) {
    try {
      const value: unknown = JSON.parse(line);
      if (isObject(value)) yield value;
    } catch {}
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
