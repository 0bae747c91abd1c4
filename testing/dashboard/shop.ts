/** A recorded session of ordinary work: an edit, an install, a delete, a rename, a mode change, conflicts. */
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { CallView } from '../../shared/log/calls.ts';
import { dirEntry, type FakeEntry, makeCall, makeChange, otherEntry, side, textEntry } from './make.ts';

const ROOT = '/home/kim/shop';
const at = (path: string): BytePath => fromText(path.startsWith('/') ? path : `${ROOT}/${path}`);

const CART_BEFORE = `import type { Item } from 'shop/item';
import { round } from 'shop/money';

/** Sum of a cart, without tax. */
export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum = sum + item.price * item.quantity;
  }
  return sum;
}

export function isEmpty(items: Item[]): boolean {
  return items.length == 0;
}
`;

const CART_AFTER = `import type { Discount, Item } from 'shop/item';
import { round } from 'shop/money';

/** Sum of a cart after discounts, without tax, in cents. */
export function total(items: Item[], discounts: Discount[] = []): number {
  const sum = items.reduce((cents, item) => cents + item.price * item.quantity, 0);
  const off = discounts.reduce((cents, discount) => cents + discount.of(sum), 0);
  return Math.max(0, round(sum - off));
}

export function isEmpty(items: Item[]): boolean {
  return items.length === 0;
}
`;

const TEST_AFTER = `import { expect, test } from 'vitest';
import { total } from 'shop/cart';

test('a discount never makes the sum negative', () => {
  const items = [{ price: 500, quantity: 1 }];
  expect(total(items, [{ of: () => 900 }])).toBe(0);
});
`;

const README_BEFORE = '# shop\n\nA small shop.\n\n## Run\n\n    npm start\n';
const README_BASE = '# shop\n\nA little shop.\n\n## Run\n\n    npm start\n';
const README_AFTER = '# shop\n\nA small shop, with discounts.\n\n## Run\n\n    npm ci\n    npm start\n';

function packages(): FakeEntry[] {
  const entries: FakeEntry[] = [dirEntry(at('node_modules'))];
  const names = ['vitest', 'vite', 'esbuild', 'rollup', 'chai', 'tinybench', 'pathe', 'picocolors'];
  for (const name of names) {
    for (let file = 0; file < 40; file++) {
      const text = `export const part${file} = ${file};\n`;
      entries.push(
        textEntry({ path: at(`node_modules/${name}/dist/part-${file}.js`), before: null, after: text }),
      );
    }
  }
  return entries;
}

function meta(path: string, before: number, after: number): FakeEntry {
  const change = makeChange(at(path), 'meta', {
    pending: side({ mode: after, size: 312 }),
    host: side({ mode: before, size: 312 }),
  });
  return otherEntry(change, { kind: 'meta', id: change.id, etag: 'm', notes: ['The content is the same.'] });
}

function odd(): FakeEntry[] {
  const link = makeChange(at('current'), 'modified', {
    pending: side({ type: 'symlink', mode: 0o777, target: fromText('releases/2026-03') }),
    host: side({ type: 'symlink', mode: 0o777, target: fromText('releases/2026-02') }),
  });
  const logo = makeChange(at('public/logo.png'), 'modified', {
    pending: side({ size: 18_204 }),
    host: side({ size: 22_518 }),
  });
  const dump = makeChange(at('dump.sql'), 'added', { pending: side({ size: 48_211_904 }) });
  const swapped = makeChange(at('config'), 'replaced', {
    pending: side({ type: 'dir', mode: 0o755 }),
    host: side({ size: 420 }),
  });
  return [
    otherEntry(link, {
      kind: 'symlink',
      id: link.id,
      etag: 'l',
      oldTarget: 'releases/2026-02',
      newTarget: 'releases/2026-03',
    }),
    otherEntry(logo, {
      kind: 'binary',
      id: logo.id,
      etag: 'b',
      mime: 'image/png',
      oldBytes: 22_518,
      newBytes: 18_204,
      oldSha256: '9f2c1d7ab0e35b7c4a1f0d6e8c2b7a95e1d3f4c6b8a0927e5d1c3b4a69788f01',
      oldHead: '89504e470d0a1a0a0000000d49484452000000400000004008060000009aa1e3',
      newHead: '89504e470d0a1a0a0000000d49484452000000200000002008060000007a7a6f',
      newSha256: '03be77c1d2a94f5e8b6c0a1d9e7f35b4c8d2e6f1a0b9c7d5e3f2a1b4c6d8e0f9',
    }),
    otherEntry(dump, {
      kind: 'omitted',
      id: dump.id,
      etag: 'o',
      reason: 'too-large',
      message: '48.2 MB in 1,204,551 lines.',
      oldBytes: null,
      newBytes: 48_211_904,
      head: ['-- PostgreSQL database dump', 'SET statement_timeout = 0;', 'CREATE TABLE orders ('],
    }),
    otherEntry(swapped, {
      kind: 'meta',
      id: swapped.id,
      etag: 's',
      notes: ['A file on the host, a directory in the sandbox.'],
    }),
    textEntry({
      path: at('config/default.json'),
      before: null,
      after: '{\n  "currency": "EUR",\n  "tax": 0.19\n}\n',
    }),
  ];
}

