/**
 * Which hosts a box may reach (`trai box --net list`): patterns of config.json, and what they say about a target. Pure.
 *
 *     deny                       refused
 *     a name or address of allow allowed
 *     else, and public           the user is asked
 *
 * A name that is allowed is resolved, and each of its addresses judged again: what is no public address counts only when
 * the address itself, or a block of it, is in `allow`. A name says nothing about where it leads.
 */
import {
  type Address,
  type AddressBlock,
  type AddressKind,
  addressIn,
  addressText,
  fourOf,
  isIn,
  kindOf,
  parseBlock,
} from './address.ts';
import { isPreset, PRESETS } from './presets.ts';

/** Of a pattern that names none. */
const USUAL_PORTS: readonly number[] = [443, 80];

export type HostPattern =
  /** `below`: `*.name`, all below it and not the name itself. */
  | { kind: 'name'; name: string; below: boolean; port: number | null }
  | { kind: 'address'; block: AddressBlock; port: number | null };

/** Where a connection is to lead. */
export interface Target {
  /** In lower case, without a dot at the end; of an address its usual form. */
  host: string;
  /** Null: a name. */
  address: Address | null;
  port: number;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

function isName(text: string): boolean {
  return text.length <= MAX_NAME && text.split('.').every((label) => LABEL.test(label));
}

function portIn(text: string): number | null {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : null;
}

/** @param host as in a request: without brackets. Null: it is none. */
export function targetOf(host: string, port: number): Target | null {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const lower = host.toLowerCase();
  const address = addressIn(lower);
  if (address === 'invalid') return null;
  if (address !== null) return { host: addressText(address), address, port };
  const name = lower.replace(/\.$/, '');
  return isName(name) ? { host: name, address: null, port } : null;
}

/** `host:port`, with an IPv6 address in brackets. */
export function targetText({ host, port }: Pick<Target, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The patterns of an entry: `preset:NAME`, `host`, `*.host`, an address or block, each with `:port` or without. Null: it is none. */
export function parseEntry(text: string): HostPattern[] | null {
  const preset = /^preset:(.*)$/.exec(text)?.[1];
  if (preset !== undefined)
    return isPreset(preset) ? PRESETS[preset].flatMap((one) => parseEntry(one) ?? []) : null;
  const pattern = parsePattern(text);
  return pattern === null ? null : [pattern];
}

function parsePattern(text: string): HostPattern | null {
  const lower = text.toLowerCase();
  const whole = parseBlock(lower);
  if (whole !== null) return { kind: 'address', block: whole, port: null };
  const [, bracketed, plain = '', given] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(lower) ?? [];
  const port = given === undefined ? null : portIn(given);
  if (given !== undefined && port === null) return null;
  const block = parseBlock(bracketed ?? plain);
  if (block !== null) return { kind: 'address', block, port };
  const below = plain.startsWith('*.');
  const name = below ? plain.slice(2) : plain;
  return bracketed === undefined && isName(name) && addressIn(name) === null
    ? { kind: 'name', name, below, port }
    : null;
}

/** The entry that names exactly this target, as an answer adds it. */
export function entryFor({ host, address, port }: Target): string {
  return address === null && USUAL_PORTS.includes(port) ? host : targetText({ host, port });
}

function namesHost(pattern: HostPattern, { host, address }: Target): boolean {
  if (pattern.kind === 'address') return address !== null && isIn(address, pattern.block);
  if (address !== null) return false;
  return pattern.below ? host.endsWith(`.${pattern.name}`) : host === pattern.name;
}

/** Whether a pattern of `allow` names it. */
export function allows(pattern: HostPattern, target: Target): boolean {
  const isPort = pattern.port === null ? USUAL_PORTS.includes(target.port) : pattern.port === target.port;
  return isPort && namesHost(pattern, target);
}

/** Whether a pattern of `deny` names it, or the IPv4 address to which it leads: without a port, at any. */
export function denies(pattern: HostPattern, target: Target): boolean {
  if (pattern.port !== null && pattern.port !== target.port) return false;
  const four = target.address === null ? null : fourOf(target.address);
  return namesHost(pattern, target) || (four !== null && namesHost(pattern, { ...target, address: four }));
}

/** Names that stand for the machine where they are resolved (RFC 6761). */
function isLocalName({ host, address }: Target): boolean {
  return address === null && (host === 'localhost' || host.endsWith('.localhost'));
}

export interface NetworkRules {
  allow: readonly HostPattern[];
  deny: readonly HostPattern[];
}

/** Of entries that were checked where they came in; others are left out. */
export function networkRules(allow: readonly string[], deny: readonly string[]): NetworkRules {
  const read = (entries: readonly string[]) => entries.flatMap((entry) => parseEntry(entry) ?? []);
  return { allow: read(allow), deny: read(deny) };
}

/** `own`: an address of this machine. */
export type RefusedKind = Exclude<AddressKind, 'public'> | 'own';

/** What is said of a target before anything is resolved; `kind`: what an address is that is not allowed. */
export type Verdict =
  | { state: 'allowed' }
  | { state: 'unknown' }
  | { state: 'denied' }
  | { state: 'refused'; kind: RefusedKind };

/** What this machine is: its addresses, and the port of the server, at which a box must never seem to be the server. */
export interface Machine {
  addresses: readonly Address[];
  serverPort: number;
}

export function judgeTarget(target: Target, rules: NetworkRules, machine: Machine): Verdict {
  if (rules.deny.some((pattern) => denies(pattern, target))) return { state: 'denied' };
  if (target.address !== null) {
    const kind = whyNotReached(target.address, target.port, rules, machine);
    if (kind !== null) return { state: 'refused', kind };
  }
  if (rules.allow.some((pattern) => allows(pattern, target))) return { state: 'allowed' };
  // To ask would be no use: the addresses of that name are refused unless they are listed themselves.
  return isLocalName(target) ? { state: 'refused', kind: 'loopback' } : { state: 'unknown' };
}

/** Of an address that an allowed name has; null = it may be reached. */
export function judgeAddress(
  address: Address,
  port: number,
  rules: NetworkRules,
  machine: Machine,
): Exclude<Verdict, { state: 'unknown' }> {
  const target: Target = { host: addressText(address), address, port };
  if (rules.deny.some((pattern) => denies(pattern, target))) return { state: 'denied' };
  const kind = whyNotReached(address, port, rules, machine);
  return kind === null ? { state: 'allowed' } : { state: 'refused', kind };
}

/** Null: it is public, or in `allow` by itself. */
function whyNotReached(
  address: Address,
  port: number,
  { allow }: NetworkRules,
  { addresses, serverPort }: Machine,
): RefusedKind | null {
  const ends = [address, fourOf(address)];
  const isOwn = addresses.some(({ family, value }) =>
    ends.some((end) => end !== null && family === end.family && value === end.value),
  );
  const found = kindOf(address);
  const kind: RefusedKind | 'public' = found === 'public' && isOwn ? 'own' : found;
  if (kind === 'public') return null;
  const isListed = allow.some(
    (pattern) => pattern.kind === 'address' && allows(pattern, { host: addressText(address), address, port }),
  );
  const isServer = port === serverPort && (kind === 'loopback' || isOwn);
  return isListed && kind !== 'unspecified' && !isServer ? null : kind;
}
