import { expect } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

export type ToolAnswer = { content: { type: string; text?: string }[]; structuredContent?: Json; isError?: boolean };
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>;
export type Portfolio = { api: TestApi; mcpUrl: string; close: () => Promise<void> };

export const toolNames = ['list_shipments_summary', 'get_shipment_details'];
export const sailed = { mbl: 'MAEU700000011' };
const arrived = { mbl: 'MAEU700000012', container: 'MSKU1234565' };
const flying = { awb: '020-08002050' };

/**
 * The API on a free port with an account that has one shipment of each kind: in transit, delivered, by air, and not yet
 * known to the carrier.
 */
export async function openPortfolio(): Promise<Portfolio> {
  const api = await startTestApi();
  const gateIn = { code: 'gate_in_full', local: '2026-10-01T08:00' } as const;
  const departed = { code: 'departed', local: '2026-10-02T20:00' } as const;
  const delivered = { code: 'delivered', local: '2026-10-20T12:00' } as const;
  await track(
    api,
    { transport_mode: 'ocean', carrier: 'MAEU', identifiers: sailed, reference: 'PO-1' },
    found(gateIn, departed),
  );
  const voyage = [gateIn, departed, delivered].map((event) => ({ ...event, container: arrived.container }));
  await track(api, { transport_mode: 'ocean', carrier: 'MAEU', identifiers: arrived }, found(...voyage));
  await track(api, { transport_mode: 'air', carrier: 'LH', identifiers: flying }, carrierDown);
  await track(api, { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU700000013' } }, null);
  return { api, mcpUrl: `${api.url}/v1/mcp`, close: api.close };
}

async function track(api: TestApi, registration: object, seen: FetchResult | null): Promise<void> {
  const answer = await api.post('/v1/shipments', registration);
  expect(answer.status).toBe(201);
  const { shipment_id } = await jsonOf(answer);
  if (seen !== null)
    await refresh(api.ctx.core, { accountId: api.accountId, shipmentId: readShipmentId(shipment_id) ?? '' }, seen);
}

/**
 * Calls both tools as an agent would and expects the contents of the portfolio. Returns how many answers have a
 * structure to validate.
 */
export async function expectRightAnswers(call: CallTool): Promise<number> {
  const everything = structureOf(await call('list_shipments_summary', {}));
  expect(everything).toMatchObject({
    total: 4,
    counts_by_status: { pending: 2, in_transit: 1, delivered: 1 },
    has_more: false,
  });
  const moving = structureOf(
    await call('list_shipments_summary', { status: ['in_transit'], transport_mode: ['ocean'], limit: 1 }),
  );
  expect(moving.shipments).toMatchObject([
    { identifier: sailed.mbl, status: 'in_transit', reference: 'PO-1', last_event: 'departed' },
  ]);
  const concise = structureOf(await call('get_shipment_details', { identifier: sailed.mbl }));
  expect(concise).toMatchObject({ identifiers: sailed, status: 'in_transit', events_count: 2 });
  const detailed = structureOf(
    await call('get_shipment_details', { container: arrived.container, response_format: 'detailed' }),
  );
  expect(detailed).toMatchObject({ identifiers: arrived, status: 'delivered' });
  expect(detailed.events).toHaveLength(3);
  const unseen = structureOf(await call('get_shipment_details', { awb: flying.awb }));
  expect(unseen).toMatchObject({ transport_mode: 'air', status: 'pending', tracking: { freshness: 'never' } });
  const unknown = await call('get_shipment_details', { identifier: 'MAEU799999999' });
  expect(unknown.isError).toBe(true);
  expect(unknown.structuredContent).toBeUndefined();
  expect(unknown.content[0]?.text).toContain('POST /v1/shipments');
  return 5;
}

function structureOf(answer: ToolAnswer): Json {
  expect(answer.isError ?? false).toBe(false);
  expect(answer.content).toHaveLength(1);
  expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(answer.structuredContent);
  return answer.structuredContent;
}
