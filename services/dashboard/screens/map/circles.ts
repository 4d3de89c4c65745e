import type { WireMap, WireMapGroup } from '#shared/contract/lists/map-wire.ts';
import { estimateShare } from '#shared/domain/positions/estimate-share.ts';
import { radiusOf } from '#shared/route-map/place-clusters.ts';
import { relativeWords } from '../../parts/time-words.ts';
import { estimateWords } from '../../parts/words/estimate-words.ts';

type Point = WireMap['points'][number];

/** A group as it is drawn. It has the name of its largest place. `note` says how a single position was found. */
export type Circle = WireMapGroup & {
  name: string;
  note: string | null;
  /** In pixels. */
  radius: number;
};

/** Returns the circles for the groups of a response. Ages are counted up to `now`. */
export function circlesOf({ points, groups }: Pick<WireMap, 'points' | 'groups'>, now: number): Circle[] {
  const known = new Map(points.map((point) => [point.key, point]));
  return groups.flatMap((group) => {
    const from = known.get(group.from);
    if (from === undefined) return [];
    const words = wordsOf(group, { from, to: known.get(group.to ?? '') ?? null, now });
    return [{ ...group, ...words, radius: radiusOf(group.count) }];
  });
}

function wordsOf(
  { moving, mode, current_position: reported, departed_at: departedAt, arrives_at: arrivesAt }: WireMapGroup,
  { from, to, now }: { from: Point; to: Point | null; now: number },
): Pick<Circle, 'name' | 'note'> {
  if (reported !== null) {
    const vehicle = reported.vehicle?.name ?? reported.vehicle?.imo ?? vehicleWords[mode ?? ''] ?? 'Vehicle';
    return { name: `${vehicle}, seen ${relativeWords(reported.at, now)}`, note: null };
  }
  if (!moving) return { name: nameOf(from), note: from.approximate ? 'Approximate, based on the city name.' : null };
  if (to === null) {
    const note = 'The next place is unknown, so it is drawn where it left. No position reported.';
    return { name: `Left ${nameOf(from)}`, note };
  }
  const estimate = departedAt === null ? null : estimateShare({ departedAt, arrivesAt }, now);
  const words =
    estimate === null
      ? 'No usable ETA, so it is drawn halfway. No position reported.'
      : estimateWords({ isOverdue: estimate.isOverdue, arrivesAt, to: nameOf(to) }, now);
  const about = [from, to].filter(({ approximate }) => approximate).map(nameOf);
  return {
    name: `${movingWords[mode ?? ''] ?? 'On the way'}, ${nameOf(from)} to ${nameOf(to)}`,
    note: about.length === 0 ? words : `${words} Approximate, based on the city name: ${about.join(' · ')}.`,
  };
}

const vehicleWords: Record<string, string> = { ocean: 'Ship', air: 'Aircraft', rail: 'Train', road: 'Truck' };
const movingWords: Record<string, string> = { ocean: 'At sea', air: 'In the air' };

function nameOf({ name, lat, lng }: Point): string {
  return (
    name ?? `${Math.abs(lat).toFixed(0)}° ${lat < 0 ? 'S' : 'N'} ${Math.abs(lng).toFixed(0)}° ${lng < 0 ? 'W' : 'E'}`
  );
}
