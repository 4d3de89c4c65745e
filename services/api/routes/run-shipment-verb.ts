import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** What core does for a verb on the shipment with this uuid. */
export type ShipmentVerb = (core: CoreContext, caller: Caller, shipmentId: string) => Promise<Shipment>;

/** Runs a verb on the shipment of the address. Throws LandfallError `shipment_not_found` for what is no id. */
export async function runShipmentVerb(ctx: ApiContext, request: FastifyRequest, verb: ShipmentVerb): Promise<Shipment> {
  const caller = callerOf(request);
  refuseQuery(request);
  const shipment = await verb(ctx.core, caller, shipmentIdOf(request));
  annotateSpan({ 'carrier.code': shipment.carrier });
  return shipment;
}

/** A route without input that answers with the record. */
export function shipmentVerbRoute(ctx: ApiContext, verb: ShipmentVerb, status: 200 | 202) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseFields(request);
    return reply.status(status).send(toWireShipment(await runShipmentVerb(ctx, request, verb)));
  };
}

/** For routes that take no fields: one that is sent would be silently without effect. */
export function refuseFields({ body }: FastifyRequest): void {
  if (body === undefined) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new LandfallError('validation_failed', 'The body must be empty, or an empty JSON object');
  }
  const mistakes = Object.keys(body)
    .slice(0, 20)
    .map((name) => {
      const shown = name.slice(0, 64);
      const pointer = `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return { pointer, code: 'unknown_field', detail: `${shown} is not a field; this address takes none` };
    });
  if (mistakes[0] !== undefined) throw new LandfallError('unknown_field', mistakes[0].detail, { mistakes });
}
