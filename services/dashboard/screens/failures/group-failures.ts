import type { WireSummary } from '#shared/contract/wire-schemas.ts';
import { type Actor, failureWords } from './failure-words.ts';

export type FailedShipment = Pick<
  WireSummary,
  'shipment_id' | 'transport_mode' | 'carrier' | 'identifiers' | 'reference' | 'created_at' | 'tracking'
>;

/** Shipments that are not followed for one reason, in one state. */
export type FailureGroup = { key: string; state: string; reason: string | null; shipments: FailedShipment[] };

const order: readonly Actor[] = ['you', 'us', 'carrier'];
const gravity = ['failed', 'degraded', 'awaiting_carrier'];

/** What needs somebody here first; then by how bad it is, then by how many. */
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
      rank(left) - rank(right) ||
      gravity.indexOf(left.state) - gravity.indexOf(right.state) ||
      right.shipments.length - left.shipments.length ||
      left.key.localeCompare(right.key),
  );
}

function rank({ reason }: FailureGroup): number {
  return order.indexOf(failureWords(reason).actor);
}

/** The number that people know a shipment by: the first that it has. */
export function mainIdentifier(identifiers: object): { kind: string; value: string } {
  const [kind = '', value = '–'] =
    Object.entries(identifiers as Record<string, string | null>).find(([, each]) => each !== null) ?? [];
  return { kind, value: value ?? '–' };
}
