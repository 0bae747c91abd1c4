import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bytePath } from '../../../shared/bytes.ts';
import { removePath } from './dir-handles.ts';
import { type FsPort, nodePort } from './port.ts';

test('what a program adds to a tree while it is removed goes too', () => {
  const top = mkdtempSync(path.join(tmpdir(), 'trai-dirs-'));
  onTestFinished(() => void removePath(nodePort, bytePath(path.dirname(top)), bytePath(path.basename(top))));
  const staged = path.join(top, 'staged');
  mkdirSync(path.join(staged, 'd'), { recursive: true });
  writeFileSync(path.join(staged, 'd/f'), '');
  let left = 3;
  const port: FsPort = {
    ...nodePort,
    rmdir(at) {
      if (left-- > 0) writeFileSync(path.join(staged, 'd/late'), '');
      nodePort.rmdir(at);
    },
  };
  expect(removePath(port, bytePath(top), bytePath('staged'))).toBe(6);
  expect(existsSync(staged)).toBe(false);
});
