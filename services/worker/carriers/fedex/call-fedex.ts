import { randomUUID } from 'node:crypto';
import { type CarrierRequest, callCarrier } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse } from '../carrier.ts';

type FedexRequest = Pick<CarrierRequest, 'owed' | 'document' | 'signal'> & { path: string; body: unknown };

/** Sends one request of FedEx's Track v1. Each has an id of its own. */
export function callFedex(ctx: CarrierContext, { path, body, ...request }: FedexRequest): Promise<CarrierResponse> {
  return callCarrier(ctx, {
    ...request,
    url: `${ctx.settings.baseUrl}/track/v1/${path}`,
    method: 'POST',
    headers: () => ({
      'content-type': 'application/json',
      'x-locale': 'en_US',
      'x-customer-transaction-id': randomUUID(),
    }),
    body: JSON.stringify(body),
    oauth: { credentialsIn: 'form' },
  });
}
