import { fromText, toDisplay } from '../../../shared/bytes.ts';

/** What a judge of a passthrough program says about one command of it. */
export interface Judgement {
  /** False: it may run other programs, or can't be understood. */
  plain: boolean;
  /** True when it may change something on the host. */
  writes: boolean;
  /** What keeps it from being plain, as it reads after "because of"; empty when plain. */
  because: string;
}

export const READ: Judgement = { plain: true, writes: false, because: '' };
export const WRITE: Judgement = { plain: true, writes: true, because: '' };

/** What the model wrote, for a message: on one line, without anything invisible, and not too much of it. */
export function cited(source: string): string {
  const text = toDisplay(fromText(source));
  return `\`${text.length <= MOST ? text : `${text.slice(0, MOST - 1)}…`}\``;
}

const MOST = 60;

export function unplain(because: string, writes = true): Judgement {
  return { plain: false, writes, because };
}
