import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens } from '#services/api/mcp/results/estimate-tokens.ts';
import { toRow } from '#services/api/mcp/results/list-rows.ts';
import { describeShipment } from '#services/api/mcp/results/shipment-details.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { EventCode } from '#shared/domain/events/event.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { callOverHttp, detailsTool, listTool, successOf } from '#test/support/api/mcp-calls.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';
import { pick, place, ports, worstShipment } from '#test/support/worst-shipments.ts';

// o200k_base is the published vocabulary nearest to those of today's models; others count the same JSON within some
// percent.
const tokensOf = (value: unknown) => countTokens(typeof value === 'string' ? value : JSON.stringify(value));

let api: TestApi;
let me: Caller;
const ids: string[] = [];

type Size = {
  containers: number;
  eventsEach: number;
  description: string | null;
  registration: Partial<Registration>;
  late?: boolean;
};

const longWords =
  'Container discharged at transhipment terminal and moved to yard block B-17 pending onward connection; vessel ' +
  'schedule revised. ';

const sizes: Size[] = [
  { containers: 1, eventsEach: 6, description: null, registration: {} },
  {
    containers: 4,
    eventsEach: 8,
    description: 'Loaded on vessel',
    registration: { reference: 'PO-7741-2026-A' },
    late: true,
  },
  {
    containers: 12,
    eventsEach: 9,
    description: longWords.repeat(3),
    registration: { reference: 'R'.repeat(255) },
    late: true,
  },
  {
    containers: 60,
    eventsEach: 8,
    description: `${longWords}${'zażółć gęślą jaźń '.repeat(20)}`,
    registration: { tags: Array.from({ length: 20 }, (_, n) => `tag ${n} ${'7xQ'.repeat(18)}`) },
    late: true,
  },
  { containers: 200, eventsEach: 3, description: '🚢'.repeat(300), registration: { reference: '船积单号'.repeat(60) } },
  {
    containers: 2,
    eventsEach: 6,
    description: 'x7Qz'.repeat(100),
    registration: {
      identifiers: {
        mbl: 'MAEU7Q8Z1X9K2J3H4G5F6D7S8A9P0O1I2U3',
        booking: 'Z1X9K2J3H4G5F6D7S8A9P0O1I2U3Y4T5R6E',
        hbl: 'H7S8A9P0O1I2U3Y4T5R6EZ1X9K2J3H4G5F6',
      },
      reference: 'a7f9c2e1-44b0-4d6e-9f57-0c1d2e3f4a5b/9f57-0c1d2e3f4a5b',
    },
    late: true,
  },
];

const steps: EventCode[] = [
  'gate_out_empty',
  'gate_in_full',
  'loaded',
  'departed',
  'arrived',
  'discharged',
  'customs_hold',
  'customs_inspection',
  'other',
];

function sketches({ containers, eventsEach, description, late }: Size, seed: number) {
  const events = Array.from({ length: containers }, (_, box) =>
    steps.slice(0, eventsEach).map((code, step) => ({
      code,
      local: `2026-03-${String(1 + step * 2).padStart(2, '0')}T${String(box % 24).padStart(2, '0')}:${String(10 + (seed % 50)).padStart(2, '0')}`,
      container: `MSKU${String(1_000_000 + seed * 1000 + box)}`,
      location: ports[(step + seed) % ports.length] ?? null,
      vehicle: {
        name: 'HAMBURG EXPRESS INTERNATIONAL STAR OF THE SEA',
        imo: '9074729',
        voyage: '2601W-AE55-NORTHBOUND',
        flight: null,
      },
      seals: ['CN8812345', 'ML-CN-998812345'],
      description,
      carrierDescription: description,
    })),
  ).flat();
  const estimates = late
    ? ['2026-04-01T10:00', '2026-04-09T10:00'].map((local, n) => ({
        code: 'arrived' as const,
        classifier: 'estimated' as const,
        legRole: 'pod' as const,
        container: null,
        local,
        location: place('Guayaquil, Contecon Terminal Libertador Simón Bolívar', 'ECGYE'),
        sourceCreatedAt: `2026-03-0${n + 1}T00:00:00.000Z`,
        delayReason: 'Port congestion',
      }))
    : [];
  return [...events, ...estimates];
}

