import type { Vehicle } from '../events/event.ts';
import type { VehiclePosition } from '../positions/vehicle-position.ts';

/** Null if nothing names the vehicle. */
export function withoutEmpty(vehicle: Vehicle): Vehicle | null {
  return Object.values(vehicle).every((part) => part === null) ? null : vehicle;
}

/** The latest of some positions. Of the same time, the one that came last. */
export function latestPosition(positions: readonly VehiclePosition[]): VehiclePosition | null {
  return positions.reduce<VehiclePosition | null>(
    (latest, one) => (latest === null || one.at >= latest.at ? one : latest),
    null,
  );
}
