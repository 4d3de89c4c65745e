/** Decorative: its meaning is in the text beside it, or in the label of its control. */
export function Icon({ name, size = 18, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth={(1.35 * 18) / size}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className === undefined ? 'shrink-0' : `shrink-0 ${className}`}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}

/** Line icons on an 18 px grid, stroke 1.35, in the colour of the surrounding text. */
export const iconPaths = {
  landfall: 'M2 12.5h14M5 15.5h8M5.5 12.5a3.5 3.5 0 0 1 7 0M9 3.5v2.4M4 6l1.4 1.4M14 6l-1.4 1.4',
  shipments: 'M9 2 15.5 5.5v7L9 16l-6.500-3.5v-7zM2.700 5.600 9 9l6.300-3.400M9 9v7',
  failures: 'M9 2.700 16.200 15.300H1.800zM9 7.500v3.700M9 13.200v.1',
  map: 'M2 4.500 6.700 2.700l4.600 1.800L16 2.700v10.800l-4.700 1.800-4.600-1.800L2 15.300zM6.700 2.700v10.800M11.300 4.500v10.800',
  carriers:
    'M9 5.600V16M9 5.600a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600M6 8h6M2.500 10.500C3 14 5.600 16 9 16s6-2 6.500-5.500M1.500 12l1-1.700 1.800 1M16.500 12l-1-1.700-1.800 1',
  analytics: 'M2.500 2.500v13h13M6 12.500V9M9.500 12.500V6M13 12.500V4',
  operations: 'M1.500 9.500h3.300l2.400-6 3.600 11 2.200-5h3.500',
  developers: 'M6 4.500 1.500 9 6 13.500M12 4.500 16.500 9 12 13.500',
  configuration:
    'M2 5.500h8.500M14.500 5.500H16M2 12.500h1.500M7.500 12.500H16M12.500 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5.500 14.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  search: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11M12 12l4 4',
  plus: 'M9 3v12M3 9h12',
  minus: 'M3 9h12',
  whole:
    'M9 15.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M2.500 9h13M9 2.500c4 4 4 9 0 13M9 2.500c-4 4-4 9 0 13',
  calendar:
    'M2.500 4h13v11.500h-13zM2.500 7.500h13M6 2v3.500M12 2v3.500M6 10.500h.1M9 10.500h.1M12 10.500h.1M6 13h.1M9 13h.1',
  edit: 'M11.500 3.500 14.500 6.500 6 15H3v-3zM10 5l3 3',
  close: 'M4 4l10 10M14 4 4 14',
  check: 'M3.500 9.500 7 13l7.500-8',
  copy: 'M6.500 6.500h8.500v8.500H6.500zM11.500 6.500V3H3v8.500h3.500',
  down: 'M4.500 7 9 11.500 13.500 7',
  up: 'M4.500 11 9 6.500l4.500 4.500',
  right: 'M7 4.500 11.500 9 7 13.500',
  left: 'M11 4.500 6.500 9l4.500 4.500',
  refresh: 'M15 9a6 6 0 1 1-1.800-4.300L15 6.500M15 2.500v4h-4',
  more: 'M4 9h.1M9 9h.1M14 9h.1',
  sort: 'M5 3v12M2.500 12.500 5 15l2.500-2.500M13 15V3M10.500 5.500 13 3l2.500 2.500',
  filter: 'M2.500 5h13M5 9h8M7.500 13h3',
  lock: 'M4 8h10v7.500H4zM6 8V5.500a3 3 0 0 1 6 0V8',
  out: 'M7 3H3v12h4M11 5.500 14.500 9 11 12.500M14.500 9H7',
  download: 'M9 2.500v9M5.500 8 9 11.500 12.500 8M3 15.500h12',
  upload: 'M9 11.500v-9M5.500 6 9 2.500 12.500 6M3 15.500h12',
  columns: 'M2.500 3h13v12h-13zM7 3v12M11.500 3v12',
  archive: 'M2.500 3h13v3.500h-13zM3.500 6.500V15h11V6.500M7 9.500h4',
  tag: 'M2.500 2.500h6.500l6.500 6.500-6.500 6.500-6.500-6.500zM6 6h.1',
  bell: 'M4 12.500V8a5 5 0 0 1 10 0v4.500l1.500 1.500h-13zM7.500 14a1.500 1.500 0 0 0 3 0',
  people:
    'M7 8.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5M2 15c0-3 2-4.500 5-4.500s5 1.500 5 4.500M12 3.800a2.500 2.500 0 0 1 0 4.500M13 10.800c2 .5 3 2 3 4.200',
  bookmark: 'M4.500 2.500h9v13L9 12l-4.500 3.500z',
  sun: 'M9 12.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M9 1.500V3M9 15v1.500M1.500 9H3M15 9h1.500M3.700 3.700l1 1M13.300 13.300l1 1M3.700 14.300l1-1M13.300 4.700l1-1',
  ocean: 'M2 11h14l-1.800 4H4.200zM4.500 11V7h9v4M7 7V4h4v3',
  air: 'M9 2c1 0 1.300 1.200 1.300 2.500v2.700L16 11v1.500l-5.700-1.800v3.100l1.700 1.400V16.500L9 15.700l-3 .8v-1.300l1.700-1.400v-3.100L2 12.500V11l5.700-3.800V4.500C7.700 3.200 8 2 9 2z',
  road: 'M1.500 4h9v8.500h-9zM10.500 7h3.500l2.500 3v2.500h-6M5 14.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3M13 14.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3',
  rail: 'M4 2.500h10v9.500H4zM4 8h10M6.500 10.200v.1M11.500 10.200v.1M6.500 12l-2 4M11.500 12l2 4M5.300 14.500h7.400',
  parcel: 'M3 5.500h12V15H3zM3 5.500 5 3h8l2 2.500M7.500 5.500v3h3v-3',
} as const;

export type IconName = keyof typeof iconPaths;

/** By transport mode. */
export const modeIcons: Record<string, IconName> = {
  ocean: 'ocean',
  air: 'air',
  road: 'road',
  rail: 'rail',
  parcel: 'parcel',
};
