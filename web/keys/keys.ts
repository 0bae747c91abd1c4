/**
 * The one table of shortcuts. shortcuts.ts listens on the page, matches presses against it (`matchKey`, with
 * sequences like `g t`) and runs the newest handler that a mounted view registered; the help dialog lists it.
 * Commit and discard have no key on purpose: they take a click, never one letter.
 */
export const KEYS = {
  'next-row': { keys: ['j'], section: 'Move', text: 'Next row' },
  'previous-row': { keys: ['k'], section: 'Move', text: 'Previous row' },
  'next-file': { keys: [']'], section: 'Move', text: 'Next file' },
  'previous-file': { keys: ['['], section: 'Move', text: 'Previous file' },
  'next-change': { keys: ['n'], section: 'Move', text: 'Next change, or place of a conflict' },
  'previous-change': { keys: ['p'], section: 'Move', text: 'Previous change, or place' },
  open: { keys: ['o', 'Enter'], section: 'Move', text: 'Open the row (o: a directory as a whole)' },
  toggle: { keys: ['z'], section: 'Move', text: 'Expand or collapse the row' },
  'to-shown': { keys: ['.'], section: 'Move', text: 'Reveal current file' },
  viewed: { keys: ['v'], section: 'Review', text: 'Mark viewed or not viewed (a directory: all below it)' },
  'viewed-next': { keys: ['V'], section: 'Review', text: 'Mark viewed & next' },
  select: { keys: ['x'], section: 'Select', text: 'Select the row (in the list: also Space)' },
  'select-range': { keys: ['X'], section: 'Select', text: 'Select all from the last one to this' },
  'search-text': { keys: ['s'], section: 'Find', text: 'Search the pending text' },
  filter: { keys: ['/'], section: 'Find', text: 'Filter' },
  'focus-tree': { keys: ['f'], section: 'Find', text: 'Go to the list (in the filter: Enter)' },
  layout: { keys: ['m'], section: 'Show', text: 'Unified or split diff' },
  wrap: { keys: ['w'], section: 'Show', text: 'Wrap long lines' },
  'copy-path': { keys: ['y'], section: 'Show', text: 'Copy the path of this file' },
  'link-line': { keys: ['l'], section: 'Show', text: 'Link to this line' },
  'open-editor': { keys: ['e'], section: 'Show', text: 'Open a copy in the editor' },
  refresh: { keys: ['r'], section: 'Show', text: 'Refresh' },
  'zoom-in': { keys: ['+', '='], section: 'Timeline', text: 'Zoom in' },
  'zoom-out': { keys: ['-'], section: 'Timeline', text: 'Zoom out' },
  'zoom-all': { keys: ['0'], section: 'Timeline', text: 'Show the whole session' },
  'go-sessions': { keys: ['g s'], section: 'Go to', text: 'Sessions' },
  'go-questions': { keys: ['g q'], section: 'Go to', text: 'Questions of Claude Code' },
  'go-doctor': { keys: ['g d'], section: 'Go to', text: 'Doctor' },
  'go-disk': { keys: ['g k'], section: 'Go to', text: 'Disk' },
  'go-rules': { keys: ['g r'], section: 'Go to', text: 'Permission rules' },
  'go-audit': { keys: ['g a'], section: 'Go to', text: 'What was decided' },
  settings: { keys: [','], section: 'Go to', text: 'Settings' },
  'go-files': { keys: ['g f'], section: 'Go to', text: 'Changed files' },
  'go-timeline': { keys: ['g t'], section: 'Go to', text: 'Timeline of calls' },
  'go-history': { keys: ['g h'], section: 'Go to', text: 'History of commits and discards' },
  'go-box': { keys: ['g b'], section: 'Go to', text: 'The box of the session, or all boxes' },
  'go-details': { keys: ['g i'], section: 'Go to', text: 'Details, and what runs' },
  'go-call': { keys: ['c'], section: 'Go to', text: 'The call that wrote this file' },
  help: { keys: ['?'], section: 'Help', text: 'This list' },
  escape: { keys: ['Escape'], section: 'Help', text: 'Close, or clear the filter' },
} as const satisfies Record<string, { keys: readonly string[]; section: string; text: string }>;

export type ShortcutId = keyof typeof KEYS;

export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  inField: boolean;
  onButton: boolean;
}

type KeyResult = { action: ShortcutId } | { prefix: string } | null;

const BY_KEY = new Map<string, ShortcutId>();
for (const id of Object.keys(KEYS) as ShortcutId[]) for (const key of KEYS[id].keys) BY_KEY.set(key, id);
const PREFIXES = new Set(
  [...BY_KEY.keys()].filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]),
);

/** `prefix`: first key of a sequence under way, or ''. Letters do nothing in fields or when switched off. */
export function matchKey(press: Press, prefix: string, enabled: boolean): KeyResult {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.key === 'Escape') return { action: 'escape' };
  if (!enabled || press.inField) return null;
  if (press.key === 'Enter' && press.onButton) return null;
  if (prefix !== '') {
    const action = BY_KEY.get(`${prefix} ${press.key}`);
    return action === undefined ? null : { action };
  }
  const action = BY_KEY.get(press.key);
  if (action !== undefined) return { action };
  return PREFIXES.has(press.key) ? { prefix: press.key } : null;
}
