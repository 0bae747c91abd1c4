import { afterEach, expect, it } from 'vitest';
import { toText } from '../../shared/bytes.ts';
import { run } from './run.ts';

const left: number[] = [];
afterEach(() => {
  for (const pid of left.splice(0)) if (pid > 1) process.kill(pid, 'SIGKILL');
});

it('a program that has left the group and holds the output is not waited for', async () => {
  const script = "setsid -f sh -c 'echo $$; exec sleep 600'; exec sleep 600";
  const { status, stdout, timedOut } = await run('sh', ['-c', script], { mostOutput: 1 });
  left.push(Number.parseInt(stdout, 10));
  expect(stdout).toMatch(/^\d+\n$/);
  expect({ status, timedOut }).toEqual({ status: 124, timedOut: true });
});

it('a character whose bytes come one by one stays whole', async () => {
  const script = String.raw`printf '\303'; sleep 0.2; printf '\244'; printf '\303' >&2; sleep 0.2; printf '\244' >&2`;
  const { stdout, stderr } = await run('bash', ['-c', script]);
  expect([stdout, stderr].map((text) => toText(text))).toEqual(['ä', 'ä']);
});

it.each([
  ['exit 3', 3],
  ['kill -TERM $$', 143],
])('%s ends with %i', async (script, status) => {
  expect(await run('sh', ['-c', script])).toMatchObject({ status, timedOut: false });
});

it('what could not be started ends with 127 and the reason', async () => {
  expect(await run('/nowhere/program', [])).toMatchObject({
    status: 127,
    stderr: expect.stringContaining('ENOENT'),
  });
});
