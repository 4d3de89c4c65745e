import { randomUUID } from 'node:crypto';
import { callCarrier, rateLimited, requireSettings } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse, DocumentRequest } from '../carrier.ts';
import { failureOfStatus } from '../fetch-failure.ts';
import { carrierMessage, jsonObject, unrecognized } from '../json-response.ts';
import { child, children, type LenientObject, readObject, text } from '../lenient-object.ts';
import { readJsonOrNull } from '../read-json.ts';

/** UPS's own code for "too many requests", which it sends with any status. */
const throttledCode = '10429';

type UpsQuery = { returnSignature?: true; returnPOD?: true };

/** One call of Track v1. The parameters of `query` are off unless they are given. Throws `FetchFailure` if throttled. */
export async function askUps(
  ctx: CarrierContext,
  number: string,
  { query, document, signal }: { query: UpsQuery; document?: DocumentRequest; signal: AbortSignal },
): Promise<CarrierResponse> {
  requireSettings(ctx.settings, ['clientId', 'clientSecret']);
  const { returnSignature = false, returnPOD = false } = query;
  const parameters = `locale=en_US&returnSignature=${returnSignature}&returnMilestones=false&returnPOD=${returnPOD}`;
  const response = await callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/api/track/v1/details/${encodeURIComponent(number)}?${parameters}`,
    headers: () => ({ transId: randomUUID(), transactionSrc: 'landfall' }),
    oauth: { credentialsIn: 'basic' },
    ...(document === undefined ? {} : { document }),
    signal,
  });
  const isThrottled = response.status !== 200 && errorsOf(response).some((one) => text(one, 'code') === throttledCode);
  if (isThrottled) throw rateLimited(ctx, response);
  return response;
}

/** The shipments of a response. Throws `FetchFailure` for any status but 200. */
export function shipmentsOf(ctx: CarrierContext, response: CarrierResponse): LenientObject[] {
  if (response.status !== 200)
    throw failureOfStatus(response, { now: ctx.now(), carrierMessage: messageOf(response), connector: 'ups' });
  const track = child(jsonObject(response), 'trackResponse');
  if (track === null) throw unrecognized(response, 'the carrier returned JSON without trackResponse');
  return children(track, 'shipment');
}

function messageOf(response: CarrierResponse): string | null {
  return carrierMessage(JSON.stringify({ errors: errorsOf(response).map((error) => Object.fromEntries(error)) }));
}

function errorsOf(response: CarrierResponse): LenientObject[] {
  return children(child(readObject(readJsonOrNull(response.text)), 'response'), 'errors');
}
