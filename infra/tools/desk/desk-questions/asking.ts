import { countBy } from '../facts.ts';
import { dayAt, isWithin, midnightAfter } from '../portfolio/moments.ts';
import type { Seeded } from '../portfolio/seed.ts';
import { type DeskQuestion, type Intent, lastContent, namesOf, type Where } from './intent.ts';

export type Fits = (shipment: Seeded) => boolean;
type Kind = DeskQuestion['kind'];

export const to =
  (...codes: string[]): Fits =>
  ({ truth }) =>
    truth.destination !== null && codes.includes(truth.destination);
export const from =
  (...codes: string[]): Fits =>
  ({ truth }) =>
    truth.origin !== null && codes.includes(truth.origin);
export const by =
  (...carriers: string[]): Fits =>
  ({ registration }) =>
    carriers.includes(registration.carrier);
export const mode =
  (wanted: string): Fits =>
  ({ registration }) =>
    registration.transportMode === wanted;
export const is =
  (...statuses: string[]): Fits =>
  ({ truth }) =>
    statuses.includes(truth.status);
export const has =
  (code: Seeded['truth']['exceptions'][number]): Fits =>
  ({ truth }) =>
    truth.exceptions.includes(code);
export const all =
  (...parts: Fits[]): Fits =>
  (shipment) =>
    parts.every((fits) => fits(shipment));
export const happened = (name: 'departed' | 'delivered' | 'shownEta', range: { from: number; to: number }): Fits => {
  return ({ truth }) => isWithin(truth[name], range);
};
export const days = (first: number, last: number) => ({ from: midnightAfter(first), to: midnightAfter(last + 1) });
export const asRange = ({ from: start, to: end }: { from: number; to: number }): [string, string] => [
  dayAt(start),
  dayAt(end - 1),
];

/** Asks for a list of shipments. */
export function which(kind: Kind, ask: string, where: Where, fits: Fits): DeskQuestion {
  return {
    ...{ kind, ask, intent: { want: 'list', where } },
    read: namesOf,
    truth: (mine) =>
      mine
        .where(fits)
        .map(({ name }) => name)
        .toSorted(),
  };
}

/** Asks for a count. */
export function howMany(kind: Kind, ask: string, where: Where, fits: Fits): DeskQuestion {
  return {
    ...{ kind, ask, intent: { want: 'count', where } },
    read: (answers) => lastContent(answers).total,
    truth: (mine) => mine.where(fits).length,
  };
}

/** Asks for counts by group. Groups are named `Rotterdam (NLRTM)`: the code decides. */
export function perEach(
  ask: string,
  where: Where,
  per: string,
  fits: Fits,
  keyOf: (shipment: Seeded) => string[],
): DeskQuestion {
  return {
    ...{ kind: 'counts and groups', ask, intent: { want: 'count', where, per } },
    read: (answers) => {
      const { groups = {}, groups_none: none = 0, groups_other: other = 0 } = lastContent(answers);
      const coded = Object.entries<number>(groups).map(([name, count]) => [
        /\(([\w-]+)\)$/.exec(name)?.[1] ?? name,
        count,
      ]);
      return { ...Object.fromEntries(coded), $none: none, $other: other };
    },
    truth: (mine) => {
      const counted = countBy(
        mine.where(fits).flatMap((shipment) => keyOf(shipment).map((key) => ({ key }))),
        ({ key }) => key,
      );
      return { $none: 0, $other: 0, ...counted };
    },
  };
}

export function ordered(
  kind: Kind,
  ask: string,
  intent: Extract<Intent, { want: 'list' }>,
  truth: DeskQuestion['truth'],
): DeskQuestion {
  const inOrder: DeskQuestion['read'] = (answers, mine) =>
    answers.flatMap(({ content }) =>
      (content?.shipments ?? []).map((row: { shipment_id: string }) => mine.byId(row.shipment_id)?.name),
    );
  return { kind, ask, intent, read: inOrder, truth };
}

export const any: Fits = () => true;
export const orNone = (key: string | null | undefined) => [key ?? '$none'];
export const isBad = ({ truth }: Seeded) => truth.exceptions.length > 0;
export const delayed =
  (hours: number): Fits =>
  ({ truth }) =>
    (truth.delay ?? Number.NEGATIVE_INFINITY) >= hours;
