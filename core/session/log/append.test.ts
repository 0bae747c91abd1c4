import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventOf, LogEvent } from '../../../shared/log/events.ts';
import { bundleProgram, run } from '../../../testing/log/test-child.ts';
import { appendEvent, logPath } from './append.ts';
import { readLog } from './read.ts';

const top = mkdtempSync(join(tmpdir(), 'trai-append-'));
afterAll(() => rmSync(top, { recursive: true }));

let count = 0;
let dir = '';
beforeEach(() => {
  dir = join(top, `session-${count++}`);
  mkdirSync(dir);
});

const at = '2026-01-01T00:00:00.000Z';
const ended = (call: string): EventOf<'call.ended'> => ({ v: 1, t: 'call.ended', at, call, rc: 0, ms: 1 });
const notice = (text: string): EventOf<'notice'> => ({ v: 1, t: 'notice', at, code: 'c', text });

describe('appendEvent', () => {
  it('writes one line an event, in order, in a file that only the user can read', async () => {
    const events: LogEvent[] = [ended('1'), notice('line\nbreak ünd 🦊'), ended('2')];
    await Promise.all(events.map((event) => appendEvent(dir, event)));
    expect((await readLog(dir)).events).toEqual(events);
    expect(readFileSync(logPath(dir), 'utf8').split('\n')).toHaveLength(4);
    expect(statSync(logPath(dir)).mode & 0o777).toBe(0o600);
  });

  it('begins a new line after a line that was torn off, which stays as it is', async () => {
    appendEvent(dir, ended('1'));
    appendFileSync(logPath(dir), '{"v":1,"t":"call.en');
    appendEvent(dir, ended('2'));
    appendEvent(dir, ended('3'));
    const { events, raw } = await readLog(dir);
    expect(events).toEqual([ended('1'), ended('2'), ended('3')]);
    expect(raw).toMatchObject([{ raw: '{"v":1,"t":"call.en', problem: 'torn' }]);
  });

  it.each<[string, () => void, LogEvent, string]>([
    ['an event with a missing field', () => {}, { ...ended('1'), rc: Number.NaN }, 'internal'],
    ['a session that is gone', () => rmSync(dir, { recursive: true }), ended('1'), 'no-session'],
    [
      'a symlink in the place of the log',
      () => symlinkSync('/etc/passwd', logPath(dir)),
      ended('1'),
      'corrupt',
    ],
    ['a FIFO in the place of the log', () => spawnSync('mkfifo', [logPath(dir)]), ended('1'), 'corrupt'],
    ['a directory in the place of the log', () => mkdirSync(logPath(dir)), ended('1'), 'corrupt'],
  ])('refuses %s', (_name, prepare, event, code) => {
    prepare();
    expect(() => appendEvent(dir, event)).toThrow(expect.objectContaining({ code }));
  });

  it('reports a line of which only a part could be written; the next writer closes it', async () => {
    const program = await bundleProgram(
      top,
      'short',
      `
      import { appendEvent } from '#/core/session/log/append.ts';
      try { appendEvent(process.argv[2] ?? '', ${JSON.stringify(notice('x'.repeat(3000)))}); }
      catch (error) { console.log((error as { code: string }).code); }
    `,
    );
    // A file size limit of 1 KiB stands in for a full disk: the kernel writes what fits.
    writeFileSync(logPath(dir), `${JSON.stringify(ended('1'))}\n`);
    const { stdout } = await run('bash', [
      '-c',
      `ulimit -f 1; exec "$0" "$1" "$2"`,
      process.execPath,
      program,
      dir,
    ]);
    expect(stdout).toBe('no-space\n');
    expect(statSync(logPath(dir)).size).toBe(1024);
    appendEvent(dir, ended('2'));
    const { events, raw } = await readLog(dir);
    expect(events).toEqual([ended('1'), ended('2')]);
    expect(raw).toMatchObject([{ problem: 'torn' }]);
  });

  it('never mixes the lines of processes that write at the same time, in TypeScript and in bash', async () => {
    const program = await bundleProgram(
      top,
      'writer',
      `
      import { appendEvent } from '#/core/session/log/append.ts';
      const [, , dir = '', name = ''] = process.argv;
      for (let i = 0; i < 300; i++) {
        const text = String.fromCharCode(97 + i % 26).repeat(i * 97 % 30_000);
        appendEvent(dir, { v: 1, t: 'notice', at: '${at}', code: name + ':' + i, text });
      }
    `,
    );
    const bash = `for ((i = 0; i < 300; i++)); do
      printf '{"v":1,"t":"call.ended","at":"${at}","call":"%s","rc":0,"ms":%d}\\n' "$1:$i" "$i" >>"$0/calls.jsonl"; done`;
    const writers = ['a', 'b', 'c'].map((name) => run(process.execPath, [program, dir, name]));
    const launchers = ['x', 'y', 'z'].map((name) => run('bash', ['-c', bash, dir, name]));
    const results = await Promise.all([...writers, ...launchers]);
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, '']));

    const { events, raw } = await readLog(dir);
    expect(raw).toEqual([]);
    const nameOf = (event: LogEvent): string =>
      event.t === 'notice' ? event.code : event.t === 'call.ended' ? event.call : '?';
    const seen = events.map(nameOf);
    for (const name of ['a', 'b', 'c', 'x', 'y', 'z']) {
      const own = seen.filter((id) => id.startsWith(`${name}:`));
      expect(own).toEqual(Array.from({ length: 300 }, (_, i) => `${name}:${i}`));
    }
    for (const event of events) if (event.t === 'notice') expect(/^(.)\1*$|^$/.test(event.text)).toBe(true);
  });
});
