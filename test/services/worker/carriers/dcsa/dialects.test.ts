import { describe, expect, test } from 'vitest';
import { ungroupHmmEvents } from '#services/worker/carriers/dcsa/ungroup-hmm-events.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import type { FetchResult, Identifiers } from '#shared/domain/record/shipment.ts';
import { patienceMs } from '#test/support/until.ts';
import { equipmentEvent, subject, transportEvent } from './fake-carrier.ts';
import { type Call, carrierOf, only, readingOf } from './fetch-at.ts';

const signal = () => AbortSignal.timeout(patienceMs);

async function readAs(connector: ConnectorCode, body: unknown): Promise<Reading> {
  const { context } = carrierOf(() => ({ body }));
  return readingOf(await connectors[connector].fetch(context, [subject({ booking: 'B1' })], signal()));
}

/** The queries of a refresh at a line that knows no number. */
async function asked(connector: ConnectorCode, carrier: string, identifiers: Identifiers): Promise<string[]> {
  const { context, calls } = carrierOf(() => ({ body: [] }));
  await connectors[connector].fetch(context, [subject(identifiers, carrier)], signal());
  return calls.filter(({ method }) => method === 'GET').map(({ url }) => decodeURIComponent(url.search.slice(1)));
}

async function failure(
  connector: ConnectorCode,
  reply: { status: number; body: unknown },
): Promise<FetchResult | undefined> {
  const { context } = carrierOf(() => reply);
  return [...(await connectors[connector].fetch(context, [subject({ booking: 'B1' })], signal())).values()][0];
}

describe('queries', () => {
  const bill = 'transportDocumentReference';
  test.each([
    ['cma-cgm', 'CMDU', 'CMDUSHZ123456', [`${bill}=SHZ123456&limit=100`, `${bill}=CMDUSHZ123456&limit=100`]],
    ['cma-cgm', 'ANNU', 'ANLCSHZ123456', [`${bill}=SHZ123456&limit=100`, `${bill}=ANLCSHZ123456&limit=100`]],
    ['msc', 'MSCU', 'MEDUAB123456', [`${bill}=AB123456`, `${bill}=MEDUAB123456`]],
    ['msc', 'MSCU', 'AB123456', [`${bill}=AB123456`, `${bill}=MEDUAB123456`]],
    [
      'one',
      'ONEY',
      'SH9AB1234500',
      [`${bill}=SH9AB1234500`, `${bill}=ONEYSH9AB1234500`].map(
        (query) => `${query}&eventType=TRANSPORT&eventType=EQUIPMENT&limit=100`,
      ),
    ],
    ['yang-ming', 'YMLU', 'YMJAI123456', [`${bill}=I123456`, `${bill}=YMJAI123456`]],
    ['zim', 'ZIMU', 'ZIMUSNH123456', [`${bill}=ZIMUSNH123456`]],
    ['zim', 'ZIMU', 'SNH123456', [`${bill}=ZIMUSNH123456`]],
    ['evergreen', 'EGLV', 'EGLV003600123456', [`${bill}=003600123456&limit=100`]],
    ['evergreen', 'EGLV', 'EISU003600123456', [`${bill}=003600123456&limit=100`]],
    ['hmm', 'HDMU', 'HDMUSELM96466400', ['carrierBookingReference=SELM96466400&equipmentReference=ZZ']],
  ] as const)('queries %s for %s %s', async (connector, carrier, mbl, queries) => {
    const { context, calls } = carrierOf(
      ({ method }) => (method === 'POST' ? { body: { access_token: 't' } } : { body: [] }),
      {
        authUrl: 'https://carrier.example/token',
      },
    );
    await connectors[connector].fetch(context, [subject({ mbl }, carrier)], signal());
    expect(
      calls.filter(({ method }) => method === 'GET').map(({ url }) => decodeURIComponent(url.search.slice(1))),
    ).toEqual(queries);
  });

  test('hmm queries once when booking and B/L are the same number, and never by container alone', async () => {
    expect(await asked('hmm', 'HDMU', { booking: 'SELM96466400', mbl: 'HDMUSELM96466400' })).toHaveLength(1);
    const { context, calls } = carrierOf(() => ({ body: [] }));
    const [result] = (
      await connectors.hmm.fetch(context, [subject({ container: 'HMMU1234567' }, 'HDMU')], signal())
    ).values();
    expect(result).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
      detail: expect.stringContaining('booking'),
    });
    expect(calls).toEqual([]);
  });

  test('rejects a number that fails the line’s own validation without a call', async () => {
    const { context, calls } = carrierOf(() => ({ body: [] }));
    const [result] = (await connectors.maersk.fetch(context, [subject({ container: 'MSKU12' })], signal())).values();
    expect(result).toMatchObject({ reason: 'invalid_identifier', permanent: true });
    expect(calls).toEqual([]);
  });
});

