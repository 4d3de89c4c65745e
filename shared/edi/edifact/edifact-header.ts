import { part, type Segment } from '../segment.ts';
import type { Reference } from '../x12/x12-references.ts';

const takenBack = 'Void the events that it stated.';

/** Functions of a message (BGM, element 1225) that states no facts, with why it is refused. */
export const refusedFunctions: Readonly<Record<string, string>> = {
  1: `The message cancels an earlier one, which it does not identify. ${takenBack}`,
  3: `The message deletes what an earlier one stated (BGM 1225 is 3). ${takenBack}`,
  17: `The message cancels an earlier one that will be sent again (BGM 1225 is 17). ${takenBack}`,
  50: `The message withdraws an earlier one (BGM 1225 is 50). ${takenBack}`,
  53: 'The message is a test (BGM 1225 is 53). Nothing of it is recorded.',
};

/** The numbers that RFF has by its qualifier (element 1153): the strongest first. */
const qualifiers: Readonly<Record<string, Reference['key']>> = {
  MB: 'mbl',
  BM: 'mbl',
  AWB: 'awb',
  MWB: 'awb',
  BN: 'booking',
  AAM: 'waybill',
  AAS: 'mbl',
  CN: 'pro',
  CW: 'tracking_number',
  HWB: 'hawb',
  BH: 'hbl',
};

const order = Object.keys(qualifiers);

/** The numbers of these RFF segments, the strongest first. */
export function numbersOfRff(segments: readonly Segment[]): Reference[] {
  const rankOf = (segment: Segment) => order.indexOf(part(segment, 1, 1) ?? '');
  return segments
    .filter((segment) => rankOf(segment) >= 0 && part(segment, 1, 2) !== null)
    .sort((left, right) => rankOf(left) - rankOf(right))
    .map((segment) => ({ key: qualifiers[part(segment, 1, 1) ?? ''] ?? 'mbl', value: part(segment, 1, 2) ?? '' }));
}

/** Numbers that the account may have given itself. */
export function ownNumbersOf(segments: readonly Segment[]): (string | null)[] {
  return segments
    .filter((segment) => ['CU', 'FF'].includes(part(segment, 1, 1) ?? ''))
    .map((segment) => part(segment, 1, 2));
}
