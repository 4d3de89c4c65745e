import { z } from 'zod';
import { type PlaceSuggestion, suggestionText } from '#shared/domain/lists/filter.ts';
import type { GroupCounts } from '#shared/domain/lists/group-dimensions.ts';
import { currentVehicle } from '#shared/domain/lists/map-position.ts';
import {
  type Shipment,
  type Status,
  statuses,
  type TrackingState,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { toWireVehicle } from '../record/event-wire.ts';
import { wireLeg } from '../record/record-parts.ts';
import { wireShipment, wireSummary } from '../record/shipment-schemas.ts';
import { toWireShipment, toWireSummary } from '../record/shipment-wire.ts';
import { instant } from '../schema-parts.ts';
import { toWireGroups, wireGroups } from './group-wire.ts';

/** Parts of the record that a list adds to each row on request. */
export const includableParts = [
  'events',
  'containers',
  'pieces',
  'legs',
  'exceptions',
  'metadata',
  'container_status_counts',
  'vehicle',
] as const;
export type IncludablePart = (typeof includableParts)[number];

export type ListFieldName = keyof typeof wireSummary.shape;

/** The fields of a row. */
export const listFieldNames = Object.keys(wireSummary.shape) as ListFieldName[];

/** The contents of each row. `fields` null: the whole summary. */
export type ListShape = { fields: readonly ListFieldName[] | null; include: readonly IncludablePart[] };

/** One row: every field of the summary unless `fields` names some, and the parts named by `include`. */
export const wireListRow = z.strictObject({
  ...wireSummary.partial().required({ shipment_id: true }).shape,
  events: wireShipment.shape.events.optional(),
  containers: wireShipment.shape.containers.optional(),
  pieces: wireShipment.shape.pieces.optional(),
  legs: wireShipment.shape.legs.optional(),
  exceptions: wireShipment.shape.exceptions.optional(),
  metadata: wireShipment.shape.metadata.optional(),
  container_status_counts: wireShipment.shape.container_status_counts.optional(),
  vehicle: wireLeg.shape.vehicle.optional(),
});

/** One page of a list. */
export const wireShipmentList = z.strictObject({
  data: z
    .array(wireListRow)
    .max(100)
    .meta({
      description:
        'The shipments, in the order of `sort`. Each is a full summary unless `fields` is given. `include` adds ' +
        '`events` (newest first, at most 50), `containers`, `pieces`, `legs`, `exceptions`, `metadata`, ' +
        '`container_status_counts` and `vehicle`: that of the leg under way, otherwise of the next or the last leg.',
    }),
  page: z
    .strictObject({
      limit: z.int().meta({ description: 'Page size.', examples: [25] }),
      has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [true] }),
      next_cursor: z
        .string()
        .nullable()
        .meta({
          description: '`cursor` of the next page. Null on the last page.',
          examples: ['WzEyMywiW10iXQ', null],
        }),
      total: z
        .int()
        .nullable()
        .meta({
          description: 'Number of matches, counted as by `GET /v1/shipments/counts`. Null unless `include_total=true`.',
          examples: [431, null],
        }),
      total_is_lower_bound: z.boolean().meta({ description: 'Whether more than `total` match.', examples: [false] }),
    })
    .meta({ description: 'Pagination.' }),
  counts_by_status: z
    .record(z.string(), z.int())
    .nullable()
    .meta({
      description: 'Number of matches by status. Null unless `include_total=true`.',
      examples: [{ in_transit: 12, arrived: 3 }, null],
    }),
  unknown_terms: z
    .int()
    .min(0)
    .nullable()
    .meta({
      description:
        'With a filter by `free_time` or `last_free_day`, or sorted by it: how many shipments match the other filters ' +
        'and have a clock without known terms, up to 10,000. Their cost can’t be assessed. Otherwise null.',
      examples: [3, null],
    }),
  as_of: z.iso.datetime().meta({
    description:
      'When the first page was read. With a sort by a time that can change, later changes are only in the change feed.',
    examples: ['2026-04-15T08:00:00.000Z'],
  }),
  hint: z
    .string()
    .nullable()
    .meta({
      description:
        'If nothing matches a filter by origin or destination: the nearest places of your newest shipments, each with ' +
        'its number of shipments. Otherwise null.',
      examples: ['No shipments match with origin Goteburg. Nearest origins: Gothenburg (SEGOT, 12).', null],
    }),
});

