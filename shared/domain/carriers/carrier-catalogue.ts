import type { TransportMode } from '../events/transport-mode.ts';
import { foldText } from '../fold-text.ts';
import { nearestNames } from '../nearest.ts';
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

/** Words that people leave out of a carrier's name or add to it. */
const usualWords = new Set(
  (
    'cargo skycargo worldcargo world air airlines airline airways line lines shipping freight logistics carriers express ' +
    'container marine merchant transport transportation services service integrated company co ltd limited inc corp ' +
    'corporation ag as sa gmbh group enterprises ltl'
  ).split(' '),
);

/** Single words that say too little to name one carrier. */
const vagueNames = new Set(['atlantic', 'central', 'china', 'independent', 'pacific', 'post', 'virgin']);

/** The carrier of each short name that only one carrier has: `Qatar` for Qatar Airways Cargo. */
const carrierByShortName = new Map<string, Carrier | null>();
for (const carrier of carriers)
  for (const short of new Set([carrier.name, ...carrier.aliases].flatMap(shortNames))) {
    const known = carrierByShortName.get(short);
    carrierByShortName.set(short, known === undefined || known === carrier ? carrier : null);
  }

/**
 * The carrier that people call so: like `findCarrier`, also without or with words such as Cargo, Airways, Line or AG.
 * Null also if several carriers are called so.
 */
export function findCarrierByName(name: string): Carrier | null {
  const exact = findCarrier(name);
  if (exact !== null) return exact;
  for (const short of shortNames(name)) {
    const carrier = findCarrier(short) ?? carrierByShortName.get(lookupName(short)) ?? null;
    if (carrier !== null) return carrier;
  }
  return null;
}

/** The name without its last words one after the other, as long as those are usual ones, in the form of `lookupName`. */
function shortNames(name: string): string[] {
  const words = foldText(name)
    .slice(0, 100)
    .replace(/a\/s\b/g, 'as')
    .split(/[^\p{L}\p{N}+&]+/u)
    .filter((word) => word !== '' && word !== 'the');
  const shorts = [words.join('')];
  while (words.length > 1 && usualWords.has(words.at(-1) ?? '')) {
    words.pop();
    shorts.push(words.join(''));
  }
  return shorts.map(lookupName).filter((short) => short.length > 2 && !vagueNames.has(short));
}

function spokenNames(carrier: Carrier): string[] {
  return [...carrierNames(carrier), ...carrier.aliases.flatMap(shortNames), ...shortNames(carrier.name)];
}

const maxNearest = 3;

/** The carriers that an unknown code or name may mean, nearest first, at most three. */
export function nearestCarriers(sent: string, among: readonly Carrier[] = carriers): Carrier[] {
  const names = nearestNames(foldText(sent), among.flatMap(spokenNames), maxNearest * 3);
  const found = names.map(findCarrierByName).filter((carrier) => carrier !== null);
  return [...new Set(found)].slice(0, maxNearest);
}

/** `Did you mean LH (Lufthansa Cargo)?`, or null if no known carrier is near. */
export function carrierHint(sent: string): string | null {
  const nearest = nearestCarriers(sent).map(({ code, name }) => `${code} (${name})`);
  return nearest.length === 0 ? null : `Did you mean ${nearest.join(' or ')}?`;
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
  return foldText(name).replace(/[\s_.-]/g, '');
}
