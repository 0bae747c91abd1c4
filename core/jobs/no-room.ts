import { fullText } from '../../shared/terminal/text.ts';
import { isFull } from '../kernel/fs/free-space.ts';

/** The launcher's status when nothing ran; a command may end with it too. */
export const NOT_ENTERED = 125;

/** What the launcher refuses on a full disk. */
export function noRoomText(stateDir: string, status: number): string | null {
  return status === NOT_ENTERED && isFull(stateDir) ? fullText(stateDir) : null;
}
