import type { Journey } from '#shared/domain/record/shipment.ts';
import type { JourneyText } from '#shared/domain/record/stored-record.ts';
import { type GrowingLists, listsOfText } from './lists-of-text.ts';
import { dictionaryOf, packText, unpackText } from './pack-text.ts';
import { isHistoryText, readHistoryText } from './packed-history.ts';

/** A journey as `shipments.record` holds it: whole, or without the lists that `packed_journey` holds. */
export type StoredJourney = Omit<Journey, keyof GrowingLists> & Partial<GrowingLists>;

/** The columns of a journey. */
export type JourneyColumns = { record: StoredJourney; packedJourney: Buffer | null; journeyShape: number | null };

/** A fifth faster than level 3, for 2 % more bytes. Every refresh with news packs. */
const level = 1;

/**
 * The journey as it is stored: what lists and refreshes read as jsonb, and packed the text that clients receive, which
 * has its events. Without a text it is stored whole.
 */
export function packJourney(journey: Journey, text: JourneyText | null): JourneyColumns {
  if (text === null) return { record: journey, packedJourney: null, journeyShape: null };
  const { events: _events, etaHistory: _etaHistory, ...record } = journey;
  return { record, packedJourney: packText(text.text, dictionaryOf('record'), level), journeyShape: text.shape };
}

/**
 * The whole journey of a row. Its events have what clients are shown. `packed`: the journey, or the history of a settled
 * shipment.
 */
export function unpackJourney(record: StoredJourney, packed: Uint8Array | null): Journey {
  const { events, etaHistory, ...rest } = record;
  // A record with its events was written without packing.
  if (events !== undefined) return { ...rest, events, etaHistory: etaHistory ?? [] };
  if (packed === null) throw new Error('the events of a journey are missing');
  const text = unpackText(packed);
  // Events of a record have more fields, which nobody reads of a stored one.
  return { ...rest, ...((isHistoryText(text) ? readHistoryText(text).journey : listsOfText(text)) as GrowingLists) };
}
