/** What a ruler finds wrong with a page. */
import type { Page } from '@playwright/test';

/**
 * Each fault as a sentence: an icon or a button beside the first line of its row, text that is cut and nowhere whole,
 * a page that is wider than its window, a number or time that is not written for users.
 */
export async function faultsOfLayout(page: Page): Promise<string[]> {
  // What observes sizes draws once more.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return await page.evaluate(() => {
    /** Between the middles of what stands in one row (px). */
    const MOST_OFF = 3;
    const faults: string[] = [];
    const nameOf = (element: Element): string =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class')?.trim() ?? ''}"> ${element.textContent?.trim().slice(0, 60) ?? ''}`;
    /** For screen readers only, as `.sr-only` and what a narrow window hides in the same way. */
    const isSilent = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).clipPath === 'inset(50%)' || isSilent(element.parentElement));
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isSilent(element);
    const middleOf = ({ top, bottom }: DOMRect): number => (top + bottom) / 2;

    /** The first line of the first text from `first` on, below `root`. */
    const firstLine = (root: Element, first: Node | null = null): DOMRect | null => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      if (first !== null) walker.currentNode = first;
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        if (text.textContent?.trim() === '' || text.parentElement === null || !isShown(text.parentElement))
          continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getClientRects()[0] ?? null;
      }
      return null;
    };
    /** They stand beside one another, and not one in the middle of the other. */
    const isOff = (one: DOMRect, other: DOMRect): boolean => {
      const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return shared > 5 && Math.abs(middleOf(one) - middleOf(other)) > MOST_OFF;
    };

    for (const icon of document.querySelectorAll('svg.icon:not(.empty-icon)')) {
      const row = icon.parentElement;
      if (row === null || !isShown(icon)) continue;
      const box = icon.getBoundingClientRect();
      const line = firstLine(row, icon);
      if (line !== null && line.left >= box.right - 1 && line.left - box.right < 24 && isOff(box, line))
        faults.push(`icon ${Math.round(middleOf(box) - middleOf(line))} px below its text: ${nameOf(row)}`);
    }

    for (const row of document.querySelectorAll('table.facts tr')) {
      const lines = [...row.children].flatMap((cell) => {
        const line = cell.querySelector('.button') === null ? firstLine(cell) : null;
        return line === null ? [] : [line];
      });
      for (const button of row.querySelectorAll('.button')) {
        const box = button.getBoundingClientRect();
        const off = isShown(button) ? lines.find((line) => isOff(box, line)) : undefined;
        if (off !== undefined)
          faults.push(`button ${Math.round(middleOf(box) - middleOf(off))} px below its row: ${nameOf(row)}`);
      }
    }

    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { overflowX, textOverflow } = getComputedStyle(element);
      if (overflowX !== 'hidden' || element.scrollWidth <= element.clientWidth + 1 || !isShown(element))
        continue;
      if (element.matches('input, select, .strip-ruler')) continue;
      if (textOverflow !== 'ellipsis') faults.push(`cut without a sign: ${nameOf(element)}`);
      else if (element.closest('[title]') === null && element.querySelector('[title]') === null)
        faults.push(`cut, and nowhere whole: ${nameOf(element)}`);
    }

    for (const control of document.querySelectorAll('a, button, input, select, summary')) {
      if (!isShown(control)) continue;
      const { right } = control.getBoundingClientRect();
      for (let box = control.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== 'visible') break;
        if (box.matches('section, header, form, li, main') && right > box.getBoundingClientRect().right + 1) {
          faults.push(`sticks out of its box: ${nameOf(control)}`);
          break;
        }
      }
    }

    for (const page of document.querySelectorAll('html, .page')) {
      const wide = page.scrollWidth - page.clientWidth;
      if (wide > 0) faults.push(`${wide} px wider than the window: ${page.tagName} ${page.className}`);
    }

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.parentElement?.closest('code, pre, kbd, .mono, .diff, .number, textarea, option') != null)
        continue;
      const odd = /\d{4}-\d\d-\d\dT|(?<!process |[\d.:,-])\d{5,}/.exec(text.textContent ?? '');
      if (odd !== null) faults.push(`not written for users: ${text.textContent}`);
    }
    for (const element of document.querySelectorAll('[title]'))
      if (/\d{4}-\d\d-\d\dT/.test(element.getAttribute('title') ?? ''))
        faults.push(`a title not written for users: ${element.getAttribute('title')}`);
    return faults;
  });
}

/** What shows no ring, or one that is cut off at its side. */
export async function hiddenRings(page: Page): Promise<string[]> {
  // From here on the focus is the keyboard's, and visible.
  await page.keyboard.press('Tab');
  return await page.evaluate(() => {
    const stops = document.querySelectorAll<HTMLElement>(
      'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]',
    );
    return [...stops].flatMap((stop) => {
      stop.focus();
      if (document.activeElement !== stop) return [];
      const name = `${stop.tagName}.${stop.className} ${stop.textContent?.slice(0, 40)}`;
      const around: Element[] = [];
      for (let one: Element | null = stop; one !== null; one = one.parentElement) around.push(one);
      // A card or a label may stand for what it holds.
      const ringed = around.findIndex((one) => getComputedStyle(one).outlineStyle !== 'none');
      const shown = around[ringed];
      if (shown === undefined) return [`no ring: ${name}`];
      const { outlineWidth, outlineOffset } = getComputedStyle(shown);
      const beyond = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const { left, right } = shown.getBoundingClientRect();
      const cuts = around.slice(ringed + 1).some((one) => {
        if (getComputedStyle(one).overflowX === 'visible') return false;
        const from = one.getBoundingClientRect().left + one.clientLeft;
        const to = from + one.clientWidth;
        // What is scrolled out of sight itself is no fault of its ring.
        if (left < from - 1 || right > to + 1) return false;
        return left - beyond < from - 1 || right + beyond > to + 1;
      });
      return cuts ? [`a ring that is cut off: ${name}`] : [];
    });
  });
}
