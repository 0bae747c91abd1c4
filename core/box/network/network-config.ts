/** `box.network` of config.json: the rules as they are now, and what an answer of the user adds. */
import { type NetworkRules, networkRules } from '../../../shared/network/pattern.ts';
import { changeConfig, objectIn } from '../../session/change-config.ts';
import { loadConfig, problemsAbout } from '../../session/config-file.ts';
import type { Env } from '../../session/dirs.ts';
import type { NetworkRecord } from './network-record.ts';

/**
 * With those of a box. A `deny` that cannot be read is no reason to let its hosts through: then nothing is allowed by itself,
 * and the user is asked about every host.
 */
export function currentRules(env: Env, own: Pick<NetworkRecord, 'allow' | 'deny'> | null): NetworkRules {
  const loaded = loadConfig(env);
  const { allow, deny } = loaded.config.box.network;
  const isKnown = problemsAbout(loaded, ['box', 'network', 'deny']).length === 0;
  return networkRules(isKnown ? [...allow, ...(own?.allow ?? [])] : [], [...deny, ...(own?.deny ?? [])]);
}

/** Returns the file. Nothing changes where the entry is there. Errors: those of changeConfig. */
export async function addNetworkEntry(
  at: { env: Env; stateDir: string },
  list: 'allow' | 'deny',
  entry: string,
): Promise<string> {
  return await changeConfig(at, (content) => {
    const box = objectIn(content, 'box');
    const network = box === null ? null : objectIn(box, 'network');
    const entries = network === null ? null : withEntry(network[list], entry);
    return entries === null
      ? null
      : { ...content, box: { ...box, network: { ...network, [list]: entries } } };
  });
}

/** A list is an array, or what is added to and removed from the default (shared/config/config.ts). Null: neither. */
function withEntry(value: unknown, entry: string): unknown {
  if (Array.isArray(value)) return value.includes(entry) ? value : [...value, entry];
  const relative = objectIn({ value: value ?? {} }, 'value');
  const { add = [], remove = [] } = relative ?? {};
  if (relative === null || !Array.isArray(add) || !Array.isArray(remove)) return null;
  const rest = remove.filter((one) => one !== entry);
  const removed = rest.length === 0 ? {} : { remove: rest };
  return { add: add.includes(entry) ? add : [...add, entry], ...removed };
}
