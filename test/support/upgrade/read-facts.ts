import type { Json } from '#test/support/api/api.ts';
import type { Added } from './add-rows.ts';
import { callsOf } from './calls-of.ts';

/** Reads the facts that the test compares with the answers of later builds. */
export async function readFacts(
  api: { url: string },
  { facts, added }: { facts: Json; added: Added },
): Promise<Record<string, unknown>> {
  const get = callsOf(api, facts.key);
  const shipments: Json[] = [];
  for (let after = ''; ; ) {
    const { data, page } = await get(`/v1/shipments?limit=100&archived=any${after}`);
    for (const { shipment_id: id } of data) shipments.push(partsOf(await get(`/v1/shipments/${id}`)));
    if (!page.has_more) break;
    after = `&cursor=${page.next_cursor}`;
  }
  const changes: string[] = [];
  for (let page: Json = { page: { next_after: 0, has_more: true } }; page.page.has_more; ) {
    page = await get(`/v1/events?after=${page.page.next_after}&limit=500`);
    changes.push(...page.data.map(({ id }: Json) => id));
  }
  const { data: tests } = await callsOf(api, facts.testKey)('/v1/shipments?limit=100');
  const { body: views } = await added.owner.ask('/dashboard/api/saved-views');
  const { body: messages } = await added.owner.ask('/dashboard/api/alert-messages');
  const ways = await Promise.all(
    added.ways.map(async (way) => {
      const { legs } = await get(`/v1/shipments/${way.shipment_id}`);
      const [{ mode, departure, arrival }] = legs;
      return { ...way, mode, departed_at: departure.actual.at, arrives_at: arrival.estimated.at };
    }),
  );
  const answers: Record<string, Json> = {};
  const getAny = callsOf(api, added.key);
  // A restored feed has been followed only as far as a worker noted down.
  for (const path of pathsOf(added)) answers[path] = { ...(await getAny(path)), as_of: undefined };
  return {
    shipments,
    changes,
    testShipments: tests.length,
    views: views.data.map(({ id, name, shared }: Json) => ({ id, name, shared })),
    ways,
    keyOfAnswers: added.key,
    answers,
    // A restore ends the others.
    messages: messages.data.filter(({ state }: Json) => state === 'sent' || state === 'dropped'),
  };
}

/** Answers that neither time nor a restore changes. */
function pathsOf({ ways, arrived, bulkActions, endpoints, settled, paths }: Added): string[] {
  const moving = `/v1/shipments/${ways[0]?.shipment_id}`;
  const done = `/v1/shipments/${arrived[0]}`;
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period = `from=${day(-60)}&to=${day(0)}`;
  return [
    '/v1/members',
    ...[moving, done].flatMap((one) => [`${one}/notes`, `${one}/events?limit=100`]),
    `${moving}/shares`,
    `${moving}/unreadable-events`,
    `/v1/shipments/${settled}/events?limit=100`,
    `/v1/shipments/${settled}/refreshes`,
    ...paths,
    ...bulkActions.map((id) => `/v1/bulk-actions/${id}`),
    `/v1/analytics/arrivals?${period}&trend=month`,
    `/v1/analytics/arrivals?${period}&group_by=lane`,
    `/v1/analytics/tracking?${period}`,
    ...endpoints.map((id) => `/v1/webhook-endpoints/${id}/deliveries?limit=3`),
  ];
}

function partsOf(record: Json): Json {
  const { shipment_id, status, version, events_count, reference, tags, metadata, identifiers, archived_at } = record;
  const { assignee, notes_count } = record;
  return {
    ...{ shipment_id, status, version, events_count, reference, tags, metadata, identifiers, archived_at },
    ...{ assignee, notes_count },
    tracking_state: record.tracking.state,
    containers: record.containers.map(({ number }: Json) => number),
  };
}
