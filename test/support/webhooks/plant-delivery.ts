import { readDeliveryId, toDeliveryId } from '#shared/contract/webhooks/delivery-wire.ts';
import { readEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import type { DeliveryState } from '#shared/domain/webhooks/delivery.ts';
import type { DeliveryError } from '#shared/domain/webhooks/delivery-error.ts';
import type { Store } from '#shared/store/open-store.ts';
import { withSystem } from '#shared/store/with-account.ts';

type Planted = {
  state?: DeliveryState;
  type?: string;
  sequence?: number | null;
  /** UUIDs. */
  changeId?: string;
  shipmentId?: string | null;
  status?: number | null;
  error?: DeliveryError | null;
  latencyMs?: number;
  answer?: string | null;
  earlier?: unknown[] | null;
  /** Age of the delivery in hours. */
  hoursAgo?: number;
};

/** Writes a delivery into the log of an endpoint, as the worker does. Both ids are public ones. */
export async function plantDelivery(store: Store, endpointId: string, planted: Planted = {}): Promise<string> {
  const { state = 'delivered', hoursAgo = 0 } = planted;
  const { rows } = await withSystem(store, (tx) =>
    tx.query<{ id: string }>(
      `insert into landfall.webhook_deliveries (
         account_id, endpoint_id, id, sequence, change_id, type, shipment_id, state, tries, next_try_at, tried_at,
         status, latency_ms, error, trace_id, answer, earlier, created_at
       )
       select e.account_id, e.id, uuidv7(make_interval(secs => -$12::float8 * 3600)), $2, coalesce($3, uuidv7()), $4, $5,
         $6, 1 + coalesce(jsonb_array_length($11::jsonb), 0),
         case when $6 = 'waiting' then now() + interval '1 hour' end,
         now() - make_interval(secs => $12::float8 * 3600), $7, $8, $9, repeat('a', 32), $10, $11::jsonb,
         now() - make_interval(secs => $12::float8 * 3600)
       from landfall.webhook_endpoints as e where e.id = $1
       returning id`,
      [
        readEndpointId(endpointId),
        planted.sequence === undefined ? null : planted.sequence,
        planted.changeId ?? null,
        planted.type ?? 'shipment.updated',
        planted.shipmentId ?? null,
        state,
        planted.status === undefined ? 200 : planted.status,
        planted.latencyMs ?? 20,
        planted.error ?? null,
        planted.answer ?? null,
        planted.earlier === undefined || planted.earlier === null ? null : JSON.stringify(planted.earlier),
        hoursAgo,
      ],
    ),
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`there is no endpoint ${endpointId}`);
  return toDeliveryId(row.id);
}

/** The uuid of a public id of a delivery. */
export function deliveryUuid(id: string): string {
  const uuid = readDeliveryId(id);
  if (uuid === null) throw new Error(`${id} is not the id of a delivery`);
  return uuid;
}
