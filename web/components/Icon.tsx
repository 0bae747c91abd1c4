/** The page's icons: 16 px, drawn with the text's colour, never the only carrier of a meaning. */
const PATHS = {
  chevron: 'M6 4l4 4-4 4',
  file: 'M4 2.5h5L12 5.500V13.500H4zM9 2.500V5.500H12',
  folder: 'M2 4.500h4l1.500 1.500H14v7H2z',
  link: 'M7 9l2-2M6.500 5.500L8 4a2.500 2.500 0 013.500 3.500L10 9M9.500 10.500L8 12A2.500 2.500 0 014.500 8.500L6 7',
  package: 'M8 2l5.500 3v6L8 14l-5.500-3V5zM2.500 5L8 8l5.500-3M8 8v6',
  search: 'M7 12A5 5 0 107 2a5 5 0 000 10zM10.600 10.600L14 14',
  warning: 'M8 2.500L14.500 13.500h-13zM8 6.500v3.500M8 11.800v.2',
  check: 'M3 8.500l3.200 3.200L13 5',
  close: 'M4 4l8 8M12 4l-8 8',
  refresh: 'M13 8a5 5 0 11-1.500-3.500M13 2.500V5h-2.500',
  sun: 'M8 11a3 3 0 100-6 3 3 0 000 6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.500 9.500A6 6 0 016.500 2.500a6 6 0 107 7z',
  auto: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 2v12',
  keyboard: 'M1.500 4.500h13v7h-13zM4 7h.5M6.500 7H7M9 7h.5M11.500 7h.5M5 9.500h6',
  undo: 'M5.500 3L2.500 6l3 3M3 6h6.500a3.500 3.500 0 010 7H6',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8.500 10.500h3',
  split: 'M2 3h12v10H2zM8 3v10',
  rows: 'M2 3h12v10H2zM2 8h12',
  wrap: 'M2 4h12M2 8h9.500a2 2 0 010 4H8M9.500 10.500L8 12l1.500 1.500M2 12h3',
  shield: 'M8 1.800l5 1.800v4.200c0 3-2 5.300-5 6.400-3-1.100-5-3.400-5-6.400V3.600z',
  flag: 'M4 14V2.500h7.500L9.800 5.500 11.500 8.500H4',
  off: 'M8 2a6 6 0 100 12A6 6 0 008 2zM4 4l8 8',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, class: className = '' }: { name: IconName; class?: string }) {
  return (
    <svg
      class={`icon ${className}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
