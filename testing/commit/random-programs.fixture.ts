/** Random file operations for the property tests of selections. */
import fc from 'fast-check';

/** Few names, so that operations meet. */
const NAMES = ['a', 'b', 'a-b', 'a.c'];
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((parts) => `./${parts.join('/')}`);
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(path, fc.nat(9)).map(([p, n]) => `echo ${n} > ${p}`) },
  { weight: 5, arbitrary: path.map((p) => `mkdir -p ${p}`) },
  { weight: 3, arbitrary: path.map((p) => `rm -rf ${p}`) },
  { weight: 2, arbitrary: path.map((p) => `rm -rf ${p}; mkdir -p ${p}; echo again > ${p}/a`) },
  { weight: 2, arbitrary: fc.tuple(path, path).map(([p, q]) => `mv -T ${p} ${q}`) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([p, q]) => `ln -T ${p} ${q}`) },
  { weight: 1, arbitrary: fc.tuple(path, path).map(([p, q]) => `ln -sfn ${p} ${q}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('755', '555', '700'), path)
      .map(([m, p]) => `[ -L ${p} ] || chmod ${m} ${p}`),
  },
);
export const program = fc.array(operation, { minLength: 1, maxLength: 12 });
export const lines = (operations: readonly string[]) =>
  operations.map((one) => `{ ${one}; } 2>/dev/null || true`).join('\n');
