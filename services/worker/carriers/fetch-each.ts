import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext, CarrierResponse, Connector } from './carrier.ts';
import { carrierMessage } from './carrier-message.ts';
import { failureOfStatus } from './fetch-failure.ts';
import { type Answer, guardedFetch, sourceOf } from './guarded-fetch.ts';

/** One shipment to ask about; `signal` ends all calls of its refresh together. */
export type SubjectResult = { subject: RefreshSubject; signal: AbortSignal; source: string };

/** The `look` of a connector that asks about one shipment at a time; `name` is what the record's source calls it. */
export function fetchEach(
  name: string,
  ask: (ctx: CarrierContext, refresh: SubjectResult) => Promise<Answer>,
): Connector['fetch'] {
  return async (ctx, subjects, signal) => {
    const source = sourceOf(ctx, name);
    const refreshes = await Promise.all(
      subjects.map((subject) =>
        guardedFetch({ keys: [subject.shipmentId], source, signal }, async (whole) => {
          return new Map([[subject.shipmentId, await ask(ctx, { subject, signal: whole, source })]]);
        }),
      ),
    );
    return new Map(refreshes.flatMap((results) => [...results]));
  };
}

/** The failure of an answer whose status is none of those that the connector understands. */
export function unexpectedStatus(ctx: CarrierContext, response: CarrierResponse): Error {
  return failureOfStatus(response, { now: ctx.now(), carrierSays: carrierMessage(response.text) });
}
