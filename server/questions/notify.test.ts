import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { childrenOf, processLink } from '../../core/kernel/proc/proc.ts';
import type { Question } from '../../shared/model/question.ts';
import { notifyTerminal, sequence } from './notify.ts';

describe('what the terminal is told', () => {
  it('cannot be ended or continued by what it cites', () => {
    const told = sequence('t;u', 'a\x07b\x1b]0;x\x1b\\c\nd;e\u202ef\u009c', false);
    expect(told.startsWith('\x1b]777;notify;t,u;')).toBe(true);
    expect(told.slice(2, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(told.split(';')).toHaveLength(4);
    expect(told.endsWith('\x07')).toBe(true);
    expect(sequence('t', 'x'.repeat(500), false).length).toBeLessThan(200);
  });

  it('is passed on by tmux', () => {
    expect(sequence('t', 'b', true)).toBe('\x1bPtmux;\x1b\x1b]777;notify;t;b\x07\x1b\\');
  });

  it('is written to the client’s own terminal, and to nothing else', async (ctx) => {
    if (spawnSync('script', ['--version']).status !== 0) ctx.skip('the program script is missing');
    const question = { tool: 'Bash', project: '/home/kim/shop' } as Question;
    const dir = mkdtempSync(path.join(tmpdir(), 'trai-notify-'));
    const out = path.join(dir, 'out');
    const terminal = spawn('script', ['-qfc', 'exec sleep 600', out], { stdio: 'ignore' });
    const plain = spawn('sleep', ['600'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    plain.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    try {
      const clients = () => childrenOf(terminal.pid ?? 0);
      // Until then it is still `script` itself.
      await expect.poll(() => processLink(clients()[0] ?? 0, 'fd/1')).toMatch(/^\/dev\/pts\//);
      const [client = 0] = clients();
      notifyTerminal(client, question);
      notifyTerminal(plain.pid ?? 0, question);
      notifyTerminal(2 ** 22 + 1, question);
      await expect
        .poll(() => readFileSync(out, 'latin1'))
        .toContain('\x1b]777;notify;Claude Code;Bash in /home/kim/shop waits');
      expect(said).toBe('');
    } finally {
      terminal.kill('SIGKILL');
      plain.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
