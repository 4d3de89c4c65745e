import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { readBundle } from '#shared/core/record/read-bundle.ts';
import { readProof } from '#shared/core/record/read-proof.ts';
import { purgeShipment } from '#shared/core/removal/remove-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { StatedProof } from '#shared/domain/events/event.ts';
import { startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { type DeliveredParcel, deliverParcel, stateParcel } from '#test/support/carriers/delivered-parcel.ts';
import { documentCredentials, startDocumentCarrier, upsDocument } from '#test/support/carriers/document-carrier.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let carrier: Awaited<ReturnType<typeof startDocumentCarrier>>;
let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;

/** The signature of a package, which is the same each time. */
const signatures = new Map<string, Buffer>();
const signatureOf = (number: string): Buffer => {
  const known = signatures.get(number) ?? Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(2000)]);
  signatures.set(number, known);
  return known;
};

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  carrier = await startDocumentCarrier(({ url }, response) => {
    const number = url.split(/[/?]/).find((part) => part.startsWith('1Z')) ?? '';
    response.end(upsDocument(number, { signature: { image: signatureOf(number).toString('base64') } }));
  });
  worker = await startAnsweringWorker(core.serviceUrl, { ...carrier.addresses, PROOF_STORE: 'on' });
});
afterAll(async () => {
  await worker?.close();
  carrier?.close();
  await core.close();
});

const signature = (piece: string | null): StatedProof => ({ kind: 'signature', handle: null, piece });

async function newParcel(more: DeliveredParcel = {}) {
  const caller = await core.newCaller();
  await setCarrierCredentials(core.ctx, caller, { carrier: 'ups', values: { ...documentCredentials.ups } });
  return { caller, ...(await deliverParcel(core.ctx, caller.accountId, more)) };
}

const read = (caller: Caller, shipmentId: string, proofId = 'signature') =>
  readProof(core.ctx, caller, { shipmentId, proofId }, { waitMs: 30_000 });

it('fetches a document once, keeps it until its shipment is removed, and has it in the bundle', async () => {
  const { caller, shipmentId, number } = await newParcel();
  const before = carrier.asked.length;
  for (let count = 0; count < 2; count++) {
    const { mediaType, content } = await read(caller, shipmentId);
    expect([mediaType, content.equals(signatureOf(number))]).toEqual(['image/png', true]);
  }
  expect(carrier.asked.length - before).toBe(1);
  const parts: unknown[] = [];
  for await (const page of readBundle(core.ctx, caller, shipmentId)) parts.push(...page);
  expect(parts).toContainEqual({
    part: 'proof',
    data: {
      proofId: 'signature',
      piece: null,
      mediaType: 'image/png',
      fetchedAt: expect.any(String),
      content: signatureOf(number).toString('base64'),
    },
  });
  const stranger = await core.newCaller();
  await expect(read(stranger, shipmentId)).rejects.toMatchObject({ code: 'shipment_not_found' });
  await purgeShipment(core.ctx, caller, shipmentId);
  await expect(read(caller, shipmentId)).rejects.toMatchObject({ code: 'shipment_not_found' });
});

it('never shows the document of another piece when ids move', async () => {
  const [early, late] = ['1Z999AA1KEPT000001', '1Z999AA1KEPT000002'];
  const { caller, shipmentId } = await newParcel({ facts: { proof: [signature(late)] } });
  expect((await read(caller, shipmentId)).content.equals(signatureOf(late))).toBe(true);
  await stateParcel(
    core.ctx,
    { accountId: caller.accountId, shipmentId },
    { facts: { proof: [signature(late), signature(early)] } },
  );
  expect((await read(caller, shipmentId)).content.equals(signatureOf(early))).toBe(true);
  expect((await read(caller, shipmentId, 'signature_2')).content.equals(signatureOf(late))).toBe(true);
});
