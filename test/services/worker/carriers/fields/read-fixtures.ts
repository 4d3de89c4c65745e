import { readdirSync, readFileSync } from 'node:fs';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import { cannedCarrier, parcelSubject, readingOf } from '../canned-carrier.ts';
import { fetchOnce, freightSubject } from '../freight/simulated-carrier.ts';

const folder = 'test/fixtures/carrier-fields';

/** All responses in the carrier's folder of test/fixtures/carrier-fields. */
export function responsesOf(carrier: string): unknown[] {
  return readdirSync(`${folder}/${carrier}`)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(`${folder}/${carrier}/${name}`, 'utf8')));
}

/** Reads a response through a parcel connector, as the answer to a query for this number. */
export function readThrough(connector: Connector, number: string): (response: unknown) => Promise<Reading> {
  return (response) =>
    readingOf(
      connector,
      cannedCarrier(() => ({ body: JSON.stringify(response) }), { simulated: true }).ctx,
      parcelSubject(number),
    );
}

/**
 * Reads a response through a freight connector. `answerTo` gives the body for each address that the connector asks;
 * undefined is 404.
 */
export function readFreight(
  connector: Connector,
  mode: TransportMode,
  identifiers: Identifiers,
  answerTo: (response: unknown) => (url: URL) => unknown,
): (response: unknown) => Promise<Reading> {
  return async (response) => {
    const answer = answerTo(response);
    const { ctx } = cannedCarrier(
      ({ url }) => {
        const body = answer(url);
        return body === undefined ? { status: 404, body: '{}' } : { body: JSON.stringify(body) };
      },
      { simulated: true, authUrl: null, apiKey: 'key' },
    );
    const refresh = await fetchOnce(connector, ctx, freightSubject(mode, identifiers));
    if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
    return refresh.reading;
  };
}
