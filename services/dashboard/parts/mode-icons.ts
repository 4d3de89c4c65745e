import type { IconName } from './icon.tsx';

/** By transport mode. */
export const modeIcons: Record<string, IconName> = {
  ocean: 'ocean',
  air: 'air',
  road: 'road',
  rail: 'rail',
  parcel: 'parcel',
};
