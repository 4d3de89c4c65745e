import { airWaybillOf } from '../air-waybill.ts';
import {
  callCarrier,
  fetchEach,
  requireSettings,
  type SubjectOutcome,
  type SubjectQuery,
  unexpectedStatus,
} from '../call-carrier.ts';
import type { CarrierContext, Connector } from '../carrier.ts';
import { jsonObject, unrecognized } from '../json-response.ts';
import { child } from '../lenient-object.ts';
import { readShipmentStatus } from './read-shipment-status.ts';

/**
 * Lufthansa Cargo, Shipment Tracking (https://developer.lufthansa-cargo.com/docs/read/apis/shipmenttracking): one call
 * per air waybill, with the key in the header `apikey`.
 */
export const lufthansaCargo: Connector = {
  code: 'lufthansa-cargo',
  batchSize: 1,
  published: { baseUrl: 'https://api.lufthansa-cargo.com', authUrl: null },
  simulated: { basePath: '/sim/lufthansa-cargo', authPath: null },
  // No limit is published: this is a conservative guess.
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  // An event takes 0.3 KB, so this is 1,500 of them.
  maxBodyBytes: 512 * 1024,
  fetch: fetchEach('lufthansa-cargo', ask),
};

async function ask(ctx: CarrierContext, { subject, signal, source }: SubjectQuery): Promise<SubjectOutcome> {
  requireSettings(ctx.settings, ['apiKey']);
  const { prefix, number } = airWaybillOf(subject);
  const response = await callCarrier(ctx, {
    url: `${ctx.settings.baseUrl}/lh/handling/shipment?aWBPrefix=${prefix}&aWBNumber=${number}`,
    headers: () => ({ apikey: ctx.settings.apiKey ?? '' }),
    oauth: null,
    signal,
  });
  const httpStatus = response.status;
  if (httpStatus === 404 || httpStatus === 204) return { kind: 'not_found', httpStatus };
  if (httpStatus !== 200) throw unexpectedStatus(ctx, response);
  const body = jsonObject(response);
  // An older release of the API responds without the wrapper.
  const status = child(body, 'shipmentTrackingStatus') ?? body;
  if (!['shipment', 'milestoneplan', 'events', 'booking'].some((name) => status.has(name)))
    throw unrecognized(response, 'the carrier returned JSON without a shipment status');
  const reading = readShipmentStatus(status);
  if (reading.events.length === 0 && reading.unreadable.length === 0) return { kind: 'not_found', httpStatus };
  return { kind: 'found', httpStatus, reading: { ...reading, source } };
}
