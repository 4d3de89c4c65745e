import { namedGroups } from '#shared/contract/lists/group-wire.ts';
import { parseListToolInput } from '#shared/contract/mcp/list-input.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type PlaceSuggestion, type ShipmentFilter, suggestionText } from '#shared/domain/lists/filter.ts';
import type { GroupCounts } from '#shared/domain/lists/group-dimensions.ts';
import { listDefinition } from './list-definition.ts';
import { toRow } from './results/list-rows.ts';
import { minuteText, shortText, toolError, toolSuccess } from './results/tool-result.ts';
import { withSummaries } from './results/view-data.ts';
import type { Tool } from './tool.ts';

/** A page of shipments as short rows, with counts of all matches. */
export const listShipmentsSummary: Tool = {
  definition: listDefinition,
  call: async (ctx, caller, args) => {
    const { numbers, ...list } = parseListToolInput(args);
    const { q, createdFrom, createdTo, departedFrom, departedTo } = list.filter;
    if (q !== undefined && readShipmentId(q.toLowerCase()) !== null)
      return toolError(
        'query searches numbers and texts. For a shipment id, call get_shipment_details with shipment_id.',
      );
    const asked = numbers === null ? {} : { numbers };
    const page = await listShipments(ctx.core, caller, { ...list, ...asked, withCounts: true, exactFirst: true });
    const isInOrderOfCreation = typeof args.sort === 'string' && list.sort.endsWith('created_at');
    const isCreationAsked = createdFrom !== undefined || createdTo !== undefined;
    const rowContext = (id: string) => ({
      numbers: page.listed?.matched.get(id),
      isCreationAsked,
      isInOrderOfCreation,
      isDepartureAsked: departedFrom !== undefined || departedTo !== undefined,
    });
    const answer = toolSuccess({
      as_of: minuteText(page.asOf),
      shipments: page.shipments.map((shipment) => toRow(shipment, rowContext(shipment.id))),
      total: page.total ?? page.shipments.length,
      total_is_lower_bound: page.totalIsLowerBound || null,
      counts_by_status: page.countsByStatus ?? {},
      stale_count: page.staleCount ?? 0,
      unknown_terms_count: page.unknownTerms,
      ...groupParts(page.groups),
      not_found: page.listed?.notFound.map((number) => shortText(number, 60)),
      found_but_filtered_out: page.listed?.leftOut.map((number) => shortText(number, 60)),
      has_more: list.limit === 0 ? null : page.hasMore,
      next_cursor: page.nextCursor,
      next_step: page.total === 0 && numbers === null ? afterNothing(list.filter, page.suggestions, caller) : null,
    });
    return page.shipments.length === 0 ? answer : withSummaries(answer, page.shipments);
  },
};

/** `groups`: matches by value, `Rotterdam (NLRTM)` where it has a name. `none` of them has a value. */
function groupParts(counted: GroupCounts | null): Record<string, unknown> {
  if (counted === null) return {};
  const groups = new Map<string, number>();
  let without = 0;
  for (const { key, name, count } of namedGroups(counted)) {
    if (key === null) without += count;
    else {
      const shown = shortText(name === null ? key : `${name.slice(0, 60)} (${key})`, 80) ?? key;
      groups.set(shown, (groups.get(shown) ?? 0) + count);
    }
  }
  return {
    groups: Object.fromEntries(groups),
    groups_none: without || null,
    groups_other: counted.other || null,
    groups_are_partial: counted.isPartial || null,
  };
}

/** Hints for an empty list: a model may have spelled a place in its own way and would take the empty list as a fact. */
function afterNothing(
  filter: ShipmentFilter,
  suggestions: readonly PlaceSuggestion[],
  { test }: Caller,
): string | null {
  const scope = test ? 'this test key (test shipments only)' : 'this account';
  if (Object.keys(filter).length === 0)
    return `No shipments in ${scope}, except archived ones (archived: any). Register shipments with POST /v1/shipments.`;
  const advice = [
    filter.q === undefined
      ? null
      : 'all words of query must occur in numbers, references, carriers, vessels or places: try one of them',
    filter.reference === undefined && filter.tag === undefined ? null : 'reference and tag must match exactly',
    Object.keys(filter).length === 1 ? null : 'all arguments must match: omit some',
  ].filter((part) => part !== null);
  const places = suggestions.map((suggestion) => suggestionText(suggestion));
  if (advice.length === 0 && places.length === 0) return test ? `No matches in ${scope}.` : null;
  const steps = advice.length === 0 ? [] : [`If this is unexpected: ${advice.join('; ')}.`];
  return [`No matches in ${scope}.`, ...places, ...steps].join(' ');
}
