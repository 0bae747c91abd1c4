import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { orNull } from '../../core/kernel/fs/port.ts';
import { processEnvironment, processLink } from '../../core/kernel/proc/proc.ts';
import type { Question } from '../../shared/model/question.ts';
import { visible } from '../../shared/terminal/visible.ts';
import { message } from '../messages/hooks.ts';

const MAX_CHARS = 120;

/** Tells the terminal of the client (OSC 777), which says it to the desktop. Best effort; a terminal that does not know it shows nothing. */
export function notifyTerminal(pid: number, { tool, project }: Question): void {
  const terminal = processLink(pid, 'fd/1');
  if (terminal === null || !/^\/dev\/(pts\/\d+|tty\w+)$/.test(terminal)) return;
  const inTmux = (processEnvironment(pid)?.get('TMUX') ?? '') !== '';
  const bytes = Buffer.from(sequence('Claude Code', message('asked', { tool, project }), inTmux));
  orNull(() => {
    // Never as the server's own terminal, and never waiting for one that is stopped.
    const fd = openSync(`/proc/${pid}/fd/1`, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      writeSync(fd, bytes);
    } finally {
      closeSync(fd);
    }
  });
}

/** What is cited can neither end the sequence nor begin another one. */
export function sequence(title: string, body: string, inTmux: boolean): string {
  const plain = (text: string): string =>
    visible(text.replace(/[\t\n]/g, ' '), false)
      .replaceAll(';', ',')
      .slice(0, MAX_CHARS);
  const told = `\x1b]777;notify;${plain(title)};${plain(body)}\x07`;
  return inTmux ? `\x1bPtmux;${told.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : told;
}
