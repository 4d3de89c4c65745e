import { afterEach, describe, expect, it } from 'vitest';
import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import {
  type ParcelView,
  parcelAt,
  parcelTruth,
  pieceAt,
  pieceStatuses,
} from '#infra/tools/simulator/parcels/parcel-at.ts';
import type { ScanKind } from '#infra/tools/simulator/parcels/scans.ts';
import type { Variant } from '#infra/tools/simulator/parcels/variants.ts';
import { voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { Reading, StatedFacts, StatedRoute, TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';
import { findParcel } from './find-parcel.ts';

const seed = 'parcel-facts';
const minuteMs = 60_000;
const carriers = ['ups', 'fedex', 'dhl'] as const;

let close = async (): Promise<void> => undefined;
afterEach(() => close());

type Moment = { journey: Journey; view: ParcelView; reading: Reading };

/** Follows a parcel with a refresh after each of its scans and promises, until the moment that is asked for. */
function follow(connector: ParcelCarrier, variant: Variant) {
  const parcel = findParcel(connector, variant, { seed, lastDigit: 7 });
  const { clock, carrier, control, ...opened } = openSimulatedCarrier(connectors[connector], { seed, voyageS: 50 });
  close = opened.close;
  const firstSeenMs = clock.ms;
  const startMs = voyageStart(parcel, false, firstSeenMs);
  let stored: TrackingEvent[] = [];
  let facts: StatedFacts | undefined;
  let statedRoute: StatedRoute | undefined;
  const compose = () =>
    composeJourney(
      { events: stored, transportMode: 'parcel', statedRoute, facts, trackingNumber: parcel.number },
      clock.ms,
    );
  const refreshAt = async (ms: number): Promise<Moment> => {
    await control('first-seen', { reference: parcel.number, at: firstSeenMs });
    clock.ms = ms;
    const one = {
      ...subject({ tracking_number: parcel.number }, connector),
      createdAt: new Date(startMs).toISOString(),
      journey: compose(),
    };
    const results = await connectors[connector].fetch(carrier, [one], AbortSignal.timeout(patienceMs));
    const result = results.get(one.shipmentId);
    if (result?.outcome !== 'found') throw new Error(`${parcel.number}: ${result?.outcome}`);
    const { reading } = result;
    stored = mergeReading(stored, reading, ms).events;
    facts = mergeFacts(facts, reading.facts, { partial: reading.partial !== undefined });
    statedRoute = reading.route ?? statedRoute;
    return { journey: compose(), view: parcelAt(parcel, startMs, ms), reading };
  };
  const timeOf = (kind: ScanKind): number => {
    const scan = parcel.scans.find((each) => each.kind === kind);
    if (scan === undefined) throw new Error(`${parcel.number} has no scan ${kind}`);
    return startMs + scan.reportedMs + minuteMs;
  };
  return {
    parcel,
    startMs,
    refreshAt,
    control,
    upTo: (kind: ScanKind) => refreshAt(timeOf(kind)),
    atEnd: () => refreshAt(startMs + parcel.durationMs + minuteMs),
  };
}

describe.each(carriers)('a simulated parcel of %s', (connector) => {
  it('states its weight, its service and its dimensions', async () => {
    const { parcel, atEnd } = follow(connector, 'smooth');
    const { journey } = await atEnd();
    const [piece] = parcel.goods.pieces;
    expect(journey.weightKg).toBeCloseTo(piece.weightKg, 1);
    expect(journey.piecesCount).toBe(1);
    expect(journey.service?.name).toMatch(/UPS|FedEx|EXPRESS/);
    expect(journey.delivery.receivedBy).toBe(parcel.goods.recipient);
  });

  it('moves its window twice while it is out for delivery', async () => {
    const { parcel, startMs, refreshAt, atEnd } = follow(connector, 'moved_window');
    const ends = new Set<string | undefined>();
    // The first promise is of the label, the others are the courier's.
    for (const { publishedMs } of parcel.promises.slice(1)) {
      const { journey, view } = await refreshAt(startMs + publishedMs + minuteMs);
      ends.add(journey.delivery.window?.to?.at);
      expect(journey.delivery.window?.to?.at).toBe(new Date(view.expectedMs ?? 0).toISOString());
      if (connector !== 'ups')
        expect(journey.delivery.window?.from?.at).toBe(new Date(view.expectedFromMs ?? 0).toISOString());
    }
    expect(ends.size).toBe(3);
    expect((await atEnd()).journey).toMatchObject({ status: 'delivered', delivery: { attempts: 0 } });
  });

  it('is signed for by a neighbour', async () => {
    const { parcel, atEnd } = follow(connector, 'neighbour');
    const { journey } = await atEnd();
    expect(journey).toMatchObject({ status: 'delivered', statusDetail: 'delivered_to_neighbour' });
    expect(journey.delivery.receivedBy).toBe(parcel.goods.neighbour);
    expect(journey.delivery.proof.length).toBeGreaterThan(0);
  });

  it('is left at the door', async () => {
    const { journey } = await follow(connector, 'left_at_door').atEnd();
    expect(journey).toMatchObject({ status: 'delivered', statusDetail: 'left_at_door' });
    expect(journey.delivery.receivedBy).toBeNull();
    expect(journey.delivery.proof.map(({ kind }) => kind)).not.toContain('signature');
    if (connector === 'ups') expect(journey.delivery.proof.map(({ kind }) => kind)).toContain('photo');
  });

  it('waits at a locker and is collected there', async () => {
    const { upTo, atEnd } = follow(connector, 'locker');
    const { journey } = await upTo('ready');
    expect(journey.status).toBe('available_for_pickup');
    expect(journey.statusDetail).toMatch(/^awaiting_collection_at_/);
    expect(journey.pickupPoint).not.toBeNull();
    expect((await atEnd()).journey.status).toBe('delivered');
  });

  it('fails at a closed business, and is delivered on the next day', async () => {
    const { upTo, atEnd } = follow(connector, 'closed');
    expect((await upTo('closed')).journey).toMatchObject({
      status: 'out_for_delivery',
      statusDetail: 'business_closed',
      delivery: { attempts: 1 },
    });
    const { journey } = await atEnd();
    expect(journey).toMatchObject({ status: 'delivered', delivery: { attempts: 1 } });
    expect(journey.statusDetail).not.toBe('business_closed');
  });

  it('is refused and goes back', async () => {
    const { upTo, atEnd } = follow(connector, 'refused');
    expect((await upTo('refused')).journey).toMatchObject({ status: 'out_for_delivery', statusDetail: 'refused' });
    const { journey } = await atEnd();
    expect(journey.status).toBe('returned');
    expect(journey.returned?.startedAt).not.toBeNull();
    expect(journey.delivery).toMatchObject({ receivedBy: null, proof: [] });
  });

  it('waits in customs until the duties are paid', async () => {
    const { upTo, atEnd } = follow(connector, 'customs_payment');
    const { journey } = await upTo('customs_payment');
    expect(journey.statusDetail).toBe('payment_due');
    expect(journey.exceptions).toContainEqual(expect.objectContaining({ code: 'customs_hold', resolvedAt: null }));
    expect((await atEnd()).journey).toMatchObject({ status: 'delivered', hasException: false });
  });

  it('waits in customs for documents', async () => {
    const { upTo } = follow(connector, 'customs_hold');
    expect((await upTo('customs_hold')).journey.statusDetail).toBe('customs_documents_needed');
  });

  it('parts into pieces of their own fate', async () => {
    const { parcel, startMs, refreshAt } = follow(connector, 'several_pieces');
    const turns = parcel.scans.filter(({ piece }) => piece !== null);
    for (const { reportedMs } of turns) {
      const { journey, view } = await refreshAt(startMs + reportedMs + minuteMs);
      expect(journey.piecesCount).toBe(parcel.goods.pieces.length);
      // FedEx returns the one package that has the number, and how many there are.
      const seen = connector === 'fedex' ? pieceAt(view, 0) : view;
      expect(journey.status).toBe(parcelTruth(seen).status);
      if (connector === 'fedex') continue;
      const statuses = pieceStatuses(view);
      expect(Object.fromEntries(journey.pieces.map(({ trackingNumber, status }) => [trackingNumber, status]))).toEqual(
        Object.fromEntries(parcel.goods.pieces.map(({ number }, index) => [number, statuses[index]])),
      );
    }
    expect(turns.length).toBeGreaterThan(2);
  });
});

describe.each(carriers)('content of %s that can not be', (connector) => {
  /** The record before and after a response with this fault, at a moment when a delivery is expected. */
  async function spoil(fault: string) {
    const { parcel, startMs, refreshAt, control } = follow(connector, 'moved_window');
    const [, second, third] = parcel.promises;
    if (second === undefined || third === undefined) throw new Error('a window that moves has three promises');
    const before = await refreshAt(startMs + second.publishedMs + minuteMs);
    await control('faults', { reference: parcel.number, path: path[connector], faults: [{ kind: fault }] });
    return { parcel, before, after: await refreshAt(startMs + third.publishedMs + minuteMs) };
  }
  const path = {
    ups: '/sim/ups/api',
    fedex: '/sim/fedex/track',
    dhl: '/sim/dhl/track',
  };

  it('sets aside a window that ends before it begins, and keeps the shipment', async () => {
    const { before, after } = await spoil('reversed_window');
    expect(after.reading.unreadable).toMatchObject([{ reason: 'the window ends before it begins' }]);
    expect(after.journey.status).toBe(before.journey.status);
    expect(after.journey.delivery.estimated).not.toBeNull();
    expect(after.journey.delivery.window?.from?.at ?? '').not.toBe(new Date(after.view.expectedMs ?? 0).toISOString());
  });

  it('sets aside a weight below zero and keeps what was known', async () => {
    const { parcel, after } = await spoil('negative_weight');
    expect(after.reading.unreadable.length).toBeGreaterThan(0);
    for (const { reason } of after.reading.unreadable) expect(reason).toMatch(/weight/);
    expect(after.journey.weightKg).toBeCloseTo(parcel.goods.pieces[0].weightKg, 1);
  });

  it('reads 12,5 KGM as a weight or sets it aside, and never loses the shipment', async () => {
    const { parcel, before, after } = await spoil('worded_weight');
    const own = parcel.goods.pieces[0].weightKg;
    const isRead = after.journey.weightKg === 12.5;
    if (!isRead) expect(after.journey.weightKg).toBeCloseTo(own, 1);
    expect(isRead || after.reading.unreadable.length > 0).toBe(true);
    expect(after.journey.events.length).toBeGreaterThanOrEqual(before.journey.events.length);
  });

  it('keeps 200 of 400 pieces and how many there are', async () => {
    const { after } = await spoil('many_pieces');
    expect(after.journey.piecesCount).toBe(400);
    expect(after.journey.pieces.length).toBeLessThanOrEqual(200);
    expect(after.journey.status).toBe('out_for_delivery');
  });
});
