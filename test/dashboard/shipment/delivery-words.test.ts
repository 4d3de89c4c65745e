import { describe, expect, it } from 'vitest';
import { capital } from '#services/dashboard/parts/words/code-words.ts';
import { detailWords } from '#services/dashboard/parts/words/detail-words.ts';
import { aboutWords, eventWords } from '#services/dashboard/screens/shipment/timeline/event-words.ts';
import {
  attemptsOf,
  deliveryHeadline,
  detailSentence,
  movedWords,
  pointKindWords,
  punctualityWords,
  returnWords,
} from '#services/dashboard/screens/shipment/words/delivery-words.ts';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { statusDetails } from '#shared/domain/events/status-details.ts';
import { eventOf, noDetails, placeAt, timeAt } from './shipment-parts.ts';

const now = Date.parse('2026-05-11T06:00:00Z');
const windowOf = (from: string | null, to: string | null) => ({
  from: from === null ? null : timeAt(from),
  to: to === null ? null : timeAt(to),
});
const day = (local: string) => ({ ...timeAt(`${local}T12:00`), local, precision: 'date' });
const delivery: WireShipment['delivery'] = {
  planned: null,
  estimated: null,
  actual: null,
  original_estimated: null,
  promised: null,
  delay_hours: null,
  delay_basis: null,
  window: null,
  on_time: 'unknown',
  attempts: 0,
  last_attempt_at: null,
  received_by: null,
  left_at: null,
  proof: [],
};

describe('a status detail', () => {
  it('reads as a sentence of its own, without a code, and differs from all others', () => {
    const sentences = statusDetails.map(detailWords);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][a-z’]*( [A-Za-z’,]+)*$/);
    expect(new Set(sentences).size).toBe(statusDetails.length);
  });

  it('shows the words of a detail that this release does not know', () => {
    expect(detailWords('eaten_by_the_dog')).toBe('Eaten by the dog');
    expect(pointKindWords('parcel_robot')).toBe('Parcel robot');
  });

  it('shows until when the shipment can be collected, only while it waits', () => {
    const point = { kind: 'locker', id: null, name: null, address: null, place: null, hours: null };
    const kept = { pickup_point: { ...point, kept_until: day('2026-05-12') } };
    const sentence = (detail: string | null) => detailSentence({ status_detail: detail, ...kept }, now);
    expect(sentence('awaiting_collection_at_locker')).toBe('In a locker, to be collected by tomorrow.');
    expect(sentence('delivered_to_locker')).toBe('Delivered to a parcel locker.');
    expect(sentence(null)).toBeNull();
    expect(detailSentence({ status_detail: 'awaiting_collection_at_pickup_point', pickup_point: null }, now)).toBe(
      'At a pickup point, to be collected.',
    );
  });
});

describe('the headline of a delivery', () => {
  const headline = (
    changes: Partial<WireShipment['delivery']>,
    status = 'in_transit',
    others: Partial<Pick<WireShipment, 'pickup_point' | 'return'>> = {},
  ) =>
    deliveryHeadline(
      { status, pickup_point: null, return: null, delivery: { ...delivery, ...changes }, ...others },
      now,
    );

  it('is the window, otherwise the expected time, and the actual time once it is delivered', () => {
    const expected = {
      estimated: timeAt('2026-05-11T16:00'),
      window: windowOf('2026-05-11T14:00', '2026-05-11T16:00'),
    };
    expect(headline(expected)).toMatchObject({ title: 'Delivery', words: 'Today 14:00–16:00' });
    expect(headline({ estimated: day('2026-05-12') }).words).toBe('Tomorrow');
    const delivered = { ...expected, actual: timeAt('2026-05-10T15:12') };
    expect(headline(delivered, 'delivered')).toMatchObject({ title: 'Delivered', words: 'Yesterday 15:12' });
    expect(headline({}).words).toBe('');
  });

  it('is until when the shipment can be collected while it waits for that', () => {
    const point = { kind: 'shop', id: null, name: null, address: null, place: null, hours: null };
    const at = (kept_until: ReturnType<typeof timeAt> | null) =>
      headline({ estimated: day('2026-05-12') }, 'available_for_pickup', { pickup_point: { ...point, kept_until } });
    expect(at(timeAt('2026-05-14T20:00'))).toMatchObject({ title: 'Collection', words: 'By 14 May 20:00' });
    expect(at(null)).toMatchObject({ words: 'Ready to be collected', isExpected: false });
    expect(headline({ estimated: day('2026-05-12') }, 'available_for_pickup').words).toBe('Tomorrow');
  });

  it('shows no expected delivery for a shipment that is returned or lost', () => {
    const back = { reason: null, tracking_number: null, to: null, started_at: null, completed_at: null };
    expect(headline({ estimated: day('2026-05-12') }, 'in_transit', { return: back }).words).toBe('Not delivered');
    for (const status of ['returned', 'failed', 'cancelled'])
      expect(headline({ estimated: day('2026-05-12') }, status)).toMatchObject({ words: 'Not delivered', time: null });
  });
});

