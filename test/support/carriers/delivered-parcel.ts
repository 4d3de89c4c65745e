import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import { answerQuestion, takeQuestions } from '#shared/core/carriers/answer-questions.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import type { Answer, Question } from '#shared/domain/carriers/worker-question.ts';
import type { StatedFacts } from '#shared/domain/events/event.ts';
import { refresh } from './refreshed-shipment.ts';

let numbers = 0;

export type DeliveredParcel = { carrier?: string; number?: string; facts?: StatedFacts; delivered?: boolean };

const signed: StatedFacts = { proof: [{ kind: 'signature', handle: null, piece: null }] };

/** A parcel that its carrier says was delivered, with a signature. `shipmentId` is a UUID. */
export async function deliverParcel(
  ctx: RegistrationContext,
  accountId: string,
  { carrier = 'ups', number, facts = signed, delivered = true }: DeliveredParcel = {},
): Promise<{ accountId: string; shipmentId: string; number: string }> {
  numbers += 1;
  const trackingNumber = number ?? `1Z999AA1${String(numbers).padStart(10, '0')}`;
  const caller = {
    accountId,
    keyId: null,
    scopes: ['shipments:read', 'shipments:write'] as const,
    test: false,
    requestId: 'req_test',
    idempotency: null,
  };
  const { shipment } = await registerShipment(
    ctx,
    { ...caller, scopes: [...caller.scopes] },
    {
      transportMode: 'parcel',
      carrier,
      identifiers: { tracking_number: trackingNumber },
      serviceType: null,
      reference: null,
      references: [],
      tags: [],
      metadata: {},
      destinationPostalCode: null,
    },
  );
  const subject = { accountId, shipmentId: shipment.id };
  await stateParcel(ctx, subject, { carrier, facts, delivered });
  return { ...subject, number: trackingNumber };
}

/** Returns a carrier's reading of a parcel: the same events each time, and these facts. */
export function stateParcel(
  ctx: CoreContext,
  subject: { accountId: string; shipmentId: string },
  { carrier = 'ups', facts = signed, delivered = true }: Omit<DeliveredParcel, 'number'>,
): Promise<void> {
  const time = { at: '2026-02-10T12:13:00.000Z', local: '2026-02-10T12:13', timezone: 'UTC' } as const;
  const event = bareEvent({
    code: delivered ? 'delivered' : 'out_for_delivery',
    classifier: 'actual',
    time: { ...time, zoneSource: 'assumed_utc', precision: 'minute' },
    location: null,
    mode: 'parcel',
    raw: {},
  });
  const reading = { events: [event], unreadable: [], source: carrier, facts };
  return refresh(ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 1 });
}

/** Answers the next request for a document, in place of a worker. */
export async function answerProof(
  ctx: CoreContext,
  answered: { answer: Answer<'proof'>; content: Uint8Array | null },
): Promise<Question<'proof'>> {
  for (;;) {
    const { taken } = await takeQuestions(ctx, { free: [{ kind: 'proof', max: 1 }], running: [] });
    for (const question of taken) {
      if (question.kind !== 'proof') continue;
      await answerQuestion(ctx, question, answered);
      return question.question as Question<'proof'>;
    }
  }
}
