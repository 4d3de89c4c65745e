import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeShipment } from '#services/api/mcp/results/shipment-details.ts';
import { toolSuccess } from '#services/api/mcp/results/tool-result.ts';
import { withRecord, withSummaries } from '#services/api/mcp/results/view-data.ts';
import { readAnswer } from '#services/dashboard/mcp-views/read-answer.ts';
import { rowOf } from '#services/dashboard/screens/shipments/shipment-row.ts';
import { viewDataKey } from '#shared/contract/mcp/view-files.ts';
import { wireEvent } from '#shared/contract/record/shipment-parts.ts';
import { wireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { toWireShipment } from '#shared/contract/record/shipment-wire.ts';
import { scaled } from '#test/support/run-scale.ts';
import { worstShipment } from '#test/support/worst-shipments.ts';

const shipments = Array.from({ length: scaled({ short: 12, full: 200 }) }, (_, index) => worstShipment(index));
const now = new Date('2026-11-26T12:00:00.000Z');

/** Passes a result through JSON, as a host receives it. */
function received<T>(result: T): T {
  return JSON.parse(JSON.stringify(result)) as T;
}

describe('the record that a view draws', () => {
  it.each([false, true])('is that of REST, with all events if the result is detailed: %s', (isLong) => {
    for (const shipment of shipments) {
      const { events } = shipment.journey;
      const result = toolSuccess(describeShipment(shipment, isLong ? 'detailed' : 'concise'));
      const answer = readAnswer(received(withRecord(result, shipment, { events, isLong, matched: null, now })));
      if (answer.kind !== 'shipment' || answer.viewed === null) throw new Error('the record is not read');
      const record = wireShipment.extend({ events: z.array(wireEvent) }).safeParse(answer.viewed.shipment);
      expect(record.error?.issues ?? []).toEqual([]);
      const { shipment_id, status, arrival, containers } = received(toWireShipment(shipment));
      expect(answer.viewed.shipment).toMatchObject({ shipment_id, status, arrival });
      expect(answer.viewed.shipment.containers.length).toBe(containers.length);
      expect(answer.viewed.shipment.events.length).toBe(events.length);
    }
  });

  it('is the summary of each shipment of a list, in the order of the list', () => {
    const list = toolSuccess({ shipments: shipments.map(({ id }) => ({ shipment_id: id })), counts_by_status: {} });
    const answer = readAnswer(received(withSummaries(list, shipments)));
    if (answer.kind !== 'list' || answer.rows === null) throw new Error('the summaries are not read');
    expect(answer.rows.map(rowOf).map(({ status }) => status)).toEqual(shipments.map(({ journey }) => journey.status));
  });

  it('has no markup in the texts of strangers', () => {
    const [shipment] = shipments;
    if (shipment === undefined) throw new Error('no shipment');
    const hostile = { ...shipment, reference: '<img src=x> [a](https://evil.test)' };
    const { _meta } = withSummaries(toolSuccess({ shipments: [] }), [hostile]);
    expect(JSON.stringify(_meta)).not.toMatch(/<img|https:\/\/evil/);
  });
});

describe('a result without the record', () => {
  const details = { shipment_id: 'shp_1', status: 'in_transit', origin: 'Shanghai (CNSHA)' };

  it('is read as the texts that it has', () => {
    expect(readAnswer({ structuredContent: details })).toEqual({ kind: 'shipment', details, viewed: null });
    const list = readAnswer({ structuredContent: { shipments: [details, 7], total: 1 } });
    expect(list).toMatchObject({ kind: 'list', rows: null, list: { shipments: [details], total: 1 } });
    const matches = readAnswer({ structuredContent: { matches: [details] } });
    expect(matches).toMatchObject({ kind: 'matches', rows: null, matches: { matches: [details] } });
  });

  it('asks for the record of a shipment that the view does not know', () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (some, meta) => {
        const structuredContent = { ...some, shipment_id: 'shp_1', status: 'x' };
        const answer = readAnswer({ structuredContent, _meta: { [viewDataKey]: meta } });
        expect(['shipment', 'list', 'matches']).toContain(answer.kind);
        if (answer.kind === 'shipment') expect(answer.viewed).toBeNull();
      }),
    );
  });

  it('is unreadable if it names no shipment, and an error if the call failed', () => {
    expect(readAnswer({ structuredContent: { shipment_id: 7 } }).kind).toBe('unreadable');
    expect(readAnswer({ structuredContent: null, content: [{ type: 'text', text: '[' }] }).kind).toBe('unreadable');
    expect(readAnswer({ isError: true, content: [{ type: 'text', text: 'No.' }] })).toEqual({
      kind: 'error',
      text: 'No.',
    });
  });
});
