import { describe, expect, it } from 'vitest';
import { dhl } from '#services/worker/carriers/dhl/dhl.ts';
import { fedex } from '#services/worker/carriers/fedex/fedex.ts';
import { ups } from '#services/worker/carriers/ups/ups.ts';
import { readThrough } from '../fields/read-fixtures.ts';

type Fields = Record<string, unknown>;

const upsNumber = '1Z5R89390357567127';
const fedexNumber = '794643569140';
const dhlNumber = '7777777770';

const readUps = (...packages: Fields[]) =>
  readThrough(ups, upsNumber)({ trackResponse: { shipment: [{ package: packages }] } });
const readFedex = (result: Fields) =>
  readThrough(
    fedex,
    fedexNumber,
  )({
    output: {
      completeTrackResults: [
        {
          trackingNumber: fedexNumber,
          trackResults: [{ trackingNumberInfo: { trackingNumber: fedexNumber }, scanEvents: [], ...result }],
        },
      ],
    },
  });
const readDhl = (shipment: Fields) => readThrough(dhl, dhlNumber)({ shipments: [{ id: dhlNumber, ...shipment }] });

describe('a window that ends before it begins', () => {
  it.each([
    [
      'UPS',
      () =>
        readUps({
          trackingNumber: upsNumber,
          deliveryDate: [{ type: 'SDD', date: '20260212' }],
          deliveryTime: { type: 'EDW', startTime: '140000', endTime: '100000' },
        }),
      '2026-02-12',
    ],
    [
      'FedEx',
      () =>
        readFedex({
          dateAndTimes: [{ type: 'ESTIMATED_DELIVERY', dateTime: '2026-02-12T17:00:00' }],
          estimatedDeliveryTimeWindow: { window: { begins: '2026-02-12T14:00:00', ends: '2026-02-12T10:00:00' } },
        }),
      '2026-02-12T17:00:00',
    ],
    [
      'DHL',
      () =>
        readDhl({
          events: [],
          estimatedTimeOfDelivery: '2026-02-12T17:00:00',
          estimatedDeliveryTimeFrame: {
            estimatedFrom: '2026-02-12T14:00:00',
            estimatedThrough: '2026-02-12T10:00:00',
          },
        }),
      '2026-02-12T17:00:00',
    ],
  ])('of %s is set aside, and the expected delivery stays', async (_, read, local) => {
    const { events, unreadable } = await read();
    expect(unreadable.map(({ reason }) => reason)).toEqual(['the window ends before it begins']);
    expect(events).toMatchObject([{ code: 'delivered', classifier: 'estimated', time: { local } }]);
    expect(events[0]?.details).toBeUndefined();
  });
});

describe('a weight that is none', () => {
  it.each([
    ['-1', 'KGS', undefined, 'the weight is negative'],
    ['12,5 KGM', 'LBS', 12.5, null],
    ['12,500', 'KGS', undefined, 'the weight is ambiguous'],
    ['0', 'KGS', undefined, null],
    ['heavy', 'KGS', undefined, 'the weight is not a number'],
  ])('%s in %s is read as %s', async (weight, unit, kg, reason) => {
    const readings = [
      await readUps({ trackingNumber: upsNumber, weight: { weight, unitOfMeasurement: unit } }),
      await readFedex({ shipmentDetails: { weight: [{ value: weight, unit }] } }),
      await readDhl({ events: [], details: { weight: { value: weight, unitText: unit } } }),
    ];
    for (const { facts, unreadable } of readings) {
      expect(facts?.weightKg).toBe(kg);
      expect(unreadable.map((each) => each.reason)).toEqual(reason === null ? [] : [reason]);
    }
  });
});

describe('400 pieces', () => {
  const ids = Array.from({ length: 400 }, (_, index) => `JD0146000000000${String(index).padStart(4, '0')}`);

  it('of DHL are kept up to 200 with their events, and the count states their number', async () => {
    const events = ids.map((id, index) => ({
      timestamp: '2026-03-02T07:53:47Z',
      statusCode: index % 2 === 0 ? 'delivered' : 'failure',
      pieceIds: [id],
    }));
    const { facts, events: read, unreadable } = await readDhl({ details: { pieceIds: ids }, events });
    expect(facts).toMatchObject({ piecesCount: 400, pieces: { length: 200 } });
    expect(new Set(read.map(({ details }) => details?.piece))).toEqual(new Set(ids.slice(0, 200)));
    expect(new Set(unreadable.map(({ reason }) => reason))).toEqual(
      new Set(['the event is about pieces beyond the first 200']),
    );
  });

  it('of UPS are read up to 200 packages, and the count states their number', async () => {
    const packages = ids.map((trackingNumber) => ({
      trackingNumber,
      activity: [{ date: '20260210', status: { type: 'D' } }],
      deliveryInformation: { receivedBy: 'X' },
    }));
    const { facts, events } = await readUps(...packages);
    expect(facts).toMatchObject({ piecesCount: 400, pieces: { length: 200 }, proof: { length: 200 } });
    expect(events).toHaveLength(200);
  });

  it('of DHL make no more than 2,000 events if each event names all but one of them', async () => {
    const events = Array.from({ length: 60 }, (_, index) => ({
      timestamp: `2026-03-02T07:${String(index).padStart(2, '0')}:00Z`,
      statusCode: 'transit',
      pieceIds: ids.slice(1),
    }));
    const { events: read, unreadable } = await readDhl({ details: { pieceIds: ids }, events });
    expect(read.length).toBeLessThanOrEqual(2000);
    expect(read.length).toBeGreaterThan(1000);
    expect(unreadable).toContainEqual(expect.objectContaining({ reason: 'the events name too many pieces' }));
    expect(read[0]?.raw).toMatchObject({ pieceIds: [read[0]?.details?.piece] });
  });
});

