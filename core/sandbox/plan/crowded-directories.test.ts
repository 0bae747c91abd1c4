import { expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import { type Mount, parseMountinfo, visibleMounts } from '../../kernel/mounts.ts';
import { crowdOf, MOST_OTHERS } from './plan.ts';

const path = (name: string): BytePath => `/home/${name}` as BytePath;
const theirs = (count: number): BytePath[] => Array.from({ length: count }, (_, i) => path(`u${i}`));
const input = {
  own: [path('kim')],
  projectRoot: '/home/team/shop' as BytePath,
  stateDir: '/home/state/trai' as BytePath,
  scratch: ['/home/scratch/tmp' as BytePath],
  fs: {
    directories: () => [],
    isDirectory: () => true,
    canReach: () => true,
    isForeign: (dir: BytePath) => dir !== path('mine'),
    mayWrite: (dir: BytePath) => dir === path('shared'),
    ownNames: (dir: BytePath) => (dir === path('pending') ? ['f'] : []),
  },
};
const mounts: ReadonlyMap<BytePath, Mount> = visibleMounts(
  parseMountinfo('20 1 8:1 / / rw - ext4 none rw\n21 20 8:2 / /home/nfs/export rw - nfs4 none rw\n'),
);
const needed = ['kim', 'team', 'state', 'scratch', 'mine', 'shared', 'pending', 'nfs'].map(path);

it('few directories of others are covered like any', () => {
  expect(crowdOf([...theirs(MOST_OTHERS), ...needed], input, mounts)).toEqual(new Set());
});

it('of many, those get no overlay in which nothing of this user’s can be', () => {
  const others = theirs(MOST_OTHERS + 1);
  expect(crowdOf([...needed, ...others], input, mounts)).toEqual(new Set(others));
});
