import { nearestName } from '../nearest.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import { type Carrier, carriers } from './known-carriers.ts';
import { type ConnectorCode, connectorCodes } from './known-connectors.ts';

export { type Carrier, type ConnectorCode, carriers, connectorCodes };

/** Plays the shipments of test keys; it is no carrier's, asks nobody and follows every carrier in every mode. */
export const testConnector = 'test';

/** Every queue of refreshes: the carriers' and the one of test shipments. */
export const refreshQueues = [...connectorCodes, testConnector] as const;

const carrierByName = new Map(
  carriers.flatMap((carrier) => carrierNames(carrier).map((name) => [lookupName(name), carrier] as const)),
);

/** The carrier with this code, alias, AWB prefix, SMDG code or name; case, spaces and hyphens do not matter. */
export function findCarrier(code: string): Carrier | null {
  return carrierByName.get(lookupName(code)) ?? null;
}

/** The carrier that a misspelt code or name most likely means, or null when none is near. */
export function nearestCarrier(sent: string): Carrier | null {
  const name = nearestName(sent, carriers.flatMap(carrierNames));
  return name === null ? null : findCarrier(name);
}

/** The carriers of a mode whose code, name or alias contains `q`, in the catalogue's order; null: any. Case and separators do not matter. */
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

/** The connector that follows this carrier in this mode, or null when none does. */
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
