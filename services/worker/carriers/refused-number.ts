/**
 * Meaning of a carrier's 400 or 422 for a number. `not_yet`: it has no data on the number so far. `malformed`: the form
 * of the number is wrong, which no later request changes. Null: the response doesn't state it.
 */
export type NumberRefusal = 'not_yet' | 'malformed' | null;

/**
 * Codes that carriers document for a number that they don't know yet. USPS sends 150001 with "A status update is not yet
 * available" for a label that was not scanned. UPS: 151044, no information available; 151045, not in the database.
 */
const notYetCodes = /"code"\s*:\s*"?(150001|151044|151045)\b|\b[A-Z.]*NOT\.?FOUND\b/;
const notYetWords =
  /\bnot (yet )?(available|found|known|in our (system|records?))\b|\bnot yet\b|\b(could not|cannot|can't|unable to) (be )?(locate|find|found)\b|\bno (\w+ ){0,2}(information|status|data|results?|records?|shipments?|events?)\b|\bdoes not exist\b|\bunknown (tracking )?(number|shipment)\b/i;

/**
 * The permanent refusals, all of them about the form of the number. UPS: 151018 and TV1002, invalid inquiry number. FedEx:
 * TRACKING.TRACKINGNUMBER.INVALID, EMPTY and TOOLONG (developer.fedex.com, error codes). GLS: E_400.
 */
const malformedCodes = /"code"\s*:\s*"?(151018|TV1002)\b|\bTRACKING\.TRACKINGNUMBER\.(INVALID|EMPTY|TOOLONG)\b|"E_400/;
const malformedWords =
  /\btoo (long|short)\b|\b(invalid|malformed|incorrect|wrong|bad|illegal)\b.{0,40}\b(number|reference|identifier|format|length|pattern|checksum|check digit|characters?)\b|\b(number|reference|identifier|format|length|checksum|check digit)\b.{0,40}\b(invalid|malformed|incorrect|wrong|illegal)\b|\b(must|should) (match|have|be|consist)\b|\bdoes not match\b/i;

const maxLength = 4000;

/** Returns the meaning of the text of such a response. */
export function refusalOfNumber(text: string): NumberRefusal {
  const written = text.slice(0, maxLength);
  if (notYetCodes.test(written)) return 'not_yet';
  if (malformedCodes.test(written)) return 'malformed';
  if (notYetWords.test(written)) return 'not_yet';
  return malformedWords.test(written) ? 'malformed' : null;
}
