import { describe, expect, it } from 'vitest';
import { playTestJourney } from '#services/worker/carriers/test/play-test-journey.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { Reading, StatedFacts, TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { lastTestStep, type TestNumber } from '#shared/domain/test-journeys/test-journeys.ts';

const createdAt = '2026-04-15T09:30:12.000Z';
const nowMs = Date.parse(createdAt);

/** Returns the reading of a test parcel after this many advances. */
function read(number: TestNumber, testSteps: number): Reading {
  const result = playTestJourney({
    shipmentId: '018f0000-0000-7000-8000-000000000002',
    transportMode: 'parcel',
    identifiers: { tracking_number: number },
    createdAt,
    testSteps,
  });
  if (result.outcome !== 'found') throw new Error(`${number} was not found`);
  return result.reading;
}

/** The record after the refreshes of these steps. */
function follow(number: TestNumber, ...steps: number[]): Journey {
  let stored: TrackingEvent[] = [];
  let facts: StatedFacts | undefined;
  for (const step of steps) {
    const reading = read(number, step);
    stored = mergeReading(stored, reading, nowMs).events;
    facts = mergeFacts(facts, reading.facts, { partial: false });
  }
  return composeJourney({ events: stored, transportMode: 'parcel', facts }, nowMs);
}

const newest = ({ events }: Reading) =>
  events.filter((event) => event.classifier === 'actual').reduce((a, b) => (b.time.at > a.time.at ? b : a));

describe('a test parcel', () => {
  it('is delivered with a recipient, a signature and a photo', () => {
    const reading = read('TEST-POD', 0);
    expect(newest(reading)).toMatchObject({ code: 'delivered', details: { statusDetail: 'left_with_reception' } });
    expect(reading.facts).toMatchObject({
      receivedBy: 'J. Miller',
      leftAt: 'Reception',
      proof: [{ kind: 'signature' }, { kind: 'photo' }],
      piecesCount: 1,
      weightKg: 2.4,
    });
  });

  it('has a window that moves twice while it is out for delivery', () => {
    const windowsAt = (step: number) =>
      read('TEST-WINDOW', step)
        .events.filter((event) => event.code === 'delivered')
        .sort((a, b) => (a.sourceCreatedAt ?? '').localeCompare(b.sourceCreatedAt ?? ''))
        .map(({ details }) => `${details?.window?.from?.local.slice(11)}–${details?.window?.to?.local.slice(11)}`);
    expect(lastTestStep('TEST-WINDOW', 'parcel')).toBe(2);
    expect(windowsAt(0)).toEqual(['13:30–15:30']);
    expect(windowsAt(1)).toEqual(['13:30–15:30', '16:30–18:30']);
    expect(windowsAt(2)).toEqual(['13:30–15:30', '16:30–18:30', '16:00–18:00']);
    expect(newest(read('TEST-WINDOW', 2)).code).toBe('out_for_delivery');
  });

  it('has three pieces of which one is lost, one waits in a locker and one is refused, step by step', () => {
    const turnsAt = (step: number) =>
      read('TEST-MULTI-PIECE', step).events.flatMap(({ code, details }) =>
        details?.piece === undefined ? [] : [[code, details.statusDetail, details.piece.slice(-1)]],
      );
    const turns = [
      ['lost', 'lost', '1'],
      ['available_for_pickup', 'awaiting_collection_at_locker', '2'],
      ['delivery_attempted', 'refused', '3'],
    ];
    for (const step of [0, 1, 2, 3]) expect(turnsAt(step)).toEqual(turns.slice(0, step));
    const { facts } = read('TEST-MULTI-PIECE', 2);
    expect(facts).toMatchObject({ piecesCount: 3, weightKg: 7.2, pickupPoint: { kind: 'locker' } });
    expect(facts?.pieces?.map(({ trackingNumber }) => trackingNumber.slice(0, 4))).toEqual(['TSTP', 'TSTP', 'TSTP']);
    expect(read('TEST-MULTI-PIECE', 1).facts).not.toHaveProperty('pickupPoint');
  });

  it('goes to a locker, waits there until a stated time, and is collected', () => {
    expect(read('TEST-LOCKER', 0).facts?.pickupPoint).toMatchObject({ kind: 'locker', keptUntil: null });
    expect(newest(read('TEST-LOCKER', 1))).toMatchObject({
      code: 'available_for_pickup',
      details: { statusDetail: 'awaiting_collection_at_locker' },
    });
    expect(read('TEST-LOCKER', 1).facts?.pickupPoint).toMatchObject({ keptUntil: { at: '2026-04-19T09:30:00.000Z' } });
    expect(newest(read('TEST-LOCKER', 2)).code).toBe('delivered');
  });

  it('is refused and returns to its sender', () => {
    const steps = [0, 1, 2].map((step) => newest(read('TEST-RETURN', step)));
    expect(steps).toMatchObject([
      { code: 'delivery_attempted', details: { statusDetail: 'refused' } },
      { code: 'return_started', details: { statusDetail: 'returned_refused' } },
      { code: 'returned' },
    ]);
    expect(read('TEST-RETURN', 0).facts).not.toHaveProperty('returned');
    expect(read('TEST-RETURN', 1).facts?.returned).toMatchObject({
      reason: 'Refused by the recipient',
      to: { name: 'Köln' },
    });
  });
});

