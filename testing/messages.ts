/** The texts of a domain for its snapshot: each export of its messages modules, each function called with samples. */
import { TraiError } from '../shared/errors.ts';

type Message = (...args: never[]) => unknown;

/** For each function the arguments of one call or more; groups without functions may be left out. */
type Samples<Messages> = {
  [Name in keyof Messages as Messages[Name] extends Message ? Name : never]: Messages[Name] extends (
    ...args: infer Args
  ) => unknown
    ? readonly [Args, ...Args[]]
    : never;
} & {
  [Name in keyof Messages as Messages[Name] extends Message | string ? never : Name]?: Samples<
    Messages[Name]
  >;
};

/** A line for each text, behind the path of its name; of an error also code, paths and hint. */
export function textsOf<Messages extends object>(messages: Messages, samples: Samples<Messages>): string {
  return [...linesOf(messages, samples, '')].map((line) => `${line}\n`).join('');
}

function* linesOf(messages: object, samples: object, prefix: string): Generator<string> {
  const sampleOf = new Map<string, unknown>(Object.entries(samples));
  for (const [key, value] of Object.entries(messages)) {
    const name = `${prefix}${key}`;
    const sample = sampleOf.get(key);
    if (isClass(value)) yield* textOf(name, new value());
    else if (typeof value === 'function') {
      if (!Array.isArray(sample) || sample.length === 0) throw new Error(`expected a sample of ${name}`);
      for (const args of sample) yield* textOf(name, value(...args));
    } else if (Array.isArray(value) || typeof value !== 'object' || value === null)
      yield* textOf(name, value);
    else yield* linesOf(value, Object(sample), `${name}.`);
  }
}

function isClass(value: unknown): value is new () => unknown {
  return typeof value === 'function' && value.prototype instanceof Error;
}

function* textOf(name: string, said: unknown): Generator<string> {
  const [first, ...more] =
    said instanceof TraiError
      ? [`[${said.code}] ${said.message}`, ...pathsOf(said), ...(said.hint?.split('\n') ?? [])]
      : Array.isArray(said)
        ? said.map(String)
        : String(said).split('\n');
  yield `${name}: ${first}`;
  for (const line of more) yield `    ${line}`;
}

function pathsOf({ path, paths = [] }: TraiError): string[] {
  return [...(path === undefined ? [] : [path]), ...paths].map((one) => `at ${one}`);
}