describe('cma-cgm', () => {
  test.each([
    [{ transportationPhase: 'Transshipment', shipmentLocationType: 'PTS' }, 'transshipment'],
    [{ transportationPhase: 'Transshipment' }, 'transshipment'],
    [{ transportationPhase: 'Export', shipmentLocationType: 'POL' }, 'pol'],
    [{ transportationPhase: 'Import', shipmentLocationType: 'POD' }, 'pod'],
    [{ shipmentLocationType: 'PRE' }, 'origin'],
    [{ shipmentLocationType: 'PDE' }, 'destination'],
    [{ transportationPhase: 'Export' }, 'unknown'],
    [{ transportationPhase: 'Import' }, 'unknown'],
    [{}, 'unknown'],
  ])('maps %o to the leg role %s', async (carrierSpecificData, legRole) => {
    const raw = equipmentEvent('DISC', { eventID: '726e480af8f7d9635e7b216d5c17cfae28343285', carrierSpecificData });
    expect(only((await readAs('cma-cgm', [raw])).events)).toMatchObject({ code: 'discharged', legRole });
  });

  test('ignores extra reference types and a hashed booking', async () => {
    const raw = equipmentEvent('LOAD', {
      references: [
        { referenceType: 'LOAD', referenceValue: 'x' },
        { referenceType: '3PID', referenceValue: 'y' },
      ],
      documentReferences: [{ documentReferenceType: 'BKG', documentReferenceValue: 'a'.repeat(64) }],
    });
    expect(only((await readAs('cma-cgm', [raw])).events).code).toBe('loaded');
  });
});

describe('msc', () => {
  const call = {
    transportCallId: '1',
    modeOfTransport: 'VESSEL',
    unLocationCode: 'NLRTM',
    exportVoyageNumber: 'FA412A',
    location: { locationName: 'Rotterdam', unLocationCode: 'NLRTM', address: 'Europaweg 1, Rotterdam, Netherlands' },
    vessel: { vesselIMONumber: 9321483, vesselName: 'MSC TEST', vesselOperatorCarrierCodeList: 'SMDG' },
  };

  test('reads a local time marked Z as local, and trusts an explicit offset', async () => {
    const stamped = transportEvent('ARRI', { eventDateTime: '2026-07-01T10:00:00Z', transportCall: call });
    const exact = transportEvent('DEPA', { eventDateTime: '2026-07-02T10:00:00+02:00', transportCall: call });
    const [arrival, departure] = (await readAs('msc', [stamped, exact])).events;
    expect(arrival).toMatchObject({
      location: { unlocode: 'NLRTM' },
      vehicle: { imo: '9321483', voyage: 'FA412A' },
      time: {
        at: '2026-07-01T08:00:00.000Z',
        local: '2026-07-01T10:00:00',
        zoneSource: 'location',
        timezone: 'Europe/Amsterdam',
      },
    });
    expect(departure?.time).toMatchObject({ at: '2026-07-02T08:00:00.000Z', zoneSource: 'carrier' });
  });

  test('reads repeated ids, duplicates, seals without type, and texts for addresses and descriptions', async () => {
    const raw = equipmentEvent('LOAD', {
      eventID: undefined,
      eventId: 'EST2022-12-26T04:00:00:00-03:00',
      description: 'Export Loaded on Vessel',
      seals: [{ sealNumber: 'FX1', sealSource: 'TER' }, { sealNumber: 'FX2', sealSource: 'VNT' }, 'FX3', null],
      eventLocation: { unLocationCode: 'CNSHA', address: 'Yangshan, Shanghai' },
    });
    const { events, unreadable } = await readAs('msc', [raw, raw]);
    expect(unreadable).toEqual([]);
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      sourceEventId: 'EST2022-12-26T04:00:00:00-03:00',
      seals: ['FX3', 'FX1', 'FX2'],
      description: 'Export Loaded on Vessel',
      location: { unlocode: 'CNSHA' },
    });
  });

  test('rejects an event without classifier, because it could be a plan', async () => {
    const raw = equipmentEvent('LOAD', {
      eventID: undefined,
      eventCreatedDateTime: undefined,
      eventClassifierCode: undefined,
    });
    const { events, unreadable } = await readAs('msc', [raw, equipmentEvent('DISC')]);
    expect(events).toHaveLength(1);
    expect(unreadable[0]?.reason).toBe('eventClassifierCode is missing');
  });

  test('maps its 404 to not found', async () => {
    const result = await failure('msc', {
      status: 404,
      body: { message: 'Container, Bill of Lading, or Booking: not found' },
    });
    expect(result).toMatchObject({ outcome: 'not_found', httpStatus: 404 });
  });
});

