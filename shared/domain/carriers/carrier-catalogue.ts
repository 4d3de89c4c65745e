import { nearestName } from '../nearest.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import { type Carrier, carriers } from './known-carriers.ts';
import { type ConnectorCode, connectorCodes } from './known-connectors.ts';

export { type Carrier, type ConnectorCode, carriers, connectorCodes };

/** Plays the journeys of test shipments. It calls no carrier and supports every carrier in every mode. */
export const testConnector = 'test';

/** Every refresh queue: one per carrier connector, and the one for test shipments. */
export const refreshQueues = [...connectorCodes, testConnector] as const;

const carrierByName = new Map(
  carriers.flatMap((carrier) => carrierNames(carrier).map((name) => [lookupName(name), carrier] as const)),
);

/** The carrier with this code, alias, AWB prefix, SMDG code or name. Ignores case, spaces and hyphens. */
export function findCarrier(code: string): Carrier | null {
  return carrierByName.get(lookupName(code)) ?? null;
}

/** The carrier that a misspelled code or name most likely means. Null: none is close. */
export function nearestCarrier(sent: string): Carrier | null {
  const name = nearestName(sent, carriers.flatMap(carrierNames));
  return name === null ? null : findCarrier(name);
}

/**
 * The carriers of a mode whose code, name or alias contains `q`, in catalogue order. Null: any. Ignores case and
 * separators.
 */
export function searchCarriers({
  transportMode,
  q,
}: {
  transportMode: TransportMode | null;
  q: string | null;
}): Carrier[] {
  const sought = q === null ? null : lookupName(q);
  return carriers.filter(
    (carrier) =>
      (transportMode === null || carrier.modes.includes(transportMode)) &&
      (sought === null || carrierNames(carrier).some((name) => lookupName(name).includes(sought))),
  );
}

/** The connector for this carrier in this mode. Null: there is none. */
export function connectorFor(carrierCode: string, transportMode: TransportMode): ConnectorCode | null {
  const carrier = findCarrier(carrierCode);
  return carrier?.modes.includes(transportMode) ? carrier.connector : null;
}

function carrierNames(carrier: Carrier): string[] {
  return [
    carrier.code,
    carrier.name,
    ...carrier.aliases,
    ...carrier.awbPrefixes,
    ...(carrier.smdg === null ? [] : [carrier.smdg]),
  ];
}

function lookupName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}
