import { z } from 'zod';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  type CountGroup,
  type GroupCounts,
  groupDimensions,
  maxGroups,
} from '#shared/domain/lists/group-dimensions.ts';

export const groupByField = z.enum(groupDimensions).meta({
  description:
    'Also counts all matches in groups. `tag`, `exception`: a shipment counts once for each of its own. `eta_week`: ISO ' +
    'weeks such as `2026-W16`.',
  examples: ['destination'],
});

const count = z.int().min(0);

/** The groups of a count, as fields of its answer. */
export const wireGroups = {
  groups: z
    .array(
      z.strictObject({
        key: z
          .string()
          .nullable()
          .meta({
            description: 'Value that the matches have in common. Null: those without one.',
            examples: ['NLRTM', null],
          }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Its name, if that is another text.', examples: ['Rotterdam', null] }),
        count: count.meta({ description: 'Number of matches.', examples: [31] }),
      }),
    )
    .max(maxGroups)
    .nullable()
    .meta({
      description:
        'Matches by the value of `group_by`, largest first; days and weeks in their order. Null without `group_by`.',
      examples: [[{ key: 'NLRTM', name: 'Rotterdam', count: 31 }], null],
    }),
  groups_other: count.nullable().meta({
    description: 'Matches in groups beyond the largest 50. Null without `group_by`.',
    examples: [0, null],
  }),
  groups_are_partial: z.boolean().meta({
    description: 'Whether there were too many matches to group all of them in time: then 10,000 of them are.',
    examples: [false],
  }),
};

export function toWireGroups(counted: GroupCounts | null) {
  return {
    groups: counted && namedGroups(counted),
    groups_other: counted?.other ?? null,
    groups_are_partial: counted?.isPartial ?? false,
  };
}

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** The groups with the names of carriers and countries, which the store doesn't know. */
export function namedGroups({ by, groups }: GroupCounts): CountGroup[] {
  const nameOf = { carrier: (code: string) => findCarrier(code)?.name, destination_country: nameOfCountry };
  if (by !== 'carrier' && by !== 'destination_country') return groups;
  return groups.map((group) => ({ ...group, name: group.key === null ? null : (nameOf[by](group.key) ?? null) }));
}

/** Undefined for a code that no country can have. */
function nameOfCountry(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
}
