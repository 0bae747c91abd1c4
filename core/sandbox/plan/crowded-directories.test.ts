import { expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import { crowdOf, MOST_OTHERS } from './plan.ts';

const path = (name: string): BytePath => `/home/${name}` as BytePath;
const theirs = (count: number): BytePath[] => Array.from({ length: count }, (_, i) => path(`u${i}`));
const needed = ['kim', 'team', 'state', 'scratch', 'mine', 'shared', 'pending', 'nfs'].map(path);
const wanted = ['kim', 'team/shop', 'state/trai', 'scratch/tmp', 'nfs/export'].map(path);
const fs = {
  isForeign: (dir: BytePath) => dir !== path('mine'),
  mayWrite: (dir: BytePath) => dir === path('shared'),
  ownNames: (dir: BytePath) => (dir === path('pending') ? ['f'] : []),
};

it('few directories of others are covered like any', () => {
  expect(crowdOf([...theirs(MOST_OTHERS), ...needed], wanted, fs)).toEqual(new Set());
});

it('of many, those get no overlay in which nothing of this user’s can be', () => {
  const others = theirs(MOST_OTHERS + 1);
  expect(crowdOf([...needed, ...others], wanted, fs)).toEqual(new Set(others));
});
