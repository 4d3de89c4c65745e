import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { registerDemoShipments } from '#infra/installation/demo-shipments.ts';
import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import { planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import { parcelAt, pieceStatuses } from '#infra/tools/simulator/parcels/parcel-at.ts';
import { demonstrationNumbers } from '#infra/tools/simulator/posting/plays.ts';
import { isFast, virtualNow, voyageStart } from '#infra/tools/simulator/voyages/clock.ts';
import { readEnv } from '#shared/config/env.ts';
import { demonstrationShipments, isDemonstration } from '#shared/domain/registration/demonstration.ts';

const registered: {
  carrier: string;
  reference: string;
  identifiers: Record<string, string>;
  tracking?: { mode: string };
}[] = [];
const api = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  registered.push(JSON.parse(body));
  response.writeHead(201).end('{}');
});
let apiUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
beforeEach(() => {
  registered.length = 0;
});
afterAll(() => api.close());

const carriersWith = async (environment: Record<string, string>) => {
  const place = { apiUrl, apiKey: 'the-key', env: readEnv(environment), simulatorUrl: 'http://127.0.0.1:9' };
  const count = await registerDemoShipments(place, new AbortController().signal);
  expect(count).toBe(registered.length);
  return registered.map(({ carrier }) => carrier).sort();
};

const all = demonstrationShipments.map(({ carrier }) => carrier).sort();

it('registers every demonstration shipment if all carriers are simulated', async () => {
  expect(await carriersWith({})).toEqual(all);
});

it('registers demonstration shipments with pushed events as pushed, and the simulator plays their numbers', async () => {
  await carriersWith({});
  const pushed = registered.filter(({ tracking }) => tracking?.mode === 'pushed');
  const numbers = pushed.flatMap(({ identifiers }) => Object.values(identifiers));
  expect(numbers).toEqual([...demonstrationNumbers.rail, ...demonstrationNumbers.trucks]);
  const ocean = demonstrationShipments.flatMap(({ transportMode, identifiers }) =>
    transportMode === 'ocean' ? [identifiers.mbl] : [],
  );
  expect(demonstrationNumbers.terminal).toEqual(ocean);
  registered.length = 0;
  expect(await carriersWith({ SIMULATOR_URL: 'http://127.0.0.1:9' })).not.toContain('OWN');
});

it('leaves out the carriers that this installation polls itself, by address or by credentials', async () => {
  const withAddress = await carriersWith({ CARRIER_MAERSK_BASE_URL: 'http://127.0.0.1:1' });
  expect(withAddress).toEqual(all.filter((carrier) => carrier !== 'MAEU'));
  registered.length = 0;
  const withCredentials = await carriersWith({
    CARRIER_HAPAG_LLOYD_CLIENT_ID: 'id',
    CARRIER_HAPAG_LLOYD_CLIENT_SECRET: 'secret',
  });
  expect(withCredentials).toEqual(all.filter((carrier) => carrier !== 'HLCU'));
  registered.length = 0;
  const withKey = await carriersWith({ CARRIER_DHL_API_KEY: 'key' });
  expect(withKey).toEqual(all.filter((carrier) => carrier !== 'dhl'));
});

it('shows at once pieces that have parted and a window of two hours, and within a minute a signed delivery', () => {
  const nowMs = Date.parse('2026-06-01T10:00:00Z');
  const seed = readEnv({}).SIMULATOR_SEED;
  const views = demonstrationShipments.flatMap(({ transportMode, carrier, identifiers }) => {
    if (transportMode !== 'parcel') return [];
    const number = identifiers.tracking_number ?? '';
    const parcel = planParcel(seed, carrier as ParcelCarrier, number);
    const [fast, startMs] = [isFast(number), voyageStart(parcel, isFast(number), nowMs)];
    return [parcelAt(parcel, startMs, fast ? nowMs : virtualNow(parcel, fast, nowMs, 50, nowMs))];
  });
  const [pieces, signed, window] = views;
  expect(pieces && new Set(pieceStatuses(pieces)).size).toBe(3);
  expect(signed?.scans.at(-1)?.kind).toBe('delivered');
  expect(window?.scans.at(-1)?.kind).toBe('out_for_delivery');
  expect((window?.expectedMs ?? 0) - nowMs).toBeGreaterThan(0);
  expect((window?.expectedMs ?? 0) - (window?.expectedFromMs ?? 0)).toBe(2 * 3_600_000);
});

it('recognizes its shipments by number and reference', () => {
  const ocean = { identifiers: { mbl: 'MAEU240117001' }, reference: 'demo-1' };
  expect(isDemonstration(ocean)).toBe(true);
  expect(isDemonstration({ ...ocean, reference: 'mine' })).toBe(false);
  expect(isDemonstration({ identifiers: { tracking_number: '771224011892' }, reference: 'demo-5' })).toBe(true);
  expect(isDemonstration({ identifiers: { tracking_number: '771224011892' }, reference: 'demo-6' })).toBe(false);
});
