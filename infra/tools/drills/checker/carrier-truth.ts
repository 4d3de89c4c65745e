import type { Answer } from './api-client.ts';
import { dcsaMeanings } from './dcsa-meanings.ts';
import { askedNumber, type Entry } from './ledger.ts';

/** An actual event as the simulated carrier planned it, never as it was served. */
type TrueEvent = { code: string; at: string; place: string | null; container: string | null };
export type Truth = { status: string; events: TrueEvent[] };

const meant = new Set(Object.values(dcsaMeanings));

/** Reads the events of a shipment from the simulated carrier's own plan. Null: the carrier was never asked. */
export async function readTruth(simulatorUrl: string, entry: Entry): Promise<Truth | null> {
  const response = await fetch(`${simulatorUrl}/control/served?number=${askedNumber(entry)}`, {
    // The simulator may close idle connections between two calls.
    headers: { connection: 'close' },
  });
  const { byConnector } = (await response.json()) as { byConnector: Record<string, { truth: Truth | null }> };
  return Object.values(byConnector).find(({ truth }) => truth !== null)?.truth ?? null;
}

/** Names each difference between the recorded events and the carrier's truth. */
export function compareEvents(truth: Truth, recorded: readonly Answer['body'][]): string[] {
  const kept = recorded.filter(
    ({ classifier, flags, superseded_by }) => classifier === 'actual' && flags.length === 0 && superseded_by === null,
  );
  const known = new Set(truth.events.map((event) => keyOf({ ...event, code: dcsaMeanings[event.code] ?? '' })));
  const keys = kept.map((event) =>
    keyOf({ ...event, at: event.time.at, place: event.location?.unlocode ?? null, code: event.code }),
  );
  const keySet = new Set(keys);
  const ids = recorded.map(({ event_id }) => event_id);
  return [
    ...[...known].filter((key) => !keySet.has(key)).map((key) => `missing: ${key}`),
    ...[...keySet].filter((key) => !known.has(key)).map((key) => `surplus: ${key}`),
    ...keys
      .filter((key, index) => meant.has(key.split(' ')[0] ?? '') && keys.indexOf(key) !== index)
      .map((key) => `twice: ${key}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: ${id}`),
  ];
}

/** To the minute. A vessel's event has one place, which the API may know better than the carrier's document. */
function keyOf({ code, at, place, container }: TrueEvent): string {
  const minute = new Date(Math.floor(Date.parse(at) / 60_000) * 60_000).toISOString().slice(0, 16);
  return [meant.has(code) ? code : 'other', minute, container ?? '', container === null ? '' : place].join(' ');
}
