import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { toWireShipmentText } from '#shared/contract/record/shipment-wire.ts';
import { toWireBatch } from '#shared/contract/registration/batch-body.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import { answer, asJson, type Routes } from '../plugins/serve.ts';

export const registrationRoutes = {
  /** 201 for a new shipment; 200 and `Existing-Shipment: true` for an open one with the same number. */
  async registerShipment({ ctx, caller, body }) {
    const { outcome, replayed, shipment } = await registerShipment(ctx.core, caller, body);
    const shipmentId = toShipmentId(shipment.id);
    annotateSpan({ 'shipment.id': shipmentId, 'carrier.code': shipment.carrier });
    if (outcome === 'created' && !replayed) addTo('landfall.registrations', 1, { source: 'api' });
    const text = toWireShipmentText({ ...shipment, status: shipment.journey.status });
    return answer(outcome === 'created' ? 201 : 200, asJson(text), {
      location: `/v1/shipments/${shipmentId}`,
      ...(outcome === 'existing' ? { 'existing-shipment': 'true' } : {}),
      ...replayHeader(replayed),
    });
  },

  async registerBatch({ ctx, caller, body: rows }) {
    const { replayed, results } = await registerBatch(ctx.core, caller, rows);
    const created = results.filter((result) => result.outcome === 'created').length;
    if (created > 0 && !replayed) addTo('landfall.registrations', created, { source: 'batch' });
    return answer(200, toWireBatch(results), replayHeader(replayed));
  },
} satisfies Partial<Routes>;

function replayHeader(replayed: boolean): { 'idempotent-replayed'?: 'true' } {
  return replayed ? { 'idempotent-replayed': 'true' } : {};
}
