import { entryOf } from '#shared/domain/entry-of.ts';
import type { Segment } from '../segment.ts';

/** One container (EQD) of a CODECO or COARRI with what belongs to it. */
export type EquipmentGroup = {
  equipment: Segment;
  references: Segment[];
  dates: Segment[];
  places: Segment[];
  measures: Segment[];
  seals: Segment[];
  damages: Segment[];
  texts: Segment[];
  /** Its inland transport (TDT). */
  transports: Segment[];
  last: Segment;
};

/** `voyage`: the TDT of the vessel. `header`: the places before the first container, `texts` the free texts there. */
export type TerminalGroups = {
  references: Segment[];
  header: Segment[];
  texts: Segment[];
  voyage: Segment | null;
  equipment: EquipmentGroup[];
};

/** Segments of one group that are kept. More say nothing that is read. */
const maxKept = 50;

/** Sorts the segments of a CODECO or COARRI into its groups (D.95B and D.00B have the same order). */
export function groupTerminalMoves(segments: readonly Segment[]): TerminalGroups {
  const groups: TerminalGroups = { references: [], header: [], texts: [], voyage: null, equipment: [] };
  let open: EquipmentGroup | null = null;
  let isOfGoods = false;
  for (const segment of segments) {
    const { tag } = segment;
    if (tag === 'CNT' || tag === 'UNT') break;
    if (tag === 'EQD') {
      open = openGroup(segment);
      groups.equipment.push(open);
    } else if (open !== null) {
      addTo(open, segment);
      open.last = segment;
    } else if (tag === 'GID') isOfGoods = true;
    else if (tag === 'TDT') groups.voyage ??= segment;
    else if (!isOfGoods) keep(groups, segment);
  }
  return groups;
}

function openGroup(equipment: Segment): EquipmentGroup {
  return {
    equipment,
    references: [],
    dates: [],
    places: [],
    measures: [],
    seals: [],
    damages: [],
    texts: [],
    transports: [],
    last: equipment,
  };
}

function keep(groups: TerminalGroups, segment: Segment): void {
  const list = entryOf({ RFF: groups.references, LOC: groups.header, FTX: groups.texts }, segment.tag);
  if (list !== undefined && list.length < maxKept) list.push(segment);
}

/** Times and places behind the container's TDT are those of its inland transport. */
function addTo(group: EquipmentGroup, segment: Segment): void {
  const isInland = group.transports.length > 0;
  const lists: Readonly<Record<string, Segment[]>> = {
    RFF: group.references,
    MEA: group.measures,
    SEL: group.seals,
    DAM: group.damages,
    FTX: group.texts,
    TDT: group.transports,
    ...(isInland ? {} : { DTM: group.dates, LOC: group.places }),
  };
  const list = entryOf(lists, segment.tag);
  if (list !== undefined && list.length < maxKept) list.push(segment);
}
