/**
 * Reads the client's JSON. Hand-written, without zod: the Node fallback runs this for every call and loading zod alone
 * costs more than all the rest. Fields that are missing or of another type read as empty: the client adds and
 * renames fields, and a hook that throws over one would block every call.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Fields that every event has. */
export interface HookInput {
  /** The client's session id. */
  claude: string;
  cwd: string;
  /** Subagent id, or empty. */
  agent: string;
  all: JsonObject;
}

export interface ToolInput extends HookInput {
  tool: string;
  toolInput: JsonObject;
  /** tool_use_id. */
  request: string;
}

/** Parses a hook body. Null when it is not a JSON object with a session id. */
export function readInput(body: Buffer): HookInput | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const claude = text(value, 'session_id');
  if (claude === '') return null;
  return { claude, cwd: text(value, 'cwd'), agent: text(value, 'agent_id'), all: value };
}

/** The tool's part of an event about a tool. */
export function toolInput(input: HookInput): ToolInput {
  return {
    ...input,
    tool: text(input.all, 'tool_name'),
    toolInput: object(input.all, 'tool_input'),
    request: text(input.all, 'tool_use_id'),
  };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(from: JsonObject, field: string): string {
  const value = Object.hasOwn(from, field) ? from[field] : undefined;
  return typeof value === 'string' ? value : '';
}

export function flag(from: JsonObject, field: string): boolean {
  return Object.hasOwn(from, field) && from[field] === true;
}

export function number(from: JsonObject, field: string): number {
  const value = Object.hasOwn(from, field) ? from[field] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function object(from: JsonObject, field: string): JsonObject {
  const value = Object.hasOwn(from, field) ? from[field] : undefined;
  return isObject(value) ? value : {};
}

export function list(from: JsonObject, field: string): readonly unknown[] {
  const value = Object.hasOwn(from, field) ? from[field] : undefined;
  return Array.isArray(value) ? value : [];
}