describe('one', () => {
  test('maps a feeder to a vessel, and accepts a vessel without IMO number', async () => {
    const raw = transportEvent('DEPA', {
      transportCall: { modeOfTransport: 'FEEDER', UNLocationCode: 'SGSIN', vessel: { vesselName: 'FEEDER ONE' } },
    });
    expect(only((await readAs('one', [raw])).events)).toMatchObject({
      code: 'departed',
      mode: 'ocean',
      vehicle: { name: 'FEEDER ONE', imo: null },
    });
  });

  test('includes its own error text in the detail', async () => {
    const result = await failure('one', { status: 401, body: { ErrorCode: '401', Error: 'Invalid ApiKey' } });
    expect(result).toMatchObject({ reason: 'carrier_auth_failed', detail: expect.stringContaining('Invalid ApiKey') });
  });
});

describe('zim', () => {
  test('keeps a transport event without transport call but moves nothing', async () => {
    const raw = transportEvent('ARRI', { transportCall: undefined });
    expect(only((await readAs('zim', [raw])).events)).toMatchObject({
      code: 'other',
      carrierCode: 'ARRI',
      location: null,
      vehicle: null,
    });
  });
});

describe('evergreen', () => {
  test('maps PLAN to planned and ignores empty strings', async () => {
    const vessel = { vesselIMONumber: '', vesselName: '', vesselFlag: '', vesselCallSignNumber: '' };
    const raw = transportEvent('ARRI', {
      eventClassifierCode: 'PLAN',
      transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: 'NLRTM', importVoyageNumber: '', vessel },
    });
    const { context } = carrierOf(
      ({ method }) => (method === 'POST' ? { body: { access_token: 't' } } : { body: [raw] }),
      {
        authUrl: 'https://carrier.example/token',
      },
    );
    const { events } = readingOf(await connectors.evergreen.fetch(context, [subject({ booking: 'B1' })], signal()));
    expect(only(events)).toMatchObject({ code: 'arrived', classifier: 'planned', vehicle: null });
  });
});

