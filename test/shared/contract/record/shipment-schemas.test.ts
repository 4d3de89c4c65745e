import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wireShipmentList } from '#shared/contract/lists/list-wire.ts';
import {
  wireEvent,
  wireIdentifiers,
  wirePlace,
  wireTime,
  wireVehicle,
} from '#shared/contract/record/shipment-parts.ts';
import { wireShipment, wireSummary } from '#shared/contract/record/shipment-schemas.ts';
import { getShipmentQuery, listEventsQuery } from '#shared/contract/shipments/record-queries.ts';
import { wireEventList, wireRefreshList } from '#shared/contract/shipments/record-wire.ts';
import { eventCodes } from '#shared/domain/events/event.ts';
import { exceptionCodes, statuses } from '#shared/domain/record/shipment.ts';

type Node = { [key: string]: unknown };

const schemas = {
  wireShipment,
  wireSummary,
  wireShipmentList,
  wireEvent,
  wireTime,
  wirePlace,
  wireVehicle,
  wireIdentifiers,
  wireEventList,
  wireRefreshList,
};

describe.each(Object.entries({ ...schemas, getShipmentQuery, listEventsQuery }))('%s', (_, schema) => {
  const document = z.toJSONSchema(schema, { io: 'input' }) as Node;

  it('describes every field', () => {
    expect(propertiesOf(document).filter(([, node]) => !isDescribed(node, document))).toEqual([]);
  });

  it('has valid examples', () => {
    for (const [path, examples, part] of examplesOf(schema)) {
      for (const example of examples) expect([path, part.safeParse(example).success]).toEqual([path, true]);
    }
  });
});

it('open enums accept unknown values and describe the known ones', () => {
  expect(wireEvent.shape.code.safeParse('teleported').success).toBe(true);
  const words = (part: z.ZodType) => part.meta()?.description ?? '';
  for (const code of eventCodes) expect(words(wireEvent.shape.code)).toContain(code);
  for (const status of statuses) expect(words(wireShipment.shape.status)).toContain(status);
  for (const code of exceptionCodes) expect(words(wireShipment.shape.exceptions.element.shape.code)).toContain(code);
  expect(words(wireShipment.shape.status)).toContain('More may be added.');
});

it('responses allow no fields outside the contract', () => {
  for (const schema of [wireShipment, wireSummary, wireEvent, wireEventList, wireRefreshList]) {
    const { error } = schema.safeParse({ surprise: true });
    expect(error?.issues.some((issue) => issue.code === 'unrecognized_keys')).toBe(true);
  }
});

/** Every property of every object, with its path. */
function propertiesOf(node: Node, path = ''): [string, Node][] {
  const found: [string, Node][] = [];
  for (const [key, child] of Object.entries(node)) {
    if (child === null || typeof child !== 'object') continue;
    if (key === 'properties') {
      for (const [name, property] of Object.entries(child as Record<string, Node>)) {
        found.push([`${path}/${name}`, property], ...propertiesOf(property, `${path}/${name}`));
      }
    } else if (key !== 'examples' && key !== 'default') found.push(...propertiesOf(child as Node, path));
  }
  return found;
}

/** By its own description, or that of the schema it refers to. */
function isDescribed(node: Node, document: Node): boolean {
  if (typeof node['description'] === 'string' && node['description'].length > 3) return true;
  const name = typeof node['$ref'] === 'string' ? node['$ref'].replace('#/$defs/', '') : null;
  const definitions = document['$defs'] as Record<string, Node> | undefined;
  return name !== null && definitions?.[name] !== undefined && isDescribed(definitions[name], document);
}

function examplesOf(schema: z.ZodType, path = ''): [string, unknown[], z.ZodType][] {
  const own = schema.meta()?.examples;
  const found: [string, unknown[], z.ZodType][] = Array.isArray(own) ? [[path, own, schema]] : [];
  if (schema instanceof z.ZodObject) {
    for (const [name, part] of Object.entries(schema.shape))
      found.push(...examplesOf(part as z.ZodType, `${path}/${name}`));
  } else if (schema instanceof z.ZodArray) found.push(...examplesOf(schema.element as z.ZodType, path));
  else if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    found.push(...examplesOf(schema.unwrap() as z.ZodType, path));
  }
  return found;
}
