import { estimateShare, type WayEstimate } from '#shared/domain/positions/estimate-share.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { endMsOf } from '#shared/domain/record/lateness.ts';
import { pointsAlong } from './along-way.ts';
import type { RouteLine } from './route-line.ts';
import { isSamePlace, type Stop } from './stops.ts';

/** A point of the drawn line, by the clock alone. `to`: the stop ahead. `arrivesAt`: its ETA, ISO UTC. */
export type RouteEstimate = WayEstimate & { at: LngLat; to: Stop; arrivesAt: string };

/**
 * Estimates the present position on the line from the departure and the ETA of the leg under way. Null: a position is
 * known since the departure, no leg is under way, or it has no usable ETA.
 */
export function estimateOnRoute({ ports, ahead, position }: RouteLine, nowMs: number): RouteEstimate | null {
  if (position !== null && !position.isAtPort) return null;
  const here = ports.findLastIndex(({ stop }) => stop.state !== 'ahead');
  const leg = ports[here]?.stop.onward ?? null;
  const next = ports[here + 1]?.stop;
  const departed = leg?.departure.actual ?? null;
  const arrives = leg?.arrival.estimated ?? leg?.arrival.planned ?? null;
  if (leg === null || next === undefined || departed === null || arrives === null) return null;
  if (leg.arrival.actual !== null || leg.to === null || !isSamePlace(leg.to, next.place)) return null;
  const arrivesAt = new Date(endMsOf(arrives)).toISOString();
  const estimate = estimateShare({ departedAt: departed.at, arrivesAt }, nowMs);
  // The first line ahead is that of the leg under way.
  return estimate && { ...estimate, at: pointsAlong(ahead[0] ?? [])(estimate.share), to: next, arrivesAt };
}
