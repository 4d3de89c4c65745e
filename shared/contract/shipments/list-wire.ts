import { z } from 'zod';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { wireShipment, wireSummary } from '../wire-schemas.ts';
import { toWireShipment, toWireSummary } from './shipment-wire.ts';

/** Parts of the record that a list adds to each row when asked. */
export const includableParts = ['events', 'containers', 'legs', 'exceptions'] as const;
export type IncludablePart = (typeof includableParts)[number];

export type ListFieldName = keyof typeof wireSummary.shape;

/** The fields of a row. */
export const listFieldNames = Object.keys(wireSummary.shape) as ListFieldName[];

/** What each row has: `fields` null is the whole summary. */
export type ListShape = { fields: readonly ListFieldName[] | null; include: readonly IncludablePart[] };

/** One row: every field of the summary unless `fields` names some, and what `include` named. */
export const wireListRow = z.strictObject({
  ...wireSummary.partial().required({ shipment_id: true }).shape,
  events: wireShipment.shape.events.optional(),
  containers: wireShipment.shape.containers.optional(),
  legs: wireShipment.shape.legs.optional(),
  exceptions: wireShipment.shape.exceptions.optional(),
});

/** One page of a list. */
export const wireShipmentList = z.strictObject({
  data: z.array(wireListRow).max(100).meta({
    description:
      'The shipments, in the order of `sort`. Each is a summary with all its fields, unless `fields` named some; `include` adds `events` (newest first, at most 50), `containers`, `legs` and `exceptions`.',
  }),
  page: z
    .strictObject({
      limit: z.int().meta({ description: 'The most shipments of a page.', examples: [25] }),
      has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [true] }),
      next_cursor: z
        .string()
        .nullable()
        .meta({
          description: 'The `cursor` of the next page; null on the last one.',
          examples: ['WzEyMywiW10iXQ', null],
        }),
      total: z
        .int()
        .nullable()
        .meta({
          description:
            'How many shipments match, as `GET /v1/shipments/counts` counts them; null unless `include_total=true`.',
          examples: [431, null],
        }),
      total_is_lower_bound: z.boolean().meta({ description: 'True when more than `total` match.', examples: [false] }),
    })
    .meta({ description: 'Which page this is.' }),
  counts_by_status: z
    .record(z.string(), z.int())
    .nullable()
    .meta({
      description: 'How many of all that match have each status; null unless `include_total=true`.',
      examples: [{ in_transit: 12, arrived: 3 }, null],
    }),
  as_of: z.iso.datetime().meta({
    description:
      'When the first page was read. Under a sort whose key moves, what changed since then is left to the change feed.',
    examples: ['2026-04-15T08:00:00.000Z'],
  }),
});

export type WireListRow = z.infer<typeof wireListRow>;
export type WireShipmentList = z.infer<typeof wireShipmentList>;

/** One page, as `listShipments` of the core gives it. */
export type ShipmentPage = {
  shipments: Shipment[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
  total: number | null;
  totalIsLowerBound: boolean;
  countsByStatus: Partial<Record<string, number>> | null;
  asOf: string;
};

/** The answer of the list. */
export function toWireShipmentList(page: ShipmentPage, shape: ListShape): WireShipmentList {
  return {
    data: page.shipments.map((shipment) => toWireListRow(shipment, shape)),
    page: {
      limit: page.limit,
      has_more: page.hasMore,
      next_cursor: page.nextCursor,
      total: page.total,
      total_is_lower_bound: page.totalIsLowerBound,
    },
    counts_by_status: page.countsByStatus as Record<string, number> | null,
    as_of: page.asOf,
  };
}

/** One row of a list or an export. */
export function toWireListRow(shipment: Shipment, { fields, include }: ListShape): WireListRow {
  const summary = toWireSummary(shipment);
  const row: WireListRow = fields === null ? summary : only(summary, fields);
  if (include.length === 0) return row;
  const record = toWireShipment(shipment);
  return { ...row, ...Object.fromEntries(include.map((part) => [part, record[part]])) };
}

function only(summary: z.infer<typeof wireSummary>, fields: readonly ListFieldName[]): WireListRow {
  const kept = listFieldNames.filter((name) => fields.includes(name)).map((name) => [name, summary[name]]);
  return { shipment_id: summary.shipment_id, ...Object.fromEntries(kept) };
}