describe('the record of a test parcel', () => {
  it('shows the proof of a delivery', () => {
    const { delivery, statusDetail } = follow('TEST-POD', 0);
    expect(statusDetail).toBe('left_with_reception');
    expect(delivery).toMatchObject({ onTime: 'on_time', receivedBy: 'J. Miller', leftAt: 'Reception', attempts: 0 });
    expect(delivery.proof.map(({ id }) => id)).toEqual(['signature', 'photo']);
  });

  it('follows a window that moves', () => {
    const windowAfter = (...steps: number[]) => follow('TEST-WINDOW', ...steps).delivery.window?.to?.local.slice(11);
    expect([windowAfter(0), windowAfter(0, 1), windowAfter(0, 1, 2)]).toEqual(['15:30', '18:30', '18:00']);
    const { status, delivery } = follow('TEST-WINDOW', 0, 1, 2);
    expect([status, delivery.onTime]).toEqual(['out_for_delivery', 'late']);
    expect(follow('TEST-WINDOW', 2).delivery).toEqual(delivery);
  });

  it('shows three pieces apart', () => {
    const journey = follow('TEST-MULTI-PIECE', 0, 1, 2, 3);
    expect(journey.pieces).toMatchObject([
      { status: 'failed', statusDetail: 'lost', weightKg: 2.4, dimensionsCm: { length: 40, width: 30, height: 20 } },
      { status: 'available_for_pickup', statusDetail: 'awaiting_collection_at_locker' },
      { status: 'out_for_delivery', statusDetail: 'refused' },
    ]);
    expect(journey).toMatchObject({
      status: 'available_for_pickup',
      piecesCount: 3,
      weightKg: 7.2,
      pickupPoint: { name: 'Test Locker 117' },
      service: { code: 'TEST' },
    });
  });

  it('shows where it can be collected, and until when', () => {
    expect(follow('TEST-LOCKER', 0, 1)).toMatchObject({
      status: 'available_for_pickup',
      statusDetail: 'awaiting_collection_at_locker',
      pickupPoint: { kind: 'locker', id: 'TL-117', keptUntil: { at: '2026-04-19T09:30:00.000Z' } },
    });
    expect(follow('TEST-LOCKER', 0, 1, 2)).toMatchObject({ status: 'delivered', statusDetail: 'delivered_to_locker' });
  });

  it('shows the way back after a refusal', () => {
    const refused = follow('TEST-RETURN', 0);
    expect(refused).toMatchObject({ status: 'out_for_delivery', statusDetail: 'refused', returned: null });
    expect(refused.delivery).toMatchObject({ attempts: 1 });
    const returned = follow('TEST-RETURN', 0, 1, 2);
    expect(returned).toMatchObject({
      status: 'returned',
      statusDetail: 'returned_refused',
      returned: { reason: 'Refused by the recipient', to: { name: 'Köln' } },
    });
    expect(returned.returned?.completedAt?.at).toBe('2026-04-15T09:00:00.000Z');
  });
});
