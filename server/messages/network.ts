/**
 * What the proxy of a box says to the program that asked for a host, also in a status line (a line of ASCII); and to the user.
 * `{name}` stands for a value.
 */
import type { RefusedKind } from '../../shared/network/pattern.ts';

export const REFUSED = {
  'denied': 'trai: {target} is refused: box.network.deny in config.json names it.',
  'no': 'trai: {target} is refused: the user was asked and said no.',
  'late':
    'trai: {target} is refused: the user was asked, and did not answer within {seconds} seconds. Ask the user, then try again.',
  'not-asked':
    'trai: {target} is refused: it is not in box.network.allow of config.json, and the user cannot be asked now.',
  'many': 'trai: {target} is refused: the user is being asked about {count} other hosts already.',
  'address':
    'trai: {target} is refused: {address} is {kind}. The user can list that address itself in box.network.allow.',
  'local':
    'trai: {target} is refused: it is an address of this machine, not of the box. A server in the box is reached without a proxy. For a server of this machine the user can list {address} in box.network.allow; ask the proxy for that address then.',
  'never': 'trai: {target} is refused: {address} is {kind}, which no list can allow.',
  'unresolved': 'trai: {target} could not be resolved ({why}).',
  'unreachable': 'trai: {target} could not be reached ({why}).',
} as const;

export const KINDS: Readonly<Record<RefusedKind, string>> = {
  'loopback': 'an address of this machine',
  'own': 'an address of this machine',
  'unspecified': 'an address of this machine',
  'private': 'an address of a local network',
  'link-local': 'an address of the local link, such as the metadata service of a cloud',
  'multicast': 'an address of many receivers',
  'reserved': 'an address of nobody',
};

export const HOST_WHY =
  'a program in the box wants to connect, and box.network in config.json does not name the host';
export const HOST_NO_MATCH = 'it does not name the host and port that are asked about';
export const HOST_NO_ENTRY = 'expected a host, *.host or an address, each also with :port';
export const HOST_SCOPE = 'a host is allowed in this box or everywhere, and not in a project';
