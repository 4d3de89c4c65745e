import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createFaultDice } from '#infra/tools/simulator/faults/fault-dice.ts';
import { contentFaults } from '#infra/tools/simulator/faults/faults.ts';
import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import { planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import { photoPng, proofPdf, signaturePng } from '#infra/tools/simulator/parcels/proof-images.ts';
import { type Variant, variants } from '#infra/tools/simulator/parcels/variants.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';

const seed = 'proof';
const clock = { ms: 0 };
let app: FastifyInstance;
afterEach(() => app?.close());

function open(): void {
  clock.ms = Date.parse('2026-03-20T12:00:00Z');
  app = buildSimulator({ seed, now: () => clock.ms, voyageS: 100, stateFile: null, control: true });
}

type ProvingCarrier = Exclude<ParcelCarrier, 'gls' | 'usps'>;

const numbers: Record<ProvingCarrier, (index: number) => string> = {
  ups: (index) => `1Z999AA1${1_000_001 + index * 13}${index % 5}`,
  fedex: (index) => `5678${1_000_001 + index * 13}${index % 5}`,
  dhl: (index) => `5678${1_000_001 + index * 13}${index % 5}`,
};

/** The first number of this kind of parcel. It plays in fast motion. */
function numberOf(carrier: ProvingCarrier, variant: Variant): string {
  for (let index = 0; index < 1000; index += 1) {
    const number = numbers[carrier](index);
    if (!number.includes('404') && planParcel(seed, carrier, number).variant === variant) return number;
  }
  throw new Error(`no ${variant}`);
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, payload: object | string, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url, payload, headers });

async function askUps(number: string, query: string) {
  const basic = { authorization: `Basic ${Buffer.from('id:right').toString('base64')}` };
  const token = await post('/sim/ups/security/v1/oauth/token', 'grant_type=client_credentials', { ...form, ...basic });
  const headers = { authorization: `Bearer ${token.json().access_token}`, transid: '1', transactionsrc: 'test' };
  return app.inject({ url: `/sim/ups/api/track/v1/details/${number}?${query}`, headers });
}

async function askFedex(number: string, documentFormat: string) {
  const token = await post(
    '/sim/fedex/oauth/token',
    'grant_type=client_credentials&client_id=id&client_secret=right',
    form,
  );
  const body = {
    trackDocumentDetail: { documentType: 'SIGNATURE_PROOF_OF_DELIVERY', documentFormat },
    trackDocumentSpecification: [{ trackingNumberInfo: { trackingNumber: number } }],
  };
  const headers = { authorization: `Bearer ${token.json().access_token}` };
  return post('/sim/fedex/track/v1/trackingdocuments', body, headers);
}

const askDhl = (number: string) =>
  app.inject({ url: `/sim/dhl/track/shipments?trackingNumber=${number}`, headers: { 'dhl-api-key': 'key' } });

const formatOf = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64').toString('latin1');
  return bytes.startsWith('\x89PNG') ? 'PNG' : bytes.startsWith('%PDF-1.4') && bytes.endsWith('%%EOF\n') ? 'PDF' : null;
};

it('draws the same small documents for the same number', () => {
  for (const draw of [signaturePng, photoPng, (number: string) => proofPdf(['Proof', number])]) {
    expect(draw('1Z1')).toEqual(draw('1Z1'));
    expect(draw('1Z1')).not.toEqual(draw('1Z2'));
    expect(draw('1Z1').length).toBeLessThan(4096);
  }
});

it('has each kind of parcel among the first dozens of each carrier', () => {
  for (const carrier of ['ups', 'fedex', 'dhl'] as const) {
    const seen = Array.from({ length: 150 }, (_, index) => planParcel('landfall', carrier, numbers[carrier](index)));
    expect(new Set(seen.map(({ variant }) => variant))).toEqual(new Set(variants));
    expect(new Set(seen.slice(0, 30).map(({ variant }) => variant)).size).toBeGreaterThan(7);
  }
});

