/** How diffs are looked at in this tab: stays from entry to entry, and is not kept. */
import { signal } from '@preact/signals';
import type { Spaces } from '../../shared/model/diff.ts';

export const spaces = signal<Spaces>('exact');

/** What came of the last thing that was done with the entry on show; null = nothing is to be said. */
export const told = signal<string | null>(null);
