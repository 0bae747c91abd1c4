/** Virtual rows of one height in a scrolling box. */
import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualRows {
  items: VirtualItem[];
  /** Of all rows, px. */
  height: number;
  scrollTo(index: number): void;
}

const OVERSCAN = 12;

/** The row with the index `kept` stays in the page when scrolled out, so that it keeps the focus. */
export function useVirtual(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  kept?: number,
): VirtualRows {
  const [, redraw] = useReducer((n: number, _: undefined) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: OVERSCAN,
    rangeExtractor: (range: Range) => withRow(defaultRangeExtractor(range), kept, count),
    onChange: () => redraw(undefined),
  };
  const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtual.setOptions({ ...virtual.options, ...options });
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  // Row positions depend on the height.
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  useLayoutEffect(() => virtual._willUpdate());
  return {
    items: virtual.getVirtualItems(),
    height: virtual.getTotalSize(),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}

function withRow(indices: number[], kept: number | undefined, count: number): number[] {
  if (kept === undefined || kept >= count || indices.includes(kept)) return indices;
  return [...indices, kept].sort((a, b) => a - b);
}
