import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { ClockKind } from '#shared/domain/events/stated-free-time.ts';

/** A last free day that was set by hand. */
export type ManualDay = { container: string; kind: ClockKind; day: string };

/** All days of a shipment that were set by hand. */
export function manualDaysOf({ containers }: Pick<WireShipment, 'containers'>): ManualDay[] {
  return containers.flatMap(({ number, clocks }) =>
    clocks.flatMap(({ kind, terms_source: source, last_free_day: day }) =>
      source === 'manual' && day !== null ? [{ container: number, kind: kind as ClockKind, day }] : [],
    ),
  );
}

/** The days with one of them set, or removed where `day` is null. */
export function withDay(
  days: readonly ManualDay[],
  { container, kind, day }: { container: string; kind: ClockKind; day: string | null },
): ManualDay[] {
  const others = days.filter((one) => one.container !== container || one.kind !== kind);
  return day === null ? others : [...others, { container, kind, day }];
}