describe('the promise', () => {
  const kept = (on_time: string, changes: Partial<WireShipment['delivery']> = {}, events: WireEvent[] = []) =>
    punctualityWords(
      {
        status: changes.actual ? 'delivered' : 'in_transit',
        return: null,
        delivery: { ...delivery, promised: timeAt('2026-05-10T12:00'), on_time, ...changes },
        events,
      },
      now,
    );
  const done = { actual: timeAt('2026-05-11T05:00') };

  it('is compared in words', () => {
    expect(kept('on_time')).toBe('On time.');
    expect(kept('on_time', done)).toBe('Delivered on time.');
    expect(kept('late')).toBe('Late: promised for yesterday 12:00.');
    expect(kept('early', done)).toBe('Delivered early: promised for yesterday 12:00.');
    expect(kept('unknown')).toBeNull();
    expect(kept('late', { promised: null })).toBeNull();
    expect(kept('in_dispute')).toBeNull();
  });

  it('is named with the window that was promised', () => {
    const promise = eventOf({
      code: 'delivered',
      classifier: 'planned',
      local: '2026-05-10T12:00',
      flags: ['superseded'],
      details: { ...noDetails, window: windowOf('2026-05-10T10:00', '2026-05-10T12:00') },
    });
    expect(kept('late', done, [promise])).toBe('Delivered late: promised for yesterday 10:00–12:00.');
  });
});

it('shows how a delivery was moved, with the windows as they were', () => {
  const eta = (local: string, kind = 'delivery') => ({
    eta: timeAt(local),
    kind,
    seen_at: '2026-05-09T00:00:00.000Z',
    source: 'carrier',
  });
  const first = eventOf({
    code: 'delivered',
    classifier: 'estimated',
    local: '2026-05-10T12:00',
    flags: ['superseded'],
    details: { ...noDetails, window: windowOf('2026-05-10T10:00', '2026-05-10T12:00') },
  });
  const moved = (...times: string[]) =>
    movedWords(
      { eta_history: [eta('2026-05-01T00:00', 'arrival'), ...times.map((at) => eta(at))], events: [first], delivery },
      now,
    );
  expect(moved('2026-05-10T12:00', '2026-05-11T16:00')).toBe('Moved once, from yesterday 10:00–12:00.');
  expect(moved('2026-05-10T12:00', '2026-05-11T16:00', '2026-05-12T16:00')).toBe(
    'Moved twice, from yesterday 10:00–12:00, then today 16:00.',
  );
  const late = { ...delivery, on_time: 'late' };
  const history = ['2026-05-10T12:00', '2026-05-11T16:00'].map((at) => eta(at));
  // The sentence about the promise says it.
  expect(movedWords({ eta_history: history, events: [first], delivery: late }, now)).toBeNull();
  expect(moved('2026-05-10T12:00')).toBeNull();
  expect(moved()).toBeNull();
});

