/** Doctor's checks for a box, by doing. */
import { messageOf, TraiError } from '../../shared/errors.ts';
import {
  type Check,
  type Finding,
  fail,
  pass,
  type ReadSetting,
  readSetting,
  remedyForNamespaces,
  warn,
} from '../sandbox/doctor/check.ts';
import { type Bwrap, findBwrap, TYPING, tryBox, versionOf } from './bwrap.ts';
import { CHECKS } from './messages/checks.ts';

/**
 *     bwrap     it is there, root's, and no known hole
 *     nested    it makes namespaces within a session's; asked of a bwrap that can be trusted
 *     proc      and there a table of processes of its own; asked where the former can be made
 *     terminal  whether what runs in the box can type into the terminal
 */
export async function checkBox(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const terminal: Check = { id: 'terminal', ...checkTerminal(readSetting) };
  let found: Bwrap;
  try {
    found = await findBwrap(env);
  } catch (error) {
    const remedy = error instanceof TraiError ? (error.hint ?? '') : '';
    return [{ id: 'bwrap', ...fail(messageOf(error), remedy) }, terminal];
  }
  const nested = await checkNested(found);
  return [
    { id: 'bwrap', ...pass(CHECKS.bwrap({ ...found, version: await versionOf(found) })) },
    { id: 'nested', ...nested },
    ...(nested.ok ? [{ id: 'proc', ...(await checkProc(found)) }] : []),
    terminal,
  ];
}

/** For doctor: without boxes the plugin and `trai claude` work. */
export async function boxNotes(env: NodeJS.ProcessEnv): Promise<Check[]> {
  return (await checkBox(env)).map((one) => ({ ...one, level: 'warning' }));
}

export function checkTerminal(read: ReadSetting): Finding {
  const setting = read(TYPING);
  if (setting === '0') return pass(CHECKS.noTyping);
  return warn(CHECKS.typing, setting === null ? CHECKS.typingAlways : CHECKS.typingRemedy);
}

async function checkNested(bwrap: Bwrap): Promise<Finding> {
  const said = await tryBox(bwrap, { ownProc: false });
  return said === '' ? pass(CHECKS.nested) : fail(CHECKS.notNested(said), remedyForNamespaces(readSetting));
}

async function checkProc(bwrap: Bwrap): Promise<Finding> {
  const said = await tryBox(bwrap, { ownProc: true });
  return said === '' ? pass(CHECKS.proc) : fail(CHECKS.noProc(said), CHECKS.procRemedy);
}
