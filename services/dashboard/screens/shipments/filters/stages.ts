import type { WireOverview } from '#shared/contract/installation/overview-wire.ts';
import { overviewBounds } from '#shared/domain/lists/overview-bounds.ts';

/** A segment of the stage bar: one status, or several that are shown together. */
export type Stage = { key: string; name: string; glyph: string; statuses: readonly string[]; isClosed: boolean };

export const stages: readonly Stage[] = [
  { key: 'pending', name: 'Pending', glyph: 'pending', statuses: ['pending'], isClosed: false },
  { key: 'booked', name: 'Booked', glyph: 'booked', statuses: ['booked'], isClosed: false },
  { key: 'in_transit', name: 'In transit', glyph: 'in_transit', statuses: ['in_transit'], isClosed: false },
  { key: 'arrived', name: 'Arrived', glyph: 'arrived', statuses: ['arrived'], isClosed: false },
  {
    key: 'available',
    name: 'Available',
    glyph: 'available_for_pickup',
    statuses: ['available_for_pickup'],
    isClosed: false,
  },
  { key: 'out', name: 'Out for delivery', glyph: 'out_for_delivery', statuses: ['out_for_delivery'], isClosed: false },
  { key: 'delivered', name: 'Delivered', glyph: 'delivered', statuses: ['delivered'], isClosed: true },
  {
    key: 'closed',
    name: 'Other closed',
    glyph: 'cancelled',
    statuses: ['returned', 'failed', 'cancelled'],
    isClosed: true,
  },
];

export type StageCount = Stage & { count: number; late: number };

export function countStages(counts: WireOverview['statuses']): StageCount[] {
  return stages.map((stage) => {
    const its = counts.filter(({ status }) => stage.statuses.includes(status));
    return {
      ...stage,
      count: sum(its.map(({ count }) => count)),
      late: stage.isClosed ? 0 : sum(its.map(({ late }) => late)),
    };
  });
}

/** The number of late shipments that can still move. */
export function countLate(counts: WireOverview['statuses']): number {
  return sum(countStages(counts).map(({ late }) => late));
}

/** True when the count of late shipments is only a lower bound. */
export function isLateBound(counts: WireOverview['statuses']): boolean {
  return counts.some(({ late }) => late >= overviewBounds.late);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