it('lists failed attempts once for all pieces, newest first, with their reasons', () => {
  const attempt = (local: string, changes: Partial<WireEvent>) =>
    eventOf({ code: 'delivery_attempted', local, ...changes });
  const absent = { ...noDetails, status_detail: 'addressee_absent' };
  const attempts = attemptsOf([
    attempt('2026-05-09T10:00', { event_id: 'a', description: 'Sorry we missed you' }),
    attempt('2026-05-10T10:00', { event_id: 'b', details: { ...absent, piece: 'P1' } }),
    attempt('2026-05-10T10:00', { event_id: 'c', details: { ...absent, piece: 'P2' } }),
    attempt('2026-05-11T10:00', { event_id: 'd', flags: ['voided'] }),
    attempt('2026-05-12T10:00', { event_id: 'e', classifier: 'planned' }),
  ]);
  expect(attempts.map(({ eventId, reason }) => [eventId, reason])).toEqual([
    ['b', 'Nobody was there to receive it'],
    ['a', 'Sorry we missed you'],
  ]);
});

it('shows where a return is', () => {
  const back = {
    reason: null,
    tracking_number: null,
    to: null,
    started_at: timeAt('2026-05-10T08:00'),
    completed_at: null,
  };
  expect(returnWords({ return: null, pieces: [] }, now)).toBeNull();
  expect(returnWords({ return: back, pieces: [] }, now)).toBe('On its way back to the shipper since 10 May 08:00 UTC.');
  const done = { ...back, to: placeAt('NLVEN', null, null, 'Venlo'), completed_at: timeAt('2026-05-11T05:00') };
  expect(returnWords({ return: done, pieces: [] }, now)).toBe('Returned to Venlo on 11 May 05:00 UTC.');
  const pieces = (...all: string[]) =>
    all.map((status, index) => ({
      tracking_number: `1Z${index}`,
      status,
      status_detail: null,
      weight_kg: null,
      dimensions_cm: null,
    }));
  expect(returnWords({ return: back, pieces: pieces('delivered', 'returned', 'delivered') }, now)).toBe(
    '1 of 3 pieces is on the way back to the shipper since 10 May 08:00 UTC.',
  );
  expect(returnWords({ return: done, pieces: pieces('delivered', 'returned', 'returned') }, now)).toBe(
    '2 of 3 pieces were returned to Venlo on 11 May 05:00 UTC.',
  );
  expect(returnWords({ return: back, pieces: pieces('returned', 'returned') }, now)).toMatch(/^On its way back/);
});

it('shows the reason, the window and the share of the shipment of an event', () => {
  const about = (details: Partial<WireEvent['details']>, all: number | null = null) =>
    aboutWords({ code: 'departed', details: { ...noDetails, ...details } }, all, now);
  expect(about({ status_detail: 'refused' })).toEqual(['Refused by the addressee']);
  expect(about({ window: windowOf('2026-05-11T14:00', '2026-05-11T16:00') }).map(capital)).toEqual([
    'Today 14:00–16:00',
  ]);
  expect(about({ pieces_count: 8, uld: 'AKE12345LH' }, 12)).toEqual(['8 of 12 pieces', 'AKE12345LH']);
  expect(about({ pieces_count: 12 }, 12)).toEqual([]);
  expect(aboutWords({ code: 'lost', details: { ...noDetails, status_detail: 'lost' } }, 12, now)).toEqual([]);
  expect(aboutWords({ code: 'departed', details: null }, 12, now)).toEqual([]);
  const described = { code: 'delivery_attempted', description: 'Recipient said no', details: null };
  expect(eventWords(eventOf(described))).toBe('Recipient said no');
  const refused = { ...noDetails, status_detail: 'refused' };
  expect(eventWords(eventOf({ ...described, details: refused }))).toBe('Delivery attempted');
});