/** Everything that is pending in the recording. */
export function shopEntries(): FakeEntry[] {
  const longBefore = Array.from({ length: 2_600 }, (_, i) => `{ "id": ${i}, "state": "open" }`).join('\n');
  return [
    textEntry({ path: at('src/cart/cart.ts'), before: CART_BEFORE, after: CART_AFTER }),
    textEntry({ path: at('src/cart/cart.test.ts'), before: null, after: TEST_AFTER }),
    textEntry({
      path: at('src/cart/legacy-sum.ts'),
      before: 'export const sum = (a: number, b: number) => a + b;\n',
      after: null,
    }),
    textEntry({
      path: at('README.md'),
      before: README_BEFORE,
      after: README_AFTER,
      base: README_BASE,
      patch: { conflict: 'host-changed' },
    }),
    textEntry({
      path: at('package.json'),
      before: '{\n  "name": "shop"\n}\n',
      after: '{\n  "name": "shop",\n  "type": "module"\n}',
      patch: { conflict: 'unknown-base' },
    }),
    textEntry({
      path: at('fixtures/orders.jsonl'),
      before: `${longBefore}\n`,
      after: `${longBefore.replaceAll('open', 'paid')}\n`,
    }),
    textEntry({ path: at('src/empty.ts'), before: null, after: '' }),
    textEntry({ path: at('/home/kim/.config/shop/login.toml'), before: null, after: 'user = "kim"\n' }),
    textEntry({
      path: at('/home/kim/.npm/_logs/2026-03-02.log'),
      before: null,
      after: 'verbose cli\n',
      patch: { ignored: 'npm logs' },
    }),
    textEntry({
      path: at('/home/kim/.cache/vite/deps.json'),
      before: null,
      after: '{}\n',
      patch: { ignored: 'cache' },
    }),
    meta('scripts/release.sh', 0o644, 0o755),
    ...odd(),
    ...packages(),
  ];
}

const TEST_OUTPUT =
  '\u001b[32m ✓\u001b[39m src/cart/cart.test.ts (1 test) 4 ms\n\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n';

export function shopCalls(): CallView[] {
  return [
    makeCall('c00', 'git restore README.md', {
      mode: 'host',
      reason: 'passthrough',
      ms: 21,
      saved: [
        {
          what: 'git restore',
          dir: '/home/kim/shop',
          restore: [
            'git -C /home/kim/shop unpack-objects -q < /home/kim/.local/state/trai/sessions/shop-discounts/saved/c00.0.pack && git -C /home/kim/shop stash apply --index 5f1c0de',
          ],
          untracked: [],
          count: 0,
          text: '',
        },
        {
          what: 'git clean',
          dir: '/home/kim/shop',
          restore: [],
          untracked: ['big\u202e.bin'],
          count: 1,
          text: 'it is more than trai keeps\u202e',
        },
      ],
    }),
    makeCall('c01', 'git status --short', {
      mode: 'host',
      reason: 'passthrough',
      ms: 18,
      head: ' M README.md\n',
    }),
    makeCall('c02', 'npm install -D vitest', { ms: 8_412, head: 'added 320 packages in 8s\n' }),
    makeCall('c03', "cat > src/cart/cart.test.ts <<'EOF'\nimport { expect, test } from 'vitest';\n…\nEOF", {
      ms: 9,
    }),
    makeCall('c04', 'npx vitest run', {
      rc: 1,
      ok: false,
      ms: 2_204,
      head: 'FAIL src/cart/cart.test.ts\nAssertionError: expected -400 to be 0\n',
    }),
    makeCall('c05', "sed -i 's/items.length == 0/items.length === 0/' src/cart/cart.ts", { ms: 7 }),
    makeCall('c06', 'npx vitest run', { ms: 1_988, head: TEST_OUTPUT }),
    makeCall('c07', 'git add -A && npm run build', {
      mode: 'refuse',
      reason: 'mixed',
      state: 'refused',
      rc: null,
      ok: null,
      ms: null,
      startedAt: null,
      endedAt: null,
      text: 'It mixes a writing passthrough program with sandboxed parts. Run `git add -A` as a call of its own: it runs on the host.',
    }),
    makeCall('c08', 'npm run dev', {
      background: true,
      state: 'running',
      rc: null,
      ok: null,
      ms: null,
      endedAt: null,
      head: 'VITE ready in 412 ms\n',
    }),
    makeCall('c09', 'rm src/cart/legacy-sum.ts && chmod +x scripts/release.sh', { ms: 6 }),
    makeCall('c10', 'sleep 600', {
      rc: 143,
      ok: false,
      interrupted: false,
      ms: 120_000,
      agent: 'Explore',
      text: '',
    }),
    makeCall('c11', 'nohup node watch.js & disown', { ms: 31, left: [48_211, 48_219] }),
  ];
}
