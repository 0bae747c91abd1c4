import nodeFs, {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventOf } from '../../../shared/log/events.ts';
import { anyEvent } from '../../../testing/log/event-arbitrary.ts';
import { isPast } from '../../kernel/fs/fingerprint.ts';
import { logPath } from './append.ts';
import { LogTail, readLog } from './read.ts';

const top = mkdtempSync(join(tmpdir(), 'trai-read-'));
afterAll(() => rmSync(top, { recursive: true }));

let count = 0;
let dir = '';
const newDir = (): string => {
  dir = join(top, `session-${count++}`);
  mkdirSync(dir);
  return dir;
};
beforeEach(newDir);

const ended = (call: string): EventOf<'call.ended'> => ({
  v: 1,
  t: 'call.ended',
  at: '2026-01-01T00:00:00.000Z',
  call,
  rc: 0,
  ms: 1,
});
const line = (call: string): string => `${JSON.stringify(ended(call))}\n`;

describe('readLog', () => {
  it('gives an empty log for a session that has not logged yet', async () => {
    expect(await readLog(dir)).toEqual({ events: [], raw: [], size: 0 });
  });

  it('gives events, and every other line raw, also a torn last one', async () => {
    const first = line('1');
    writeFileSync(logPath(dir), `${first}rubbish\n${line('2')}{"v":1`);
    const log = await readLog(dir);
    expect(log.events).toEqual([ended('1'), ended('2')]);
    expect(log.raw.map(({ raw, problem }) => [raw, problem])).toEqual([
      ['rubbish', 'not-json'],
      ['{"v":1', 'torn'],
    ]);
    expect(log.size).toBe(first.length * 2 + 8 + 6);
  });

  it('reports a log that cannot be read', async () => {
    mkdirSync(logPath(dir));
    await expect(readLog(dir)).rejects.toMatchObject({ code: 'io' });
  });

  it('does not keep a line of 50 MB in memory', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 50; i++) appendFileSync(logPath(dir), mebibyte);
    appendFileSync(logPath(dir), `\n${line('1')}`);
    const before = process.memoryUsage().rss;
    const log = await readLog(dir);
    expect(process.memoryUsage().rss - before).toBeLessThan(30 * 1024 * 1024);
    expect(log.events).toEqual([ended('1')]);
    expect(log.raw).toMatchObject([{ offset: 0, problem: 'too-long' }]);
  });
});

describe('LogTail', () => {
  it('finds over any number of reads what one read of the whole file finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (events, cuts) => {
          const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('no event\n'));
          const tail = new LogTail(newDir());
          const borders = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort(
            (a, b) => a - b,
          );
          const found = { events: [] as unknown[], raw: [] as unknown[], size: 0 };
          for (let i = 1; i < borders.length; i++) {
            appendFileSync(logPath(dir), bytes.subarray(borders[i - 1], borders[i]));
            const news = await tail.read();
            expect(news.reset).toBe(false);
            found.events.push(...news.events);
            found.raw.push(...news.raw);
            found.size = news.size;
          }
          expect(found).toEqual(await readLog(dir));
        },
      ),
      { numRuns: 100 },
    );
  });

  const LONG = '4'.repeat(60);
  const NEW = line('3') + line(LONG);
  it.each<[string, (path: string) => void]>([
    [
      'replaced by rename',
      (path) => {
        writeFileSync(`${path}.new`, NEW);
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'removed and made again, with an inode number that may be the same',
      (path) => {
        rmSync(path);
        writeFileSync(path, NEW);
      },
    ],
    [
      'cut and written anew',
      (path) => {
        truncateSync(path, 0);
        appendFileSync(path, NEW);
      },
    ],
  ])('starts over when the file was %s', async (_name, replace) => {
    writeFileSync(logPath(dir), `${line('1')}${line('2')}{"to`);
    const tail = new LogTail(dir);
    expect(await tail.read()).toMatchObject({ reset: false, events: [ended('1'), ended('2')] });
    replace(logPath(dir));
    expect(await tail.read()).toMatchObject({ reset: true, events: [ended('3'), ended(LONG)], raw: [] });
    expect(await tail.read()).toMatchObject({ reset: false, events: [] });
  });

  it('starts over when another file has the same bytes before the place it had reached', async () => {
    writeFileSync(logPath(dir), line('1') + line('2'));
    const tail = new LogTail(dir);
    await tail.read();
    writeFileSync(`${logPath(dir)}.new`, line('9') + line('2'));
    renameSync(`${logPath(dir)}.new`, logPath(dir));
    expect(await tail.read()).toMatchObject({ reset: true, events: [ended('9'), ended('2')] });
  });

  it('starts over when the file was cut to less than was read', async () => {
    writeFileSync(logPath(dir), line('1') + line('2'));
    const tail = new LogTail(dir);
    await tail.read();
    truncateSync(logPath(dir), line('1').length);
    expect(await tail.read()).toMatchObject({ reset: true, events: [ended('1')] });
  });

  it.each<[what: string, change: (path: string) => void]>([
    ['rewritten', (path) => writeFileSync(path, line('9'))],
    [
      'replaced',
      (path) => {
        writeFileSync(`${path}.new`, line('9'));
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'removed and made again',
      (path) => {
        rmSync(path);
        writeFileSync(path, line('9'));
      },
    ],
  ])('starts over when one that nobody has written to for a while is %s', async (_, change) => {
    writeFileSync(logPath(dir), line('1'));
    const tail = new LogTail(dir);
    while (!isPast(statSync(logPath(dir), { bigint: true }).ctimeNs)) await sleep(5);
    expect((await tail.read()).events).toEqual([ended('1')]);
    const open = vi.spyOn(nodeFs, 'openSync');
    syncBuiltinESMExports();
    expect(await tail.read()).toMatchObject({ reset: false, events: [] });
    expect(open).not.toHaveBeenCalled();
    open.mockRestore();
    syncBuiltinESMExports();
    change(logPath(dir));
    expect(await tail.read()).toMatchObject({ reset: true, events: [ended('9')] });
    appendFileSync(logPath(dir), line('10'));
    expect(await tail.read()).toMatchObject({ reset: false, events: [ended('10')] });
  });

  it('says once that the file is gone, and reads the next one from its beginning', async () => {
    writeFileSync(logPath(dir), line('1'));
    const tail = new LogTail(dir);
    await tail.read();
    rmSync(logPath(dir));
    expect(await tail.read()).toMatchObject({ reset: true, size: 0 });
    expect(await tail.read()).toMatchObject({ reset: false, size: 0 });
    writeFileSync(logPath(dir), line('2'));
    expect(await tail.read()).toMatchObject({ reset: false, events: [ended('2')] });
  });

  it('gives every event once to reads that overlap', async () => {
    writeFileSync(logPath(dir), line('1') + line('2'));
    const tail = new LogTail(dir);
    const news = await Promise.all([tail.read(), tail.read(), tail.read()]);
    expect(news.flatMap(({ events }) => events)).toEqual([ended('1'), ended('2')]);
  });

  it('shows the unfinished last line until its newline comes', async () => {
    writeFileSync(logPath(dir), line('1').slice(0, -1));
    const tail = new LogTail(dir);
    expect((await tail.read()).events).toEqual([]);
    expect(tail.pending()).toMatchObject({ problem: 'torn' });
    appendFileSync(logPath(dir), '\n');
    expect((await tail.read()).events).toEqual([ended('1')]);
    expect(tail.pending()).toBeNull();
  });
});
