/** A call of a test session that stays, and runs lines on request. */
import { once } from 'node:events';
import type { TestSession } from './session.ts';

export interface LiveCall {
  /** Of the launcher. */
  pid: number;
  /** Runs lines in its shell, which keeps its directory and descriptors. Returns what they print. */
  inside(lines: string): Promise<string>;
  end(): Promise<void>;
}

const LOOP = 'echo ready; while read -r line; do eval "$line"; echo; echo done; done';

/** The last line of a call: it goes on in a mount namespace of its own, as a box, after `lines`. */
export const inNamespace = (lines: string): string =>
  `unshare --user --map-root-user --mount bash -c '${lines} && ${LOOP}'`;

/** With nothing in the place of a file. */
export const hidingFile = (name: string): string => inNamespace(`mount --bind /dev/null ${name}`);

/** Starts a call that stays; resolves when `lines` have run. */
export async function liveCall(s: Pick<TestSession, 'start'>, lines = ':'): Promise<LiveCall> {
  const child = s.start(`${lines}\n${LOOP}`);
  const said = reader(child);
  await said.until('ready\n');
  return {
    pid: child.pid ?? 0,
    end: async () => {
      const closed = once(child, 'close');
      child.stdin?.end();
      await closed;
    },
    inside: async (more) => {
      child.stdin?.write(`${more.replaceAll('\n', '; ')}\n`);
      return (await said.until('done\n')).replace(/\n$/, '');
    },
  };
}

export function reader(child: ReturnType<TestSession['start']>): { until(mark: string): Promise<string> } {
  let text = '';
  let errors = '';
  let wake = (): void => {};
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('latin1');
  });
  child.on('close', () => {
    text += `\n${errors}\n(the call has ended)`;
    wake();
  });
  return {
    async until(mark) {
      for (;;) {
        const end = text.indexOf(mark);
        if (end >= 0) {
          const before = text.slice(0, end);
          text = text.slice(end + mark.length);
          return before;
        }
        if (text.endsWith('(the call has ended)')) throw new Error(text);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
