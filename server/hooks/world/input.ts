/**
 * Reads the client's JSON. Without zod: loading it costs the Node path more than all the rest of a call. A
 * missing field, or one of another type, reads as empty: the client adds and renames fields, and an error
 * would block every call.
 */

import { isObject } from '../../../shared/json-lines.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface HookInput {
  /** The client's session id. */
  claude: string;
  cwd: string;
  agent: string;
  all: JsonObject;
}

export interface ToolInput extends HookInput {
  tool: string;
  toolInput: JsonObject;
  /** tool_use_id. */
  request: string;
}

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

export function toolInput(input: HookInput): ToolInput {
  return {
    ...input,
    tool: text(input.all, 'tool_name'),
    toolInput: object(input.all, 'tool_input'),
    request: text(input.all, 'tool_use_id'),
  };
}

const own = (from: JsonObject, field: string): unknown =>
  Object.hasOwn(from, field) ? from[field] : undefined;

export function text(from: JsonObject, field: string): string {
  const value = own(from, field);
  return typeof value === 'string' ? value : '';
}

export function flag(from: JsonObject, field: string): boolean {
  return own(from, field) === true;
}

export function number(from: JsonObject, field: string): number {
  const value = own(from, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function object(from: JsonObject, field: string): JsonObject {
  const value = own(from, field);
  return isObject(value) ? value : {};
}

export function list(from: JsonObject, field: string): readonly unknown[] {
  const value = own(from, field);
  return Array.isArray(value) ? value : [];
}

/** The model runs slash commands with the Skill tool, whose `!` line has no Bash hook. Older clients: SlashCommand. */
export function runsOwnCommand({ tool, toolInput: input }: ToolInput): boolean {
  if (tool !== 'Skill' && tool !== 'SlashCommand') return false;
  return Object.values(input).some((value) => typeof value === 'string' && /^\s*\/?trai:/i.test(value));
}