describe('hmm', () => {
  const grouped = {
    shipment: { carrierBookingReference: 'SELM1', carrierID: 'HDMU' },
    transport: { modeOfTransportCode: 'Vessel' },
    equipment: { equipmentReference: 'HMMU1234567', ISOEquipmentCode: '45G1' },
    shipmentEvent: [
      {
        eventType: 'Shipment',
        eventClassifierCode: 'ACT',
        eventDateTime: '2026-04-01T18:07:22+09:00',
        shipmentEventTypeCode: 'RECE',
        documentId: 'SELM1',
        documentTypeCode: 'CBR',
      },
    ],
    transportEvent: [
      {
        eventType: 'Transport',
        eventClassifierCode: 'EST',
        eventDateTime: '2026-04-20T10:00:00+09:00',
        transportEventTypeCode: 'DEPA',
        transportCall: { modeOfTransport: 'Vessel', UNLocationCode: 'KRPUS', location: 'KRPUS' },
      },
      {
        eventType: 'Transport',
        eventClassifierCode: 'ACT',
        eventDateTime: '2026-04-14T16:43:00+09:00',
        transportEventTypeCode: 'ARRI',
        transportCall: {
          modeOfTransport: 'Truck',
          UNLocationCode: 'KRPUS',
          facilityTypeCode: 'KRPUSPNC',
          location: 'KRPUS',
        },
      },
    ],
    equipmentEvent: [
      {
        eventType: 'Equipment',
        eventClassifierCode: 'ACT',
        eventDateTime: '2026-04-14T16:43:00+09:00',
        equipmentEventTypeCode: 'LOAD',
        emptyIndicatorCode: 'Laden',
        eventLocation: 'KRPUS',
        transportCall: { modeOfTransport: 'Vessel', facilityCode: 'KRPUSPNC' },
      },
    ],
    transportCall: [
      {
        UNLocationCode: 'KRPUS',
        exportVoyageNumber: '0080E',
        modeOfTransport: 'VESSEL',
        vessel: { vesselIMONumber: '9321483', vesselName: 'HMM TEST' },
      },
    ],
  };

  test('reads the grouped response as a list of events and completes them from the shared fields', async () => {
    const { events, unreadable } = await readAs('hmm', grouped);
    expect(unreadable).toEqual([]);
    expect(events).toMatchObject([
      { code: 'information_received', document: 'SELM1', classifier: 'actual' },
      {
        code: 'departed',
        classifier: 'estimated',
        location: { unlocode: 'KRPUS' },
        vehicle: { name: 'HMM TEST', imo: '9321483', voyage: '0080E' },
      },
      { code: 'arrived_at_facility', mode: 'road', vehicle: null },
      {
        code: 'loaded',
        container: 'HMMU1234567',
        isoType: '45G1',
        empty: false,
        location: { unlocode: 'KRPUS', facility: 'KRPUSPNC' },
      },
    ]);
  });

  test('does not guess between two calls of one port, reads a list of groups, and rejects other shapes', async () => {
    const twice = { ...grouped, transportCall: [...grouped.transportCall, ...grouped.transportCall] };
    expect((await readAs('hmm', [twice, grouped])).events).toHaveLength(8);
    expect((await readAs('hmm', twice)).events[1]?.vehicle).toBeNull();
    expect(await failure('hmm', { status: 200, body: { resultCode: 'E' } })).toMatchObject({
      reason: 'unrecognized_response',
    });
  });

  test('maps groups without events to not found', async () => {
    expect(
      await failure('hmm', { status: 200, body: { shipmentEvent: [], transportEvent: [], equipmentEvent: null } }),
    ).toMatchObject({
      outcome: 'not_found',
    });
  });
});

describe('codes of every line', () => {
  test.each(['45G1', '45RT', '4530', 4310, ' 22g1 '])(
    'keeps ISO type %s as written, in upper case',
    async (ISOEquipmentCode) => {
      const { isoType } = only((await readAs('dcsa', [equipmentEvent('LOAD', { ISOEquipmentCode })])).events);
      expect(isoType).toBe(String(ISOEquipmentCode).trim().toUpperCase());
    },
  );

  test('derives the port from a BIC facility code but not from an SMDG code', async () => {
    const at = (facilityCode: string) =>
      transportEvent('ARRI', { transportCall: { modeOfTransport: 'VESSEL', facilityCode } });
    const [bic, smdg] = (await readAs('dcsa', [at('CNSHAYSGT'), at('SGICT')])).events;
    expect(bic?.location).toMatchObject({ unlocode: 'CNSHA', facility: 'CNSHAYSGT' });
    expect(smdg?.location).toMatchObject({ unlocode: null, facility: 'SGICT' });
  });

  test('keeps a delay reason', async () => {
    expect(only((await readAs('dcsa', [transportEvent('ARRI', { delayReasonCode: 'WEA' })])).events).delayReason).toBe(
      'WEA',
    );
  });

  test('leaves out a retracted event, and does not call it unreadable', async () => {
    const { events, unreadable } = await readAs('dcsa', [equipmentEvent('LOAD', { isRetracted: true })]);
    expect(events).toEqual([]);
    expect(unreadable).toEqual([]);
  });
});

