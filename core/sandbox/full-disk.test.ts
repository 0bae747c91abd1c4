import { expect, it } from 'vitest';
import { onSmallDisk } from '../../testing/sandbox/small-disk.ts';

const RAN = { rc: 0, stdout: 'ran\n', stderr: '' };
const NOTHING = { rc: 125, stdout: '' };

it('on a full disk a call runs nothing, and says what was expected, where, and what to do', async () => {
  const said = JSON.parse(await onSmallDisk(`${import.meta.dirname}/full-disk.fixture.ts`, 1_500_000));
  expect(said).toMatchObject({ first: NOTHING, between: RAN, full: NOTHING, later: RAN });
  expect(said.first.stderr).toBe(
    `trai: the log could not be written: ${said.sessionDir}/calls.jsonl. Nothing of the command was run.\ntrai: Is the disk full, the directory read-only, a limit of file sizes set (ulimit -f), or is it no regular file? See: trai doctor\n`,
  );
  expect(said.full.stderr).toBe(
    `trai: expected room for a few bytes in ${said.sessionDir}, found none: is the disk full? Nothing of the command was run.\ntrai: Free some space there (trai gc, or trai discard for what is pending), then run it again; see: trai doctor\n`,
  );
  const whole = ['call.started', 'call.ended'];
  expect(said.events).toEqual([...whole, 'call.started', 'call.failed', ...whole]);
});