beforeAll(async () => {
  api = await startTestApi();
  me = {
    accountId: api.accountId,
    keyId: null,
    scopes: ['shipments:read', 'shipments:write'],
    test: false,
    requestId: 'req_seed',
    idempotency: null,
  };
  for (let n = 0; n < 54; n++) {
    const size = sizes[n < 12 ? n % sizes.length : (n % 2) * 5];
    if (size === undefined) throw new Error('no size');
    const { identifiers, reference, ...others } = size.registration;
    const made = await registerShipment(api.ctx.core, me, {
      ...oceanRegistration(others),
      ...(identifiers === undefined
        ? {}
        : {
            identifiers: Object.fromEntries(
              Object.entries(identifiers).map(([key, value]) => [key, `${value.slice(0, -2)}${10 + n}`]),
            ),
          }),
      ...(reference ? { reference: `${reference.slice(0, 250)} ${n}` } : {}),
    });
    const subject = { accountId: me.accountId, shipmentId: made.shipment.id };
    const all = sketches(size, n);
    await refresh(
      api.ctx.core,
      subject,
      found(
        ...all.filter((event) => !('delayReason' in event)),
        ...all.filter((event) => 'delayReason' in event).slice(0, 1),
      ),
    );
    if (size.late) await refresh(api.ctx.core, subject, found(...all));
    ids.push(encodeTypeId('shp', made.shipment.id));
  }
});
afterAll(() => api.close());

describe('tokens of o200k_base', () => {
  it('keeps tools/list within 1,900', async () => {
    const { result } = await jsonOf(await api.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    expect(tokensOf(result)).toBeLessThanOrEqual(1900);
  });

  it('keeps a row within 140 and fifty rows within 7,000', async () => {
    const page = await callOverHttp(api, listTool, { limit: 50 });
    const { shipments, next_cursor } = await successOf(page);
    expect(shipments).toHaveLength(50);
    expect(next_cursor).toBeDefined();
    const counted = shipments.map(tokensOf) as number[];
    expect(Math.max(...counted)).toBeLessThanOrEqual(140);
    expect(tokensOf(page.content[0]?.text ?? '')).toBeLessThanOrEqual(7000);
  });

  it.each([
    ['concise', 650],
    ['detailed', 6000],
  ])('keeps %s details within %i', async (response_format, most) => {
    const counted: number[] = [];
    for (const shipment_id of ids.slice(0, 12)) {
      const { content } = await callOverHttp(api, detailsTool, { shipment_id, response_format });
      counted.push(tokensOf(content[0]?.text ?? ''));
    }
    expect(Math.max(...counted)).toBeLessThanOrEqual(most);
    // Not by omitting everything.
    expect(Math.max(...counted)).toBeGreaterThan(most * 0.6);
  });

  it('names in detailed answers what is omitted, and where to find it', async () => {
    const record = await successOf(
      callOverHttp(api, detailsTool, { shipment_id: ids[3], response_format: 'detailed' }),
    );
    expect(record.containers_count).toBe(60);
    expect(record.containers.length).toBe(record.containers_shown ?? 60);
    expect(record.events.length).toBe(record.events_shown);
    expect(record.events_count).toBeGreaterThan(record.events_shown);
    expect(record.rest).toContain(`GET /v1/shipments/${ids[3]}/events`);
    expect(record.events.length).toBeGreaterThan(30);
    const small = await successOf(callOverHttp(api, detailsTool, { shipment_id: ids[0], response_format: 'detailed' }));
    expect(small).not.toHaveProperty('rest');
    expect(small.events).toHaveLength(small.events_count);
  });

  it('shows five events in a few words in concise details with four containers', async () => {
    const record = await successOf(callOverHttp(api, detailsTool, { shipment_id: ids[1] }));
    expect(record.events).toHaveLength(5);
    expect(record.containers_count).toBe(4);
    expect(record).toMatchObject({
      arrival: { estimated: expect.any(String), promised: expect.any(String) },
      delay_hours: 192,
    });
  });
});

describe('data beyond any test database', () => {
  it('keep the budgets', () => {
    const worst = { row: 0, concise: 0, detailed: 0 };
    for (let n = 0; n < scaled({ short: 40, full: 200 }); n++) {
      const shipment = worstShipment(n);
      worst.row = Math.max(worst.row, tokensOf(toRow(shipment)));
      worst.concise = Math.max(worst.concise, tokensOf(describeShipment(shipment, 'concise')));
      if (n < scaled({ short: 3, full: 15 }))
        worst.detailed = Math.max(worst.detailed, tokensOf(describeShipment(shipment, 'detailed')));
    }
    expect(worst.row).toBeLessThanOrEqual(140);
    expect(worst.concise).toBeLessThanOrEqual(650);
    expect(worst.detailed).toBeLessThanOrEqual(6000);
  });

  it('is underestimated by at most a tenth', () => {
    for (let n = 0; n < scaled({ short: 12, full: 60 }); n++) {
      const json = JSON.stringify(describeShipment(worstShipment(n), pick(['concise', 'detailed'])));
      expect(estimateTokens(json) / tokensOf(json)).toBeGreaterThan(0.9);
    }
  });
});
