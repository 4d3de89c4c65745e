import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { pushedConnector } from '#shared/domain/events-in/pushed-tracking.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { lastTestStep, testJourneyOf } from '#shared/domain/test-journeys/test-journeys.ts';
import { readTestSteps, writeTestSteps } from '#shared/store/shipments/test-steps.ts';
import type { CoreContext } from '../core-context.ts';
import { claimRefresh, refuseArchived, runVerb, type VerbEffect, type VerbSubject } from './run-verb.ts';

/**
 * Advances a test journey by up to `steps` and refreshes it as a carrier's shipment is refreshed, without waiting for
 * that. Throws LandfallError `shipment_not_found`, or `invalid_state` when the journey has ended, or the shipment is
 * archived or no longer tracked.
 */
export function advanceTestShipment(
  ctx: CoreContext,
  caller: Caller,
  input: { shipmentId: string; steps: number },
): Promise<Shipment> {
  return runVerb(ctx, caller, input.shipmentId, (subject) => advance(subject, input.steps));
}

async function advance(subject: VerbSubject, steps: number): Promise<VerbEffect> {
  const { tx, caller, shipment, polling } = subject;
  refuseArchived(subject);
  if (polling.connector === pushedConnector)
    throw new LandfallError('invalid_state', 'The events of this test shipment are pushed. Send the next one instead.');
  if (polling.state === 'stopped' || polling.state === 'completed' || polling.state === 'failed') {
    throw new LandfallError(
      'invalid_state',
      `Tracking of this test shipment is ${polling.state}. Resume it first, or register another one.`,
    );
  }
  const { number } = testJourneyOf(shipment.identifiers);
  const last = lastTestStep(number, shipment.transportMode);
  const done = await readTestSteps(tx, caller.accountId, shipment.id);
  if (done >= last) {
    const detail = last === 0 ? `${number} does not advance` : `The journey of ${number} has ended`;
    throw new LandfallError('invalid_state', `${detail}. Register TEST-JOURNEY for one that advances.`);
  }
  await writeTestSteps(tx, caller.accountId, { shipmentId: shipment.id, steps: Math.min(done + steps, last) });
  return { visible: [], refresh: await claimRefresh(subject, 'advance') };
}
