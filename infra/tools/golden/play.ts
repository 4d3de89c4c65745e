import { deliveryReaderOf } from '#services/worker/carriers/registry.ts';
import { processDeliveries } from '#shared/core/carrier-subscriptions/process-deliveries.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { foldCounts } from '#shared/core/lists/count-shipments.ts';
import { markAttention } from '#shared/core/tracking/mark-attention.ts';
import { markOverdueShipments } from '#shared/core/tracking/mark-overdue.ts';
import { markStaleShipments } from '#shared/core/tracking/mark-stale.ts';
import { type PreparedRefresh, prepareRefresh } from '#shared/core/tracking/prepare-refresh.ts';
import {
  asUnchanged,
  type RecordedRefresh,
  recordRefreshes,
  recordUnchanged,
} from '#shared/core/tracking/record-refreshes.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { freightSubject } from '#test/services/worker/carriers/freight/simulated-carrier.ts';
import { addSubscription, signed, type TestSubscription } from '#test/support/api/carrier-subscriptions.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import type { Answer, BuildUnderTest } from './build-under-test.ts';
import { type RecordedAnswer, type Registered, recorded } from './capture.ts';
import type { Carriers } from './carrier-answers.ts';
import { largestList } from './edit-answer.ts';
import { findSequenceJob } from './find-sequence-job.ts';
import { registrationOf, type Voyage } from './voyages.ts';

/** Voyages by the id that the database gave them. */
export type Registrations = ReadonlyMap<string, Registered>;
/** Number of refreshes, and of those among them with changes. */
export type Refreshed = { all: number; changed: number };

const registrationsPerBatch = 100;
const claimsPerBatch = 25;

/** Registers voyages as a client does. */
export async function register(
  build: BuildUnderTest,
  voyages: readonly Voyage[],
  nowMs: number,
): Promise<Registered[]> {
  const registered: Registered[] = [];
  for (const [account] of build.customers.entries()) {
    const ours = voyages.filter((voyage) => voyage.account === account);
    for (let start = 0; start < ours.length; start += registrationsPerBatch) {
      const part = ours.slice(start, start + registrationsPerBatch);
      const answer = accepted(
        await build.ask(account, 'POST', '/v1/shipments/batch', { shipments: part.map(registrationOf) }),
      );
      const { results } = JSON.parse(answer.body) as {
        results: { shipment_id?: string; shipment?: { shipment_id: string } }[];
      };
      for (const [index, voyage] of part.entries()) {
        const shipmentId = results[index]?.shipment_id ?? results[index]?.shipment?.shipment_id ?? '';
        const uuid = decodeTypeId('shp', shipmentId);
        if (uuid === null) throw new Error(`not registered: ${JSON.stringify(results[index])}`);
        registered.push({ voyage, shipmentId, uuid, atMs: nowMs });
      }
    }
  }
  return registered;
}

/** Refreshes all that is due, as a worker does: claimed, begun, asked for and recorded in batches. */
export async function refreshDue(
  build: BuildUnderTest,
  carriers: Carriers,
  byUuid: Registrations,
  { step, late = false }: { step: number; late?: boolean },
): Promise<Refreshed> {
  const refreshed: Refreshed = { all: 0, changed: 0 };
  for (const connector of connectorCodes) while ((await sweepConnector(build.core, connector, 1000)) > 0);
  const placeOf = (uuid: string) => byUuid.get(uuid)?.voyage.number ?? -1;
  const claims = build.takeClaims().toSorted((one, other) => placeOf(one.shipmentId) - placeOf(other.shipmentId));
  for (let start = 0; start < claims.length; start += claimsPerBatch) {
    const part = claims.slice(start, start + claimsPerBatch);
    const begun = new Map((await beginRefreshes(build.core, part)).map((subject) => [subject.shipmentId, subject]));
    const prepared: PreparedRefresh[] = [];
    for (const { shipmentId } of part) {
      const subject = begun.get(shipmentId);
      const registered = byUuid.get(shipmentId);
      if (subject === undefined || registered === undefined) throw new Error('a claim is not live');
      const result = await carriers.ask(subject, { voyage: registered.voyage, step, late });
      const input = { subject, result, traceId: null, traceKept: false, traceparent: null, budgetPressure: 1 };
      prepared.push(prepareRefresh(build.core, input));
    }
    const recorded = await recordInOrder(build.core, prepared);
    if (recorded.some(({ stale }) => stale)) throw new Error('a refresh was refused');
    refreshed.all += recorded.length;
    refreshed.changed += recorded.filter(({ outcome }) => outcome === 'changed').length;
  }
  return refreshed;
}

/**
 * Like a worker, but what is unchanged first and then the others, those of an account in one transaction, so that
 * changes have the same order in the feed in every recording.
 */
