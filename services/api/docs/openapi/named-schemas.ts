import type { z } from 'zod';
import { wireChange, wireChangeList } from '#shared/contract/feed/change-wire.ts';
import { wireShipmentList } from '#shared/contract/lists/list-wire.ts';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { problemBody } from '#shared/contract/problem.ts';
import {
  wireEvent,
  wireIdentifiers,
  wirePlace,
  wireTime,
  wireVehicle,
} from '#shared/contract/record/shipment-parts.ts';
import { wireShipment, wireSummary } from '#shared/contract/record/shipment-schemas.ts';

/** Schemas that many responses share, by their names in the document. */
const shared: Readonly<Record<string, z.ZodType>> = {
  Shipment: wireShipment,
  ShipmentSummary: wireSummary,
  ShipmentPage: wireShipmentList,
  ShipmentIdentifiers: wireIdentifiers,
  CarrierTime: wireTime,
  Place: wirePlace,
  Vehicle: wireVehicle,
  Change: wireChange,
  ChangePage: wireChangeList,
  Event: wireEvent,
  Problem: problemBody,
};

/** Names every body and response: by its own `id`, as above, or after its operation. Scalars stay inline. */
export function namedSchemas(operations: readonly PublicOperation[]): Record<string, z.ZodType> {
  const named = new Map(Object.entries(shared).filter(([, schema]) => schema.meta()?.id === undefined));
  const known = new Set(named.values());
  const add = (name: string, schema: z.ZodType | undefined) => {
    if (schema === undefined || known.has(schema) || schema.meta()?.id !== undefined || !hasShape(schema)) return;
    known.add(schema);
    named.set(named.has(name) ? `${name}${named.size}` : name, schema);
  };
  for (const operation of operations) {
    const name = `${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}`;
    add(`${name}Body`, operation.body?.schema);
    const statuses = Object.keys(operation.answers);
    for (const [status, answer] of Object.entries(operation.answers)) {
      add(statuses.length === 1 || status === '200' ? `${name}Answer` : `${name}Answer${status}`, answer.schema);
    }
  }
  return Object.fromEntries(named);
}

function hasShape(schema: z.ZodType): boolean {
  return ['object', 'record', 'array', 'union'].includes(schema.def.type);
}
