/** What a host git command threw away. */
import { expect, open, test } from './page.ts';

test('a call shows what was kept of what it threw away, the line that brings it back, and what was not kept', async ({
  watched: page,
}) => {
  await open(page, '/s/shop-discounts/call/c00');
  const call = page.getByRole('article', { name: 'Call' });
  await expect(call).toContainText('What git restore threw away is kept.');
  await expect(call).toContainText('run in a terminal:git -C /home/kim/shop unpack-objects -q < ');
  await expect(call).toContainText(
    'What git clean threw away is not all kept: it is more than trai keeps\\u{202e}.',
  );
});
