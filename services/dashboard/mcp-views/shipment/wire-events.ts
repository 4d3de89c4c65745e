import type { DetailsResult } from '#shared/contract/mcp/details-result.ts';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import { type Points, placeOf, timeOf } from '../result-texts.ts';

export type WireEvents = { events: WireEvent[]; evidenceId: string; latest: WireEvent | null };

/**
 * The events of a result as those of a record, with the one that decides the status: where the result leaves it out of
 * its events, it says the code and the time of it.
 */
export function wireEvents(result: DetailsResult, points: Points): WireEvents {
  const listed = result.events.flatMap((event, index) => eventOf(event, `event ${index}`, points) ?? []);
  const actual = listed.filter(({ classifier, flags }) => classifier === 'actual' && flags.length === 0);
  const latest = actual.toSorted((left, right) => Date.parse(right.time.at) - Date.parse(left.time.at))[0] ?? null;
  const { status_evidence: evidence } = result;
  if (evidence === undefined) return { events: listed, evidenceId: '', latest };
  const at = timeOf(evidence.at)?.at;
  const known = actual.find(({ code, time }) => code === evidence.code && (at === undefined || time.at === at));
  if (known !== undefined) return { events: listed, evidenceId: known.event_id, latest };
  const added =
    evidence.at === undefined
      ? null
      : eventOf({ ...noEvent, ...evidence, at: evidence.at }, 'event of the status', points);
  return {
    events: added === null ? listed : [...listed, added],
    evidenceId: added?.event_id ?? '',
    latest: latest ?? added,
  };
}

const noEvent = {
  classifier: undefined,
  status_detail: undefined,
  facility: undefined,
  container: undefined,
  containers: undefined,
  piece: undefined,
  pieces: undefined,
  vehicle: undefined,
  flags: [],
  description: undefined,
};

function eventOf(event: DetailsResult['events'][number], id: string, points: Points): WireEvent | null {
  const time = timeOf(event.at);
  if (time === null) return null;
  const place = placeOf(event.place, points);
  return {
    event_id: id,
    code: event.code,
    classifier: event.classifier ?? 'actual',
    time,
    location: place && { ...place, facility: event.facility ?? null },
    leg_role: 'unknown',
    container: event.container ?? null,
    leg: null,
    vehicle: event.vehicle === undefined ? null : { name: event.vehicle, imo: null, voyage: null, flight: null },
    description: event.description ?? null,
    details: {
      piece: event.piece ?? null,
      status_detail: event.status_detail ?? null,
      window: null,
      pieces_count: event.pieces ?? null,
      weight_kg: null,
      uld: null,
      source_name: null,
      holds: null,
      fees: null,
      last_free_days: null,
      available: null,
    },
    carrier_code: null,
    carrier_description: null,
    source: event.source ?? 'carrier',
    received_at: time.at,
    superseded_by: null,
    fulfilled_by: null,
    flags: event.flags,
  };
}
