import { expect, it } from 'vitest';
import { listsOfText } from '#shared/store/packing/lists-of-text.ts';

/** As journeys of shape 2 are stored. Databases hold such texts for good, so this one never changes. */
const stored =
  '"status_evidence":null,"eta_history":[{"eta":{"at":"2026-03-18T01:24:00.000Z","local":"2026-03-18T02:24:00",' +
  '"timezone":"Europe/Paris","zone_source":"location","precision":"second"},"kind":"arrival",' +
  '"seen_at":"2026-03-01T00:00:00.000Z","source":"carrier"}],"legs":[],"events_count":1,' +
  '"events":[{"event_id":"evt_01km5hx5h6ehnbzzazge1wtrgg","code":"delivered","classifier":"actual",' +
  '"time":{"at":"2026-03-18T01:24:00.000Z","local":"2026-03-18T02:24:00","timezone":"Europe/Paris",' +
  '"zone_source":"location","precision":"second"},"location":{"name":"Le Havre","unlocode":"FRLEH","iata":null,' +
  '"country":"FR","lat":49.4647,"lng":0.1494,"timezone":"Europe/Paris","facility":null},"leg_role":"pod",' +
  '"container":"MRSU2872842","leg":2,"vehicle":{"name":"EMMA","imo":"9321483","voyage":"12E","flight":null},' +
  '"description":null,"carrier_code":"DROP","carrier_description":"Dropped","source":"carrier",' +
  '"received_at":"2026-03-20T12:00:47.142Z","superseded_by":"evt_01km5hx5h6fw1822nb90t78bq6","fulfilled_by":null,' +
  '"flags":["superseded"]}]';

it('reads the events and the ETA history of a stored text', () => {
  const time = {
    at: '2026-03-18T01:24:00.000Z',
    local: '2026-03-18T02:24:00',
    timezone: 'Europe/Paris',
    zoneSource: 'location',
    precision: 'second',
  };
  expect(listsOfText(stored)).toEqual({
    etaHistory: [{ eta: time, kind: 'arrival', seenAt: '2026-03-01T00:00:00.000Z', source: 'carrier' }],
    events: [
      {
        id: '019d0b1e-9626-746a-bffd-5f8383cd6210',
        code: 'delivered',
        classifier: 'actual',
        time,
        location: {
          name: 'Le Havre',
          unlocode: 'FRLEH',
          iata: null,
          country: 'FR',
          lat: 49.4647,
          lng: 0.1494,
          timezone: 'Europe/Paris',
          facility: null,
        },
        legRole: 'pod',
        container: 'MRSU2872842',
        leg: 2,
        vehicle: { name: 'EMMA', imo: '9321483', voyage: '12E', flight: null },
        description: null,
        carrierCode: 'DROP',
        carrierDescription: 'Dropped',
        source: 'carrier',
        receivedAt: '2026-03-20T12:00:47.142Z',
        supersededBy: '019d0b1e-9626-7f02-810a-ab4834742ee6',
        fulfilledBy: null,
        flags: ['superseded'],
      },
    ],
  });
});

it('rejects a stored event whose id is no event id', () => {
  expect(() => listsOfText(stored.replace('evt_01km5hx5h6ehnbzzazge1wtrgg', 'evt_1'))).toThrow(/not one/);
});
