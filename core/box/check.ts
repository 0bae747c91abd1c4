/** Doctor's checks for a box, by doing. */
import { messageOf, TraiError } from '../../shared/errors.ts';
import { type Check, fail, pass, readSetting, remedyForNamespaces, warn } from '../sandbox/doctor/check.ts';
import { type Bwrap, canType, findBwrap, tryBox } from './bwrap.ts';
import { CHECKS } from './messages/checks.ts';

/** Without trying to make a box where there is no bwrap. */
export async function checkBox(env: NodeJS.ProcessEnv): Promise<Check[]> {
  let found: Bwrap;
  try {
    found = await findBwrap(env);
  } catch (error) {
    const remedy = error instanceof TraiError ? (error.hint ?? '') : '';
    return [{ id: 'bwrap', ...fail(messageOf(error), remedy) }];
  }
  return [
    { id: 'bwrap', ...pass(CHECKS.bwrap(found.path, found.version)) },
    { id: 'box', ...(await checkNesting(found)) },
    { id: 'terminal', ...(canType() ? warn(CHECKS.typing, CHECKS.typingRemedy) : pass(CHECKS.noTyping)) },
  ];
}

async function checkNesting(bwrap: Bwrap): Promise<ReturnType<typeof pass>> {
  const said = await tryBox(bwrap);
  if (said === '') return pass(CHECKS.made);
  return fail(CHECKS.notMade(said), /proc/.test(said) ? CHECKS.procRemedy : remedyForNamespaces(readSetting));
}