export type WireListRow = z.infer<typeof wireListRow>;
export type WireShipmentList = z.infer<typeof wireShipmentList>;

/** One page, as `listShipments` of the core returns it. */
export type ShipmentPage = {
  shipments: Shipment[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
  total: number | null;
  totalIsLowerBound: boolean;
  countsByStatus: Partial<Record<string, number>> | null;
  unknownTerms: number | null;
  asOf: string;
  suggestions: readonly PlaceSuggestion[];
};

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
    unknown_terms: page.unknownTerms,
    as_of: page.asOf,
    hint: page.suggestions.map(suggestionText).join(' ') || null,
  };
}

/** One row of a list or an export. */
export function toWireListRow(shipment: Shipment, { fields, include }: ListShape): WireListRow {
  const summary = toWireSummary(shipment);
  const row: WireListRow = fields === null ? summary : only(summary, fields);
  if (include.length === 0) return row;
  const record = { ...toWireShipment(shipment), vehicle: toWireVehicle(currentVehicle(shipment.journey)) };
  return { ...row, ...Object.fromEntries(include.map((part) => [part, record[part]])) };
}

function only(summary: z.infer<typeof wireSummary>, fields: readonly ListFieldName[]): WireListRow {
  const kept = listFieldNames.filter((name) => fields.includes(name)).map((name) => [name, summary[name]]);
  return { shipment_id: summary.shipment_id, ...Object.fromEntries(kept) };
}

const anyCount = z.int().min(0);

function countsOf<Name extends string>(names: readonly Name[]) {
  const fields = names.map(
    (name) =>
      [name, anyCount.meta({ description: `Number of shipments that are \`${name}\`.`, examples: [12] })] as const,
  );
  return z.strictObject(Object.fromEntries(fields) as Record<Name, typeof anyCount>);
}

/** The counts of the shipments that match a filter. */
export const wireCounts = z.strictObject({
  total: anyCount.meta({
    description:
      'Number of matches. Exact if only `status`, `tracking_state`, `tracking_reason`, `has_exception`, ' +
      '`needs_attention` and `archived` are used. With any other filter it is counted up to 10,000.',
    examples: [431],
  }),
  total_is_lower_bound: z.boolean().meta({
    description:
      'Whether more than 10,000 match, so that not all were counted. Each of the other numbers is then counted up to ' +
      '10,000 separately, or is a lower bound too if that takes too long.',
    examples: [false],
  }),
  by_status: countsOf(statuses).meta({ description: 'Number of matches by status. Every status is present.' }),
  by_tracking_state: countsOf(trackingStates).meta({
    description: 'Number of matches by state of tracking. Every state is present.',
  }),
  stale: anyCount.meta({
    description: 'Matches whose last successful refresh is older than scheduled, up to 10,000.',
    examples: [2],
  }),
  has_exception: anyCount.meta({ description: 'Matches with an open exception.', examples: [17] }),
  needs_attention: anyCount.meta({ description: 'Matches that need attention.', examples: [9] }),
  unknown_terms: anyCount.meta({
    description:
      'Shipments with a clock without known terms, so that their cost can’t be assessed, up to 10,000. A filter by ' +
      '`free_time` or `last_free_day` does not narrow them.',
    examples: [3],
  }),
  ...wireGroups,
  as_of: instant('When the shipments were counted.'),
});

export type WireCounts = z.infer<typeof wireCounts>;

/** Counts, as `countShipments` of the core returns them. */
export type ShipmentCounts = {
  total: number;
  totalIsLowerBound: boolean;
  byStatus: Record<Status, number>;
  byTrackingState: Record<TrackingState, number>;
  stale: number;
  hasException: number;
  needsAttention: number;
  unknownTerms: number;
  groups: GroupCounts | null;
  asOf: string;
};

export function toWireCounts(counts: ShipmentCounts): WireCounts {
  return {
    total: counts.total,
    total_is_lower_bound: counts.totalIsLowerBound,
    by_status: counts.byStatus,
    by_tracking_state: counts.byTrackingState,
    stale: counts.stale,
    has_exception: counts.hasException,
    needs_attention: counts.needsAttention,
    unknown_terms: counts.unknownTerms,
    ...toWireGroups(counts.groups),
    as_of: counts.asOf,
  };
}