describe('cacheable responses', () => {
  const pages = (headers: Record<string, string>) =>
    carrierOf(() => ({ body: [equipmentEvent('LOAD')], headers }), { clientId: null });
  const fetchTwice = async (
    { context, clock }: ReturnType<typeof pages>,
    afterMs: number,
    second = subject({ booking: 'B1' }, 'CMDU'),
  ) => {
    const first = readingOf(await connectors['cma-cgm'].fetch(context, [subject({ booking: 'B1' }, 'CMDU')], signal()));
    clock.ms += afterMs;
    expect(readingOf(await connectors['cma-cgm'].fetch(context, [second], signal()))).toEqual(first);
  };

  test.each([
    ['max-age=3600', 3_599_000, 1],
    ['max-age=3600', 3_600_000, 2],
    ['public, max-age=60', 61_000, 2],
    ['no-store', 1, 2],
    ['', 3_599_000, 1],
    ['', 3_600_001, 2],
  ])('with Cache-Control "%s", two refreshes %i ms apart make %i calls', async (control, afterMs, count) => {
    const carrier = pages(control === '' ? {} : { 'cache-control': control });
    await fetchTwice(carrier, afterMs);
    expect(carrier.calls).toHaveLength(count);
  });

  test('does not cache a response that can’t be parsed', async () => {
    let answered = 0;
    const { context, calls } = carrierOf(
      () => (answered++ === 0 ? { body: { unexpected: true } } : { body: [equipmentEvent('LOAD')] }),
      {
        clientId: null,
      },
    );
    const refresh = () => connectors['cma-cgm'].fetch(context, [subject({ booking: 'B1' }, 'CMDU')], signal());
    expect([...(await refresh()).values()]).toMatchObject([{ outcome: 'error', reason: 'unrecognized_response' }]);
    readingOf(await refresh());
    expect(calls).toHaveLength(2);
  });

  test('shares cached responses between refreshes with separate call budgets', async () => {
    const { context, calls } = pages({});
    for (const _ of [1, 2]) {
      const refresh = await connectors['cma-cgm'].fetch(
        { ...context, budget: { ...context.budget } },
        [subject({ booking: 'B1' }, 'CMDU')],
        signal(),
      );
      readingOf(refresh);
    }
    expect(calls).toHaveLength(1);
  });

  test('calls again after credentials are replaced', async () => {
    const { context, calls } = pages({});
    for (const settings of [context.settings, { ...context.settings, apiKey: 'another' }]) {
      readingOf(
        await connectors['cma-cgm'].fetch({ ...context, settings }, [subject({ booking: 'B1' }, 'CMDU')], signal()),
      );
    }
    expect(calls).toHaveLength(2);
  });

  test('never shares a response between accounts', async () => {
    const carrier = pages({});
    await fetchTwice(carrier, 1000, {
      ...subject({ booking: 'B1' }, 'CMDU'),
      accountId: '018f0000-0000-7000-8000-00000000000f',
    });
    expect(carrier.calls).toHaveLength(2);
  });

  test('does not cache a failure', async () => {
    let count = 0;
    const carrier = carrierOf(() => (++count === 1 ? { status: 503, body: {} } : { body: [equipmentEvent('LOAD')] }), {
      clientId: null,
    });
    await connectors['cma-cgm'].fetch(carrier.context, [subject({ booking: 'B1' }, 'CMDU')], signal());
    readingOf(await connectors['cma-cgm'].fetch(carrier.context, [subject({ booking: 'B1' }, 'CMDU')], signal()));
  });

  test('calls other lines each time', async () => {
    const { context, calls } = carrierOf(() => ({
      body: [equipmentEvent('LOAD')],
      headers: { 'cache-control': 'max-age=3600' },
    }));
    for (const _ of [1, 2]) await connectors['yang-ming'].fetch(context, [subject({ booking: 'B1' })], signal());
    expect(calls).toHaveLength(2);
  });
});

test('sends each line its own key', async () => {
  const expected: [ConnectorCode, string][] = [
    ['yang-ming', 'KeyId'],
    ['zim', 'Ocp-Apim-Subscription-Key'],
    ['hmm', 'x-Gateway-APIKey'],
    ['msc', 'Ocp-Apim-Subscription-Key'],
    ['cma-cgm', 'keyId'],
  ];
  for (const [connector, header] of expected) {
    const { context, calls } = carrierOf(() => ({ body: [] }), { clientId: null });
    await connectors[connector].fetch(context, [subject({ booking: 'B1' })], signal());
    const [call]: (Call | undefined)[] = calls;
    expect(call?.headers).toMatchObject({ [header]: 'key' });
    expect(call?.headers).not.toHaveProperty('authorization');
  }
});

test('HMM’s mode of transport may be an object', () => {
  const call = { modeOfTransport: { toString: 2 }, UNLocationCode: 'CNXMN' };
  expect(ungroupHmmEvents({ transportEvent: [{ transportCall: call }] })).toEqual([
    { eventType: 'TRANSPORT', transportCall: call },
  ]);
});
