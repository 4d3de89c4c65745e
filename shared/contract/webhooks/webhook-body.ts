import { z } from 'zod';
import { type Change, changedShipmentOf } from '#shared/domain/feed/change.ts';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { testType } from '#shared/domain/webhooks/delivery.ts';
import type { Payload, WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { toWireChange, type WireChange, wireChange } from '../feed/change-wire.ts';
import { toShipmentId } from '../record/shipment-id.ts';
import { wireShipment } from '../record/shipment-schemas.ts';
import { toWireShipment } from '../record/shipment-wire.ts';
import { instant, openEnum } from '../schema-parts.ts';
import { endpointIdField, toEndpointId } from './endpoint-wire.ts';

const type = openEnum(changeTypes, 'What happened.', ['shipment.status_changed']);
const timestamp = instant('When the change happened.');

const [shipmentData, endpointData] = wireChange.shape.data.options;

/** `payload: summary`, and every change without a shipment. */
export const summaryBody = z
  .strictObject({ type, timestamp, data: wireChange.meta({ description: 'The change, as in the feed.' }) })
  .meta({ id: 'WebhookSummary', description: 'A delivery with `payload: summary`.' });

/** `payload: full`. */
export const fullBody = z
  .strictObject({
    type,
    timestamp,
    data: wireChange
      .extend({
        data: z
          .union([
            shipmentData.extend({
              shipment: wireShipment.meta({ description: 'The whole record as of the change.' }),
            }),
            endpointData,
          ])
          .meta({ description: 'The changed shipment or, by `type`, endpoint.' }),
      })
      .meta({ description: 'The change with the whole record.' }),
  })
  .meta({ id: 'WebhookFull', description: 'A delivery with `payload: full`.' });

/** `payload: thin`. */
export const thinBody = z
  .strictObject({
    type,
    timestamp,
    data: wireChange
      .pick({ id: true, position: true, type: true })
      .extend({
        shipment_id: z
          .string()
          .nullable()
          .meta({
            description: 'Id of the shipment. Null for a change without one.',
            examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
          }),
      })
      .meta({ description: 'The ids of the change.' }),
  })
  .meta({ id: 'WebhookThin', description: 'A delivery with `payload: thin`.' });

/** Body of an endpoint's test delivery. */
export const testBody = z
  .strictObject({
    type: z.literal(testType).meta({ description: `Always \`${testType}\`.` }),
    timestamp: instant('When the test was sent.'),
    data: z
      .strictObject({
        webhook_endpoint: z
          .strictObject({
            webhook_endpoint_id: endpointIdField,
            url: z.string().meta({ description: 'Its address.', examples: ['https://example.com/hooks/landfall'] }),
          })
          .meta({ description: 'The endpoint.' }),
      })
      .meta({ description: 'What was tested.' }),
  })
  .meta({ id: 'WebhookTest', description: 'A test of an endpoint.' });

/** True when the body needs the record as of the change. */
export function needsRecord(change: Change, payload: Payload): boolean {
  return payload === 'full' && changedShipmentOf(change) !== null;
}

/**
 * The body of a delivery. The same change gives the same bytes, however often it is composed. `record`: the shipment as
 * of the change, if `needsRecord`.
 */
export function toWebhookBody(change: Change, payload: Payload, record: Shipment | null): string {
  const shown = toWireChange(change);
  const shipment = changedShipmentOf(change);
  const head = { type: change.type, timestamp: change.createdAt };
  if (payload === 'thin') {
    const { id, position, type: what } = shown;
    const shipmentId = shipment === null ? null : toShipmentId(shipment.id);
    return JSON.stringify({ ...head, data: { id, position, type: what, shipment_id: shipmentId } });
  }
  if (payload === 'summary' || shipment === null) return toSummaryBody(shown);
  if (record === null) throw new Error(`the record of change ${change.id} is missing`);
  return JSON.stringify({
    ...head,
    data: { ...shown, data: { ...shown.data, shipment: toWireShipment(record) } },
  });
}

/** The body with `payload: summary`. */
export function toSummaryBody(change: WireChange): string {
  return JSON.stringify({ type: change.type, timestamp: change.created_at, data: change });
}

/** The body of the test of an endpoint. `at`: ISO UTC. */
export function toTestBody({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>, at: string): string {
  const endpoint = { webhook_endpoint_id: toEndpointId(id), url };
  return JSON.stringify({ type: testType, timestamp: at, data: { webhook_endpoint: endpoint } });
}
