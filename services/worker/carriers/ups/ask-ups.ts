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

/**
 * The package of a response with this number, else the first one; undefined: there is none. Throws `FetchFailure` for
 * any status but 200.
 */
export function packageOf(
  ctx: CarrierContext,
  response: CarrierResponse,
  number: string,
): { shipments: LenientObject[]; parcel: LenientObject | undefined } {
  if (response.status !== 200) throw failureOfStatus(response, { now: ctx.now(), carrierMessage: messageOf(response) });
  const track = child(jsonObject(response), 'trackResponse');
  if (track === null) throw unrecognized(response, 'the carrier returned JSON without trackResponse');
  const shipments = children(track, 'shipment');
  const packages = shipments.flatMap((shipment) => children(shipment, 'package'));
  const parcel = packages.find((each) => text(each, 'trackingNumber')?.toUpperCase() === number) ?? packages[0];
  return { shipments, parcel };
}

function messageOf(response: CarrierResponse): string | null {
  return carrierMessage(JSON.stringify({ errors: errorsOf(response).map((error) => Object.fromEntries(error)) }));
}

function errorsOf(response: CarrierResponse): LenientObject[] {
  return children(child(readObject(readJsonOrNull(response.text)), 'response'), 'errors');
}
