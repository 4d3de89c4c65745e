import { oceanStatusCodes } from '../codes/ocean-status-codes.ts';
import { meaningOrOther, type StatusMeaning } from '../codes/status-table.ts';
import { transportStatusesOf } from '../codes/transport-status-codes.ts';
import { part, type Segment } from '../segment.ts';

/** The statements about one status. `unlisted`: a sentence for the report where no list has the code. */
type Stated = { code: string; meaning: StatusMeaning; unlisted: string | null };

/**
 * A number is a status of Recommendation 24; letters are X12's status codes, which ocean lines and railways use here
 * too. Codes of a private list mean what only the sender knows: they are kept with the sender's words, or not at all.
 */
export function meaningOfStatus(status: Segment, mode: string | null): Stated | { reason: string } {
  // The status stands in C555. Some senders put it where its category (C601) belongs.
  const element = part(status, 2, 1) === null && isStatusCode(status) ? 1 : 2;
  const [code, list, agency, words] = [1, 2, 3, 4].map((component) => part(status, element, component));
  if (code == null) return { reason: missingCode(status) };
  if (isPrivate(list ?? null, agency ?? null)) {
    if (words != null) return { code, meaning: { code: 'other', words }, unlisted: null };
    return { reason: `${code} is of the sender's own list, and the message doesn't define it.` };
  }
  const { meaning, unlisted } = /^\d+$/.test(code)
    ? meaningOrOther(transportStatusesOf(mode), String(Number(code)), 'transport status code')
    : meaningOrOther(oceanStatusCodes, code, 'transport status code');
  // A code of X12 that stands beside a train means the train.
  if (mode === 'rail' && meaning.code === 'departed_facility')
    return { code, meaning: { ...meaning, code: 'rail_departed' }, unlisted };
  if (mode === 'rail' && meaning.code === 'arrived_at_facility')
    return { code, meaning: { ...meaning, code: 'rail_arrived' }, unlisted };
  return { code, meaning, unlisted };
}

/** True if C601 has a status: a code of a list that it names, or one that is no category (element 9015 has 17). */
function isStatusCode(status: Segment): boolean {
  const [code, list, agency] = [part(status, 1, 1), part(status, 1, 2), part(status, 1, 3)];
  if (code === null) return false;
  const isStated = list !== null || agency !== null;
  return isStated ? !isPrivate(list, agency) : !/^\d+$/.test(code) || Number(code) > 17;
}

function missingCode(status: Segment): string {
  const category = part(status, 1, 1);
  if (category === null) return 'STS has no status code.';
  return `STS has no status code in C555 (4405). ${category} in C601 is a category (9015), or of a list that is not known.`;
}

/**
 * Agencies (element 3055) for lists that a party made: 85 to 98, and those that parties agree on. The lists of element
 * 1131 have numbers.
 */
function isPrivate(list: string | null, agency: string | null): boolean {
  if (list !== null && /\D/.test(list)) return true;
  return [list, agency].some((each) => each === 'ZZZ' || each === 'ZZ') || /^(8[5-9]|9[0-8])$/.test(agency ?? '');
}
