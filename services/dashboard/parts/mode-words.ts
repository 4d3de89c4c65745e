import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';

/** How goods travel, as people say it. */
export const modeWords: Record<TransportMode, string> = {
  ocean: 'Ocean',
  air: 'Air',
  road: 'Road',
  rail: 'Rail',
  parcel: 'Parcel',
};
