import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { dictionaryOf, packText, unpackText } from './pack-text.ts';
import { sortJson } from './sort-json.ts';

/** The distinct raw values of a reading's new events, as `landfall.readings` has them. */
export type RawList = { packed: Buffer; indexes: (number | null)[] };

/**
 * Packs raw values, each once; null or undefined: there is none. `indexes` says for each which one of the list
 * it is. `family` is that of the connector that read them. Null: there are none at all.
 */
export function packRaws(raws: readonly unknown[], family: string): RawList | null {
  const places = new Map<string, number>();
  const indexes = raws.map((raw) => {
    if (raw === null || raw === undefined) return null;
    const text = sortJson(raw);
    const index = places.get(text) ?? places.size;
    places.set(text, index);
    return index;
  });
  if (places.size === 0) return null;
  return { packed: packText(`[${[...places.keys()].join(', ')}]`, rawDictionaryOf(family)), indexes };
}

/** The values of a packed list. `textLength`: characters of all of them as JSON. */
export function unpackRaws(packed: Uint8Array): { values: unknown[]; textLength: number } {
  const text = unpackText(packed);
  return { values: JSON.parse(text), textLength: text.length };
}

/** The carriers of a connector share their modes. A family such as `dcsa:maersk` is one of ocean lines. */
const modeOf: ReadonlyMap<string | null, TransportMode | undefined> = new Map(
  carriers.map(({ connector, modes }) => [connector, modes[0]]),
);

function rawDictionaryOf(family: string): number {
  const [first = ''] = family.split(':', 1);
  const mode = modeOf.get(first) ?? 'ocean';
  if (mode === 'ocean' || mode === 'air') return dictionaryOf(mode);
  return dictionaryOf('parcel');
}
