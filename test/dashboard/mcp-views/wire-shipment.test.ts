import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDrawing } from '#services/api/mcp/results/describe-drawing.ts';
import { describeShipment } from '#services/api/mcp/results/shipment-details.ts';
import { readAnswer } from '#services/dashboard/mcp-views/read-answer.ts';
import { wireShipmentOf } from '#services/dashboard/mcp-views/shipment/wire-shipment.ts';
import { drawingKey } from '#shared/contract/mcp/view-files.ts';
import { wireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { scaled } from '#test/support/run-scale.ts';
import { worstShipment } from '#test/support/worst-shipments.ts';

const shipments = scaled({ short: 12, full: 200 });

/** The record that a view draws of a result. */
function drawn(structuredContent: unknown, meta?: Record<string, unknown>) {
  const answer = readAnswer({ structuredContent, ...(meta === undefined ? {} : { _meta: meta }) });
  if (answer.kind !== 'shipment') throw new Error(`read as ${answer.kind}`);
  return wireShipmentOf(answer.details, answer.drawing);
}

/** Fields that a result does not have: when the record was made, and what the dashboard alone shows. */
const notOfResults = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };

describe('the record that a view makes of a result', () => {
  it.each(['concise', 'detailed'] as const)('has the shape of the API’s record: %s', (format) => {
    for (let count = 0; count < shipments; count += 1) {
      const shipment = worstShipment(count);
      const meta = { [drawingKey]: describeDrawing(shipment, shipment.journey.events) };
      const result = JSON.parse(JSON.stringify([describeShipment(shipment, format), meta]));
      const record = drawn(result[0], result[1]);
      const holds = record.containers.map((one) => ({
        ...one,
        holds: one.holds.map((hold) => ({ ...hold, since: notOfResults.created_at })),
      }));
      const exceptions = record.exceptions.map((one) => ({
        ...one,
        opened_at: one.opened_at || notOfResults.created_at,
      }));
      const read = wireShipment.safeParse({ ...record, ...notOfResults, containers: holds, exceptions });
      expect(read.error?.issues ?? []).toEqual([]);
      expect(record.status).toBe(shipment.journey.status);
    }
  });

  it('says where the voyage is without what the host left out', () => {
    const record = drawn({
      shipment_id: 'shp_1',
      status: 'in_transit',
      transport_mode: 'ocean',
      origin: 'Shanghai (CNSHA)',
      destination: 'Rotterdam (NLRTM)',
      under_way: {
        left: 'Singapore (SGSIN)',
        left_at: '2026-11-16T07:50+08:00',
        next: 'Rotterdam (NLRTM)',
        vehicle: 'Moon',
      },
    });
    expect(record.legs.map(({ from, to }) => [from?.name, to?.name])).toEqual([
      ['Shanghai', 'Singapore'],
      ['Singapore', 'Rotterdam'],
    ]);
    expect(record.legs[1]?.departure.actual?.local).toBe('2026-11-16T07:50');
  });

  it('has the containers of which a result names only the number and the status', () => {
    const record = drawn({
      shipment_id: 'shp_1',
      status: 'in_transit',
      containers: [{ number: 'MSKU1000000', status: 'arrived', clocks: [] }],
      more_containers: { 'in_transit, departed': 'MSKU1000016 MSKU1000021', delivered: 'MSKU1000037' },
    });
    expect(record.containers.map(({ number, status }) => [number, status])).toEqual([
      ['MSKU1000000', 'arrived'],
      ['MSKU1000016', 'in_transit'],
      ['MSKU1000021', 'in_transit'],
      ['MSKU1000037', 'delivered'],
    ]);
    expect(record.container_status_counts).toEqual({ arrived: 1, in_transit: 2, delivered: 1 });
  });

  it('is made of anything that names a shipment and a status, and of nothing else', () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (some, meta) => {
        const answer = readAnswer({
          structuredContent: { ...some, shipment_id: 'shp_1', status: 'x' },
          _meta: { [drawingKey]: meta },
        });
        if (answer.kind === 'shipment') wireShipmentOf(answer.details, answer.drawing);
        expect(['shipment', 'list', 'matches']).toContain(answer.kind);
      }),
    );
    expect(readAnswer({ structuredContent: { shipment_id: 7 } }).kind).toBe('unreadable');
    expect(readAnswer({ structuredContent: null, content: [{ type: 'text', text: '[' }] }).kind).toBe('unreadable');
    expect(readAnswer({ isError: true, content: [{ type: 'text', text: 'No.' }] })).toEqual({
      kind: 'error',
      text: 'No.',
    });
  });
});
