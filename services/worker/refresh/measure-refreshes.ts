import { carrierLabel } from '#shared/domain/carriers/carrier-label.ts';
import type { RefreshOutcome } from '#shared/domain/shipments/shipment.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { addTo, recordSeconds } from '#shared/telemetry/instruments.ts';

/** Counts a committed look, with its delay after the moment that was planned; `nowMs` is this process's clock. Test shipments count nowhere. */
export function measureRefresh(subject: RefreshSubject, outcome: RefreshOutcome, nowMs: number): void {
  if (subject.test) return;
  const carrier = carrierLabel(subject.carrier);
  addTo('landfall.refresh.count', 1, { carrier, outcome });
  if (subject.dueAt === undefined) return;
  recordSeconds('landfall.refresh.lag', (nowMs + subject.clockOffsetMs - Date.parse(subject.dueAt)) / 1000, {
    carrier,
  });
}

/** Writes that the database refused because their epoch had moved on. */
export function measureRefused(writes: number): void {
  if (writes > 0) addTo('landfall.writes.stale_refused', writes, {});
}