describe('proof of delivery', () => {
  it('comes with the package at UPS, if it is asked for', async () => {
    open();
    const number = numberOf('ups', 'smooth');
    await askUps(number, '');
    clock.ms += 100_000;
    const deliveryOf = async (query: string) =>
      (await askUps(number, query)).json().trackResponse.shipment[0].package[0].deliveryInformation;
    expect(Object.keys(await deliveryOf(''))).toEqual(['location', 'receivedBy']);
    const { signature, pod } = await deliveryOf('returnSignature=true&returnPOD=true');
    expect([formatOf(signature.image), formatOf(pod.content)]).toEqual(['PNG', 'PDF']);
  });

  it('comes with each package of a shipment at UPS, asked for by its own number', async () => {
    open();
    await askUps(numberOf('ups', 'several_pieces'), '');
    clock.ms += 100_000;
    const packagesOf = async (number: string) =>
      (await askUps(number, 'returnPOD=true')).json().trackResponse.shipment[0].package;
    const all = await packagesOf(numberOf('ups', 'several_pieces'));
    expect(all.length).toBeGreaterThan(1);
    expect(await packagesOf(all.at(-1).trackingNumber)).toEqual(all);
  });

  it('is a photo of a package that UPS left at the door', async () => {
    open();
    const number = numberOf('ups', 'left_at_door');
    await askUps(number, '');
    clock.ms += 100_000;
    const [parcel] = (await askUps(number, '')).json().trackResponse.shipment[0].package;
    expect(formatOf(parcel.deliveryInformation.deliveryPhoto.photo)).toBe('PNG');
    expect(parcel.deliveryInformation).not.toHaveProperty('signature');
  });

  it('is a separate document at FedEx', async () => {
    open();
    const number = numberOf('fedex', 'smooth');
    const none = await askFedex(number, 'PNG');
    expect([none.statusCode, none.json().errors[0].code]).toEqual([400, 'TRACKING.DATA.NOTFOUND']);
    clock.ms += 100_000;
    for (const format of ['PNG', 'PDF']) {
      const { output } = (await askFedex(number, format)).json();
      expect([output.documentFormat, formatOf(output.document[0])]).toEqual([format, format]);
    }
    expect((await post('/sim/fedex/track/v1/trackingdocuments', {}, {})).statusCode).toBe(401);
  });

  it('is behind an address at DHL', async () => {
    open();
    const number = numberOf('dhl', 'neighbour');
    await askDhl(number);
    clock.ms += 100_000;
    const [shipment] = (await askDhl(number)).json().shipments;
    const { documentUrl, signed } = shipment.details.proofOfDelivery;
    expect(signed.name).toBe(planParcel(seed, 'dhl', number).goods.neighbour);
    const document = await app.inject({ url: new URL(documentUrl).pathname });
    expect(document.headers['content-type']).toBe('application/pdf');
    expect(formatOf(document.rawPayload.toString('base64'))).toBe('PDF');
    expect(document.body).toContain(signed.name);
    const other = await app.inject({ url: `/sim/dhl/webpod/${numberOf('dhl', 'refused')}` });
    expect(other.statusCode).toBe(404);
  });
});

describe('faults of content', () => {
  const control = (payload: object) => post('/control/faults', payload, {});

  it('are never thrown at random', () => {
    const dice = createFaultDice('seed', 1);
    const kinds = Array.from({ length: 500 }, (_, index) => dice.throw('/sim/dhl', [String(index)])?.kind ?? '');
    for (const fault of contentFaults) expect(kinds).not.toContain(fault);
  });

  it('spoil the proof of delivery', async () => {
    open();
    const number = numberOf('fedex', 'smooth');
    await askFedex(number, 'PDF');
    clock.ms += 100_000;
    await control({ reference: number, faults: [{ kind: 'proof_not_image' }, { kind: 'huge_proof' }] });
    const page = (await askFedex(number, 'PNG')).json().output.document[0];
    expect(Buffer.from(page, 'base64').toString()).toContain('<!DOCTYPE html>');
    const huge = await askFedex(number, 'PNG');
    expect(huge.rawPayload.length).toBeGreaterThan(40 * 1024 * 1024);
    // Still JSON with one document.
    expect(huge.body.slice(0, 14)).toBe('{"transactionI');
    expect(huge.body.slice(-4)).toBe('"]}}');
  });
});
