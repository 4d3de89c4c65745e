import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { describeShipment, type ResponseFormat } from '#services/api/mcp/results/shipment-details.ts';
import { toolSuccess, windowText } from '#services/api/mcp/results/tool-result.ts';
import type { CarrierTime, TimeWindow } from '#shared/domain/events/event.ts';
import type { Journey, PieceState } from '#shared/domain/record/shipment.ts';
import { fullShipment, pieceNumbers } from '#test/support/full-shipment.ts';

const { journey } = fullShipment;
const [inLocker, , atNeighbour] = pieceNumbers;
const [locker, refusal, handover] = journey.events;
if (locker === undefined || refusal === undefined || handover === undefined) throw new Error('no events');

// biome-ignore lint/suspicious/noExplicitAny: the test reads arbitrary parts of the answer
function detailsOf(changes: Partial<Journey>, format: ResponseFormat = 'concise'): any {
  const shipment = { ...fullShipment, journey: { ...journey, ...changes } };
  return toolSuccess(describeShipment(shipment, format)).structuredContent;
}
const tokensOf = (value: unknown) => countTokens(JSON.stringify(value));

/** On its way, in three pieces: nothing that only a delivery or a return has. */
const underWay: Partial<Journey> = {
  returned: null,
  delivery: { ...journey.delivery, receivedBy: null, leftAt: null, proof: [] },
};
const onePiece: Partial<Journey> = { ...underWay, pieces: [], piecesCount: 1, pickupPoint: null, exceptions: [] };

describe('concise details', () => {
  it('locate the third piece', () => {
    expect(detailsOf(underWay).pieces[2]).toEqual({
      tracking_number: atNeighbour,
      status: 'delivered',
      status_detail: 'delivered_to_neighbour',
      place: 'NLRTM',
    });
  });

  it('show who signed, and the proof', () => {
    const actual = handover.time;
    const delivered: Partial<Journey> = {
      ...onePiece,
      status: 'delivered',
      statusDetail: 'left_with_reception',
      delivery: { ...journey.delivery, actual },
    };
    expect(detailsOf(delivered)).toMatchObject({
      status: 'delivered',
      status_detail: 'left_with_reception',
      delivery: {
        actual: '2026-06-15T11:20+02:00',
        received_by: 'VAN DIJK',
        left_at: 'Front desk',
        proof: ['signature', 'photo'],
      },
    });
    expect(detailsOf(delivered).delivery).not.toHaveProperty('window');
  });

  it('show the window of the delivery instead of one time', () => {
    const { delivery } = detailsOf(onePiece);
    expect(delivery).toMatchObject({ window: '2026-06-16T14:00/18:00+02:00', promised: '2026-06-14T18:00+02:00' });
    expect(delivery).not.toHaveProperty('estimated');
    const open = { ...journey.delivery, window: { from: journey.delivery.window?.from ?? null, to: null } };
    expect(detailsOf({ ...onePiece, delivery: open }).delivery).toMatchObject({
      window: '2026-06-16T14:00+02:00/..',
      estimated: '2026-06-16T18:00+02:00',
    });
  });

  it('show why it was not delivered, and where it can be collected', () => {
    expect(detailsOf(underWay)).toMatchObject({
      status_detail: 'awaiting_collection_at_locker',
      delivery: { attempts: 2, last_attempt_at: '2026-06-15T11:40+02:00', on_time: 'late' },
      pickup_point: { name: 'Locker Coolsingel', address: 'Coolsingel 40', kept_until: '2026-06-22T20:00+02:00' },
      exceptions: [{ code: 'delivery_attempt_failed', piece: refusal.details?.piece }],
    });
    const events = [{ ...refusal, details: { statusDetail: 'addressee_absent' as const } }];
    expect(detailsOf({ ...onePiece, events }).events[0]).toMatchObject({
      code: 'delivery_attempted',
      status_detail: 'addressee_absent',
    });
  });

  it('keep every field that is set at once within the limit, with all three pieces', () => {
    const answer = detailsOf({});
    expect(tokensOf(answer)).toBeLessThanOrEqual(650);
    expect(answer.pieces).toHaveLength(3);
    expect(answer).toMatchObject({ delivery: { received_by: 'VAN DIJK' }, pickup_point: {}, return: {} });
  });
});

