import { afterEach, expect, it } from 'vitest';
import { planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { proofMediaType } from '#shared/domain/carriers/proof.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';

const seed = 'parcel-proof';
let close = async (): Promise<unknown> => undefined;
afterEach(() => close());

/** Kinds of parcels, what their carrier proves the delivery with, and what its documents are. */
const proven = [
  ['ups', 'smooth', (index: number) => `1Z999AA1${1_000_001 + index * 13}3`, { document: 'application/pdf' }],
  ['ups', 'left_at_door', (index: number) => `1Z999AA1${1_000_001 + index * 13}3`, { photo: 'image/png' }],
  ['fedex', 'smooth', (index: number) => `5678${1_000_001 + index * 13}3`, { signature: 'image/png' }],
  ['dhl', 'smooth', (index: number) => `5678${1_000_001 + index * 13}3`, { document: 'application/pdf' }],
] as const;

it.each(proven)('fetches every proof that a reading of %s states (%s)', async (code, variant, numberAt, expected) => {
  const number = Array.from({ length: 500 }, (_, index) => numberAt(index)).find(
    (one) => !one.includes('404') && planParcel(seed, code, one).variant === variant,
  );
  const connector: Connector = connectors[code];
  const opened = openSimulatedCarrier(connector, { seed, voyageS: 100 });
  close = opened.close;
  const { clock, carrier } = opened;
  const one = subject({ tracking_number: number ?? '' }, code);
  const signal = AbortSignal.timeout(patienceMs);
  await connector.fetch(carrier, [one], signal);
  clock.ms += 100_000;
  const result = (await connector.fetch(carrier, [one], signal)).get(one.shipmentId);
  const stated = result?.outcome === 'found' ? (result.reading.facts?.proof ?? []) : [];
  const found: Record<string, string | null> = {};
  for (const proof of stated) {
    const document = await connector.fetchProof?.(carrier, { ...one, proof }, signal);
    found[proof.kind] = document === undefined ? null : proofMediaType(document);
    expect(proof.unavailable).toBeUndefined();
  }
  expect(found).toMatchObject(expected);
  expect(Object.values(found)).not.toContain(null);
});
