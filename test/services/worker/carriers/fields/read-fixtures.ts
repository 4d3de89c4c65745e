import { readdirSync, readFileSync } from 'node:fs';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import type { Reading } from '#shared/domain/tracking/event.ts';
import { cannedCarrier, parcelSubject, readingOf } from '../canned-carrier.ts';

const folder = 'test/fixtures/carrier-fields';

/** All responses in test/fixtures/carrier-fields whose names start with the carrier's. */
export function responsesOf(carrier: string): unknown[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${carrier}-`) && name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
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