it('merges the same event of several pieces into one with their count', () => {
  const pieces = ['A1', 'B2', 'C3'].map((piece) => ({ ...locker, id: `${locker.id}${piece}`, details: { piece } }));
  expect(detailsOf({ ...underWay, events: [...pieces, refusal] }).events).toMatchObject([
    { code: 'available_for_pickup', pieces: 3 },
    { code: 'delivery_attempted', piece: refusal.details?.piece },
  ]);
  const parts = [2, 3].map((piecesCount) => ({
    ...locker,
    id: `${locker.id}${piecesCount}`,
    details: { piecesCount },
  }));
  expect(detailsOf({ ...onePiece, events: parts }).events).toMatchObject([{ pieces: 2 }, { pieces: 3 }]);
});

describe('many pieces', () => {
  const pieces = Array.from(
    { length: 200 },
    (_, n): PieceState => ({
      trackingNumber: `1Z12345E${String(1_000_000 + n)}`,
      status: n === 150 ? 'failed' : 'in_transit',
      statusDetail: n === 150 ? 'lost' : null,
      weightKg: 4.2,
      dimensionsCm: { length: 40, width: 30, height: 20 },
      decidingEventId: null,
    }),
  );

  it('are counted by status in concise details, and the one that is elsewhere is named', () => {
    const answer = detailsOf({ ...underWay, pieces, piecesCount: 400 });
    expect(answer).toMatchObject({ pieces_count: 400, piece_status_counts: { in_transit: 199, failed: 1 } });
    expect(answer.pieces[0]).toMatchObject({ status: 'failed', status_detail: 'lost' });
  });

  it('are listed in detailed details as far as there is room, which say how many are missing and where they are', () => {
    const answer = detailsOf({ ...underWay, pieces, piecesCount: 400 }, 'detailed');
    expect(tokensOf(answer)).toBeLessThanOrEqual(6000);
    expect(answer.pieces_shown).toBe(answer.pieces.length);
    expect(answer.pieces.length).toBeGreaterThan(40);
    expect(answer.pieces[0]).toMatchObject({ status: 'failed', status_detail: 'lost' });
    expect(answer.events).toHaveLength(journey.events.length);
    expect(answer.rest).toContain('all containers and pieces: GET /v1/shipments/shp_');
    expect(detailsOf(underWay, 'detailed')).not.toHaveProperty('rest');
  });
});

describe('a window', () => {
  const at = (local: string, precision: CarrierTime['precision'] = 'minute'): CarrierTime => ({
    at: new Date(`${local.length > 10 ? local : `${local}T14:00`}:00+02:00`).toISOString(),
    local,
    timezone: 'Europe/Amsterdam',
    zoneSource: 'location',
    precision,
  });

  it.each<[TimeWindow, string | undefined]>([
    [{ from: at('2026-06-16T14:00'), to: at('2026-06-16T18:00') }, '2026-06-16T14:00/18:00+02:00'],
    [{ from: at('2026-06-16T22:00'), to: at('2026-06-17T02:00') }, '2026-06-16T22:00+02:00/2026-06-17T02:00+02:00'],
    [{ from: null, to: at('2026-06-16T18:00') }, '../2026-06-16T18:00+02:00'],
    [{ from: at('2026-06-16', 'date'), to: at('2026-06-18', 'date') }, '2026-06-16/2026-06-18'],
    [{ from: at('2026-06-16', 'date'), to: at('2026-06-16', 'date') }, '2026-06-16'],
    [{ from: at('2026-06-16', 'date'), to: at('2026-06-16T18:00') }, '2026-06-16/2026-06-16T18:00+02:00'],
    [{ from: null, to: null }, undefined],
  ])('%# is an ISO 8601 interval', (window, text) => {
    expect(windowText(window)).toBe(text);
  });

  it('across a change of the clock has both offsets', () => {
    const to = { ...at('2026-10-25T03:30'), at: '2026-10-25T02:30:00.000Z' };
    expect(windowText({ from: at('2026-10-25T01:30'), to })).toBe('2026-10-25T01:30+02:00/2026-10-25T03:30+01:00');
  });
});

it('shows the number of a piece that is the shipment’s own number only where it has several', () => {
  expect(detailsOf(onePiece)).toMatchObject({ pieces_count: 1, identifiers: { tracking_number: inLocker } });
  expect(detailsOf(onePiece)).not.toHaveProperty('pieces');
});