it('cuts endless texts, and drops an endless handle', async () => {
  const endless = 'x'.repeat(100_000);
  const { facts } = await readDhl({
    events: [{ timestamp: '2026-03-02T07:53:47Z', statusCode: 'delivered', description: endless, remark: endless }],
    destination: { servicePoint: { label: endless }, address: { streetAddress: endless } },
    details: {
      product: { productName: endless },
      pieceIds: [endless],
      proofOfDelivery: { documentUrl: `https://dhl.com/${endless}`, signed: { name: endless } },
    },
  });
  expect(facts?.service?.name).toHaveLength(500);
  expect(facts?.receivedBy).toHaveLength(500);
  expect(facts?.pickupPoint?.name).toHaveLength(500);
  expect(facts?.proof).toBeUndefined();
  const held = await readFedex({
    customDeliveryOptions: [{ type: 'REDIRECT_TO_HOLD_AT_LOCATION', status: 'HELD' }],
    holdAtLocation: {
      locationId: endless,
      locationContactAndAddress: { address: { city: 'X', streetLines: Array(9).fill(endless) } },
    },
  });
  expect(held.facts?.pickupPoint?.id).toHaveLength(500);
  expect(held.facts?.pickupPoint?.address).toHaveLength(500);
});

describe('facts of the wrong type', () => {
  const wrong: unknown[] = [null, 0, -1, true, '', 'text', [], {}, [[]], [null], { value: {} }];

  it.each(wrong.map((value) => [JSON.stringify(value), value]))('%s lose nothing else', async (_, value) => {
    const fieldsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value]));
    const ofUps = await readUps({
      ...fieldsOf([
        'deliveryDate',
        'deliveryTime',
        'deliveryInformation',
        'accessPointInformation',
        'service',
        'weight',
      ]),
      ...fieldsOf(['dimension', 'packageCount', 'paymentInformation', 'additionalServices', 'packageAddress']),
      trackingNumber: upsNumber,
      activity: [{ date: '20260210', status: { type: 'D' } }],
    });
    const ofFedex = await readFedex({
      ...fieldsOf(['serviceDetail', 'deliveryDetails', 'packageDetails', 'shipmentDetails', 'holdAtLocation']),
      ...fieldsOf(['availableImages', 'returnDetail', 'reasonDetail', 'additionalTrackingInfo', 'pieceCounts']),
      ...fieldsOf(['customDeliveryOptions', 'estimatedDeliveryTimeWindow', 'standardTransitTimeWindow']),
      ...fieldsOf(['latestStatusDetail', 'dateAndTimes']),
      scanEvents: [{ date: '2026-02-10T07:00:00Z', eventType: 'DL' }],
    });
    const ofDhl = await readDhl({
      ...fieldsOf(['details', 'destination', 'origin', 'estimatedDeliveryTimeFrame', 'returnFlag', 'status']),
      events: [{ timestamp: '2026-02-10T07:00:00Z', statusCode: 'delivered' }],
    });
    for (const { events } of [ofUps, ofFedex, ofDhl])
      expect(events.map(({ code }) => code).filter((code) => code === 'delivered' || code === 'returned')).toHaveLength(
        1,
      );
  });
});

it('reads the official example of DHL: eleven pieces where it counts eight', async () => {
  const { facts, events } = await readDhl({
    service: 'express',
    estimatedTimeOfDelivery: '2018-08-03T00:00:00Z',
    estimatedDeliveryTimeFrame: { estimatedFrom: '2018-08-03T00:00:00Z', estimatedThrough: '2018-08-03T22:00:00Z' },
    estimatedTimeOfDeliveryRemark: 'By End of Day',
    details: {
      carrier: { '@type': 'Organization', organizationName: 'EXPRESS' },
      product: { productName: 'UNKNOWN - Product unknown' },
      proofOfDelivery: {
        timestamp: '2018-09-05T16:33:00Z',
        signatureUrl: 'string',
        documentUrl: 'https://webpod.dhl.com/webPOD/DHLePODRequest',
        signed: { '@type': 'Person', familyName: 'Doe', givenName: 'John', name: 'John' },
      },
      totalNumberOfPieces: 8,
      pieceIds: Array.from({ length: 11 }, (_, index) => `JD01460000628123070${index}`),
      weight: { value: 253.5, unitText: 'kg' },
      volume: { value: 12_600 },
      loadingMeters: 1.5,
      dimensions: { width: { value: 20, unitText: 'cm' }, height: { value: 18, unitText: 'cm' } },
    },
    events: [{ timestamp: '2018-03-02T07:53:47Z', statusCode: 'pre-transit', status: 'DELIVERED' }],
  });
  expect(facts).toEqual({
    service: { code: 'express', name: 'UNKNOWN - Product unknown' },
    weightKg: 253.5,
    piecesCount: 8,
    pieces: expect.objectContaining({ length: 11 }),
    receivedBy: 'John Doe',
    proof: [
      { kind: 'document', handle: 'https://webpod.dhl.com/webPOD/DHLePODRequest', piece: null, unavailable: true },
    ],
  });
  expect(events).toMatchObject([
    { code: 'information_received' },
    { code: 'delivered', carrierDescription: 'By End of Day', details: { window: { from: {}, to: {} } } },
  ]);
});

it('reads published examples that fill weight and count with zero as not stated', async () => {
  const { facts, unreadable } = await readDhl({
    service: 'dsc',
    events: [],
    details: {
      product: { productName: 'Transport Order' },
      totalNumberOfPieces: 0,
      weight: { value: 0, unitText: 'KG' },
    },
  });
  expect(facts).toEqual({ service: { code: 'dsc', name: 'Transport Order' } });
  expect(unreadable).toEqual([]);
});
