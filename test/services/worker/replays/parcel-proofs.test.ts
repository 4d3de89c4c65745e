import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParcelCarrier } from '#infra/tools/simulator/parcels/networks.ts';
import type { Variant } from '#infra/tools/simulator/parcels/variants.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import type { CarrierContext } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import { maxProofBytes, proofMediaType } from '#shared/domain/carriers/proof.ts';
import type { ProofKind, StatedProof } from '#shared/domain/events/event.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';
import { nothingConfigured } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';
import { findParcel } from './find-parcel.ts';

const seed = 'parcel-proofs';
const voyageS = 50;
const clock = { ms: Date.parse('2026-03-20T12:00:00Z') };
const simulator = buildSimulator({
  seed,
  now: () => clock.ms,
  voyageS,
  stateFile: null,
  control: true,
  deliverEveryMs: null,
});
const agent = openCarrierAgent();
let url: string;

beforeAll(async () => {
  await simulator.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(simulator.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await agent.destroy();
  await simulator.close();
});

function carrierOf(connector: ParcelCarrier): CarrierContext {
  const settings = settingsFor(connectors[connector], nothingConfigured, url);
  if (settings === null) throw new Error('the simulator has no settings');
  const now = () => new Date(clock.ms);
  return {
    settings,
    fetch: createCarrierFetch(agent, { settings, maxBodyBytes: connectors[connector].maxBodyBytes }),
    budget: createBudget({ calls: 1000, perMs: 1, burst: 5000 }, now),
    tokens: createTokenCache(now),
    now,
  };
}

/** A delivered parcel with the proofs that its carrier states, and the way to fetch one. */
async function deliver(connector: ParcelCarrier, variant: Variant) {
  const ctx = carrierOf(connector);
  const { number } = findParcel(connector, variant, { seed, lastDigit: 2 });
  const one = { ...subject({ tracking_number: number }, connector), createdAt: new Date(clock.ms).toISOString() };
  const read = async () =>
    (await connectors[connector].fetch(ctx, [one], AbortSignal.timeout(patienceMs))).get(one.shipmentId);
  await read();
  clock.ms += voyageS * 1000;
  const result = await read();
  if (result?.outcome !== 'found') throw new Error(`${number}: ${result?.outcome}`);
  const proofs = result.reading.facts?.proof ?? [];
  const fetchOne = (proof: StatedProof) => {
    const request = { proof, identifiers: one.identifiers, transportMode: 'parcel' } as const;
    const fetchProof = connectors[connector].fetchProof;
    if (fetchProof === undefined) throw new Error(`${connector} has no proofs`);
    return fetchProof(ctx, request, AbortSignal.timeout(patienceMs));
  };
  const spoil = (kind: string) =>
    simulator.inject({
      method: 'POST',
      url: '/control/faults',
      payload: { reference: number, faults: [{ kind }] },
    });
  return { proofs, fetchOne, spoil };
}

const stated: [ParcelCarrier, Variant, ProofKind[]][] = [
  ['ups', 'smooth', ['signature', 'document']],
  ['ups', 'left_at_door', ['photo', 'document']],
  ['fedex', 'smooth', ['signature']],
  ['dhl', 'neighbour', ['document']],
];

describe.each(stated)('proof of a delivery by %s, %s', (connector, variant, kinds) => {
  it('is stated, and each document can be fetched', async () => {
    const { proofs, fetchOne } = await deliver(connector, variant);
    expect(proofs.map(({ kind }) => kind)).toEqual(kinds);
    for (const proof of proofs) {
      const type = proofMediaType(await fetchOne(proof));
      expect(type).toBe(proof.kind === 'document' ? 'application/pdf' : 'image/png');
    }
  });

  it('of 40 MB is refused before it is read completely, and a file of another kind is no document', async () => {
    const { proofs, fetchOne, spoil } = await deliver(connector, variant);
    const [proof] = proofs;
    if (proof === undefined) throw new Error('no proof');
    await spoil('huge_proof');
    await expect(fetchOne(proof)).rejects.toThrow(/larger|longer|more than|exceeds|too/i);
    await spoil('proof_not_image');
    const page = await fetchOne(proof);
    expect(page.length).toBeLessThan(maxProofBytes);
    expect(proofMediaType(page)).toBeNull();
    expect(proofMediaType(await fetchOne(proof))).not.toBeNull();
  });
});
