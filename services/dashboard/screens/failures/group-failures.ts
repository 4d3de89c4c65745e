import type { WireSummary } from '#shared/contract/shipments/shipment-schemas.ts';
import { type Actor, failureWords } from './failure-words.ts';

export type FailedShipment = Pick<
  WireSummary,
  'shipment_id' | 'transport_mode' | 'carrier' | 'identifiers' | 'reference' | 'created_at' | 'tracking'
>;

/** Shipments with the same tracking state and reason. */
export type FailureGroup = { key: string; state: string; reason: string | null; shipments: FailedShipment[] };

const actorOrder: readonly Actor[] = ['you', 'landfall', 'carrier'];
const stateOrder = ['failed', 'degraded', 'awaiting_carrier'];

/** What needs action from the user comes first, then the more serious state, then the larger group. */
export function groupFailures(shipments: readonly FailedShipment[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const shipment of shipments) {
    const { state, reason } = shipment.tracking;
    const key = `${state} ${reason ?? ''}`.trim();
    const group = groups.get(key) ?? { key, state, reason, shipments: [] };
    group.shipments.push(shipment);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (left, right) =>
      actorRank(left) - actorRank(right) ||
      stateOrder.indexOf(left.state) - stateOrder.indexOf(right.state) ||
      right.shipments.length - left.shipments.length ||
      left.key.localeCompare(right.key),
  );
}

function actorRank({ reason }: FailureGroup): number {
  return actorOrder.indexOf(failureWords(reason).actor);
}
