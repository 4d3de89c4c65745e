import { entryOf } from '#shared/domain/entry-of.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import type { WrittenPlace } from '../edi-place.ts';
import type { DraftEvent } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';

/** References of a message, and of a status, that are looked at. */
const maxReferences = 50;

/** A stretch of the transport (TDT) with its places (LOC), each with its dates. */
export type Stretch = { transport: Segment; places: { location: Segment; dates: Segment[] }[] };

/** One status (STS) with what belongs to it. */
export type StatusGroup = {
  status: Segment;
  references: Segment[];
  dates: Segment[];
  places: Segment[];
  texts: Segment[];
  units: Segment[];
  pieces: Segment[];
  stretches: Stretch[];
  last: Segment;
};

/** One consignment (CNI) with its statuses. `places` stand before the first status. */
export type Consignment = { header: Segment | null; places: Segment[]; statuses: StatusGroup[] };

/** The header of an IFTSTA and its consignments. Segments that say nothing about where the cargo is are left out. */
export type IftstaGroups = { references: Segment[]; places: Segment[]; consignments: Consignment[] };

/** Sorts the segments of an IFTSTA into its groups (D.95B and later: the same order of groups throughout). */
export function groupIftsta(segments: readonly Segment[]): IftstaGroups {
  const groups: IftstaGroups = { references: [], places: [], consignments: [] };
  let consignment: Consignment | null = null;
  let status: StatusGroup | null = null;
  let stretch: Stretch | null = null;
  for (const segment of segments) {
    if (segment.tag === 'CNI') {
      consignment = { header: segment, places: [], statuses: [] };
      groups.consignments.push(consignment);
      status = null;
      stretch = null;
    } else if (segment.tag === 'STS') {
      // Some senders leave CNI out where there is one consignment.
      if (consignment === null) {
        consignment = { header: null, places: [], statuses: [] };
        groups.consignments.push(consignment);
      }
      status = { ...emptyGroup(), status: segment, last: segment };
      consignment.statuses.push(status);
      stretch = null;
    } else if (segment.tag === 'TDT' && status !== null) {
      stretch = { transport: segment, places: [] };
      status.stretches.push(stretch);
    } else if (status === null) {
      if (segment.tag === 'RFF' && groups.references.length < maxReferences) groups.references.push(segment);
      if (segment.tag === 'LOC') (consignment ?? groups).places.push(segment);
    } else addTo(status, stretch, segment);
    if (status !== null && segment.tag !== 'UNT') status.last = segment;
  }
  return groups;
}

function emptyGroup(): Omit<StatusGroup, 'status' | 'last'> {
  return { references: [], dates: [], places: [], texts: [], units: [], pieces: [], stretches: [] };
}

function addTo(status: StatusGroup, stretch: Stretch | null, segment: Segment): void {
  if (segment.tag === 'RFF') {
    if (status.references.length < maxReferences) status.references.push(segment);
  } else if (segment.tag === 'FTX') status.texts.push(segment);
  else if (segment.tag === 'EQD') status.units.push(segment);
  else if (segment.tag === 'PCI' || segment.tag === 'GIN') status.pieces.push(segment);
  else if (segment.tag === 'LOC' && stretch !== null) stretch.places.push({ location: segment, dates: [] });
  else if (segment.tag === 'LOC') status.places.push(segment);
  else if (segment.tag === 'DTM' && stretch !== null && status.units.length === 0)
    stretch.places.at(-1)?.dates.push(segment);
  else if (segment.tag === 'DTM') status.dates.push(segment);
}

/** A place of a LOC segment. Its code is a UN/LOCODE unless its list says otherwise (`16`: postal code). */
export function placeOfLoc(location: Segment): WrittenPlace {
  const [code, list] = [part(location, 2, 1), part(location, 2, 2)];
  const isPostal = list === '16';
  // The related place (C519) is a country, or a terminal or berth at the place.
  const [related, relatedName] = [part(location, 3, 1), part(location, 3, 4)];
  const country = related ?? relatedName;
  const isCountry =
    country !== null &&
    (part(location, 3, 2) === '162' || (part(location, 3, 2) === null && countryCode(country) !== null));
  return {
    unlocode: isPostal || code === null ? null : code,
    name: part(location, 2, 4),
    country: isCountry ? country : null,
    facility: isCountry ? null : (relatedName ?? related),
  };
}

const modes: Readonly<Record<string, TransportMode>> = {
  '1': 'ocean',
  '2': 'rail',
  '3': 'road',
  '4': 'air',
  '8': 'ocean',
};

/** The mode of a stretch (element 8067). Null: it states none, or one that Landfall doesn't have. */
export function modeOfTdt({ transport }: Stretch): TransportMode | null {
  return entryOf(modes, part(transport, 3, 1)) ?? null;
}

/** The vehicle of a stretch: its name, the voyage or flight, and the IMO number where the id is one. */
export function vehicleOfTdt(
  stretch: Stretch,
  mode: TransportMode | null = modeOfTdt(stretch),
): NonNullable<DraftEvent['vehicle']> | null {
  const { transport } = stretch;
  if (mode === 'road') return null;
  const voyage = part(transport, 2, 1);
  const [id, name] = [part(transport, 8, 1), part(transport, 8, 4)];
  const imo = mode === 'ocean' && id !== null && /^(IMO)?\d{7}$/.test(id) ? id.slice(-7) : null;
  if (voyage === null && name === null && imo === null) return null;
  return { name, imo, voyage: mode === 'air' ? null : voyage, flight: mode === 'air' ? voyage : null };
}
