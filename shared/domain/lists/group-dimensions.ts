/** By what matches are counted in groups. `tag` and `exception`: a shipment counts once for each of its own. */
export const groupDimensions = [
  'status',
  'carrier',
  'transport_mode',
  'origin',
  'destination',
  'destination_country',
  'tag',
  'exception',
  'eta_day',
  'eta_week',
  'tracking_state',
] as const;
export type GroupDimension = (typeof groupDimensions)[number];

/** `key` null: the matches without a value. `name`: what people call it, if that is another text. */
export type CountGroup = { key: string | null; name: string | null; count: number };

export type GroupCounts = {
  by: GroupDimension;
  /** Largest first; days and weeks in their order. At most `maxGroups`. */
  groups: CountGroup[];
  /** The matches in further groups. */
  other: number;
  /** The matches were too many to be counted in time: these are the groups of 10,000 of them. */
  isPartial: boolean;
};

export const maxGroups = 50;
