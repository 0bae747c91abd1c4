/** The body that changes settings. A field that is missing stays as it is; one that is not known is refused. */
import * as z from 'zod';
import { DENSITIES, EDITORS, type EditorId, LAYOUTS, TAB_WIDTHS, THEMES } from './settings.ts';

const editors = Object.keys(EDITORS) as [EditorId, ...EditorId[]];

export const settingsBody = z
  .strictObject({
    theme: z.enum(THEMES),
    density: z.enum(DENSITIES),
    layout: z.enum(LAYOUTS),
    wrap: z.boolean(),
    tabWidth: z.literal([...TAB_WIDTHS]),
    editor: z.enum(editors),
    keys: z.boolean(),
    newestFirst: z.boolean(),
    notify: z.boolean(),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'nothing to change');

/** Whose project the doctor looks at, too. The id is looked up, and never becomes a path. */
export const doctorQuery = z.strictObject({ session: z.string().min(1).max(64).optional() });