async function recordInOrder(core: CoreContext, prepared: readonly PreparedRefresh[]): Promise<RecordedRefresh[]> {
  const rows = prepared.flatMap((refresh) => {
    const row = asUnchanged(core, refresh);
    return row === null ? [] : [{ refresh, row }];
  });
  const isRecorded =
    rows.length === 0
      ? []
      : await recordUnchanged(
          core,
          rows.map(({ row }) => row),
        );
  const done = new Set(rows.filter((_, index) => isRecorded[index]).map(({ refresh }) => refresh));
  const recorded = await Promise.all(
    recordRefreshes(
      core,
      prepared.filter((refresh) => !done.has(refresh)),
    ),
  );
  return [...recorded, ...Array.from(done, (): RecordedRefresh => ({ outcome: 'unchanged', stale: false }))];
}

/**
 * Clients ask for these shipments again, also for those that nobody refreshes any more, and carriers show what they
 * withheld. Returns the answers.
 */
export async function refreshLate(
  build: BuildUnderTest,
  carriers: Carriers,
  { registered, byUuid, step }: { registered: readonly Registered[]; byUuid: Registrations; step: number },
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const { voyage, shipmentId } of registered) {
    for (const verb of ['resume', 'refresh']) {
      const path = `/v1/shipments/${shipmentId}/${verb}`;
      answers.push(recorded(`late: POST ${path}`, await build.ask(voyage.account, 'POST', path, {})));
    }
  }
  await refreshDue(build, carriers, byUuid, { step, late: true });
  return answers;
}

/** The subscriptions of each account with the carrier that pushes. */
export async function subscribe(build: BuildUnderTest): Promise<TestSubscription[]> {
  const made: TestSubscription[] = [];
  for (const { accountId } of build.customers) made.push(await addSubscription(build.core, accountId));
  return made;
}

/** Pushes what a refresh of these voyages would show, and processes it. `keep`: which of the events. */
export async function push(
  build: BuildUnderTest,
  carriers: Carriers,
  {
    subscriptions,
    registered,
    step,
  }: { subscriptions: readonly TestSubscription[]; registered: readonly Registered[]; step: number },
): Promise<void> {
  for (const { voyage, uuid } of registered) {
    const subscription = subscriptions[voyage.account];
    if (subscription === undefined) throw new Error('an account has no subscription');
    const subject = freightSubject(voyage.mode, voyage.identifiers, { shipmentId: uuid, carrier: voyage.carrier });
    await carriers.ask(subject, { voyage, step, late: true });
    const events = largestList(JSON.parse(carriers.lastAnswer() || '[]')) ?? [];
    if (events.length === 0) continue;
    const payload = JSON.stringify(events.slice(-3));
    const { statusCode, body } = await build.app.inject({
      method: 'POST',
      url: subscription.path,
      payload,
      headers: { 'content-type': 'application/json', 'notification-signature': signed(subscription.secret, payload) },
    });
    if (statusCode !== 204) throw new Error(`a delivery was refused: ${body}`);
    const signal = new AbortController().signal;
    while ((await processDeliveries(build.core, { readerOf: deliveryReaderOf, signal })) > 0);
  }
}

/**
 * Makes the clients' changes between two steps: fields, archiving, stops, cancellations and their end. Returns the
 * answers.
 */
export async function changeByClients(
  build: BuildUnderTest,
  registered: readonly Registered[],
  step: number,
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const { voyage, shipmentId } of registered) {
    const { number, account } = voyage;
    const path = `/v1/shipments/${shipmentId}`;
    const write = async (method: 'POST' | 'PATCH' | 'DELETE', to: string, given?: object): Promise<void> => {
      answers.push(recorded(`step ${step}: ${method} ${to}`, await build.ask(account, method, to, given)));
    };
    const turn = step * 100 + (number % 20);
    if (turn === 210 || turn === 411) await write('POST', `${path}/cancel`, {});
    if (turn === 310) await write('POST', `${path}/resume`, {});
    if (turn === 312) await write('POST', `${path}/stop`, {});
    if (turn === 612) await write('POST', `${path}/resume`, {});
    if (turn % 100 === 13 && step % 3 === 0)
      await write('PATCH', path, { reference: `PO-${number}/${step}`, tags: [`step-${step}`] });
    if (turn === 914) await write('DELETE', path);
    if (turn % 100 === 15 && step % 4 === 1) await write('POST', `${path}/refresh`, {});
  }
  return answers;
}

/** The worker's other jobs, until none of them has work. */
export async function tidy({ core }: BuildUnderTest): Promise<void> {
  const jobs = [markStaleShipments, markOverdueShipments, markAttention, foldCounts, await findSequenceJob()];
  for (const job of jobs) while (((await job(core)) ?? 0) > 0);
  await expireRecords(core);
}

function accepted(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.body}`);
  return answer;
}
