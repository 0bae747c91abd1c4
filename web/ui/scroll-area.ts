/**
 * Spread on every box that scrolls and holds nothing to focus: without a tab stop of its own it could not be scrolled
 * by keyboard (axe: scrollable-region-focusable), which is the one case where a plain element gets one.
 */
export const scrolls = { tabIndex: 0 } as const;
