import { shownEvent } from '#shared/domain/feed/change.ts';
import type { Journey } from '#shared/domain/shipments/shipment.ts';
import type { JourneyText } from '#shared/domain/shipments/stored-record.ts';
import { dictionaryOf, packText, unpackText } from '../packing/pack-text.ts';

type GrowingLists = Pick<Journey, 'events' | 'etaHistory'>;

/** A journey as `shipments.record` holds it: whole, or without the lists that `packed_events` holds. */
export type StoredJourney = Omit<Journey, keyof GrowingLists> & Partial<GrowingLists>;

/** The columns of a journey. */
export type JourneyColumns = {
  record: StoredJourney;
  packedEvents: Buffer | null;
  packedText: Buffer | null;
  journeyShape: number | null;
};

/**
 * The journey as it is stored: what lists and refreshes read as jsonb, its events and the text that clients receive
 * packed. Without a text it is stored whole. Events keep what clients are shown.
 */
export function packJourney(journey: Journey, text: JourneyText | null): JourneyColumns {
  if (text === null) return { record: journey, packedEvents: null, packedText: null, journeyShape: null };
  const { events: _events, etaHistory: _etaHistory, ...record } = journey;
  return {
    record,
    packedEvents: packText(eventsText(journey), dictionaryOf('record')),
    packedText: packText(text.text, dictionaryOf('record')),
    journeyShape: text.shape,
  };
}

/** What `packJourney` packs of the events. */
export function eventsText({ events, etaHistory }: Journey): string {
  return JSON.stringify({ events: events.map(shownEvent), etaHistory });
}

/** The whole journey of a row. */
export function unpackJourney(record: StoredJourney, packedEvents: Uint8Array | null): Journey {
  const { events, etaHistory, ...rest } = record;
  // A record with its events was written by a release that doesn't pack.
  if (events !== undefined) return { ...rest, events, etaHistory: etaHistory ?? [] };
  if (packedEvents === null) throw new Error('the events of a journey are missing');
  return { ...rest, ...(JSON.parse(unpackText(packedEvents)) as GrowingLists) };
}
