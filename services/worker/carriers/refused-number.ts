/**
 * Meaning of a carrier's 400 or 422 for a number. `not_yet`: it has no data on the number so far. `malformed`: the form
 * of the number is wrong, which no later request changes. Null: the response doesn't state it.
 */
export type NumberRefusal = 'not_yet' | 'malformed' | null;

/** The connectors whose carriers document a code for a number of a wrong form. */
export type CodedConnector = 'fedex' | 'ups';

/**
 * The permanent refusals, all of them about the form of the number. Words are none: they may be about any field of the
 * request. UPS: invalid inquiry number (developer.ups.com, Tracking API, error codes). FedEx: developer.fedex.com, Track
 * API, error codes.
 */
const malformedCodes: Readonly<Record<CodedConnector, readonly string[]>> = {
  ups: ['151018', 'TV1002'],
  fedex: ['TRACKING.TRACKINGNUMBER.INVALID', 'TRACKING.TRACKINGNUMBER.EMPTY', 'TRACKING.TRACKINGNUMBER.TOOLONG'],
};

/**
 * Codes that carriers document for a number that they don't know yet. USPS sends 150001 with "A status update is not yet
 * available" for a label that was not scanned. UPS: 151044, no information available; 151045, not in the database. FedEx
 * names what it doesn't find behind TRACKING.
 */
const notYetCode = /^(150001|151044|151045|TRACKING\.[A-Z.]*NOT\.?FOUND)$/;
const notYetWords =
  /\bnot (yet )?(available|found|known|in our (system|records?))\b|\bnot yet\b|\b(could not|cannot|can't|unable to) (be )?(locate|find|found)\b|\bno (\w+ ){0,2}(information|status|data|results?|records?|shipments?|events?)\b|\bdoes not exist\b|\bunknown (tracking )?(number|shipment)\b/i;
/** Subjects that the sentence must have, and those that it must not have: names of fields count (`trackingNumber`). */
const ofParcel =
  /shipment|tracking|package|parcel|number|status|consignment|waybill|booking|container|equipment|bill of lading/i;
const ofAccess = /client|account|header|token|key|credential/i;

const maxLength = 4000;
const statedCode = /"(?:error_?)?code"\s*:\s*"?([\w.]+)/gi;

/** Returns the meaning of the text of such a response, or of a code alone. */
export function refusalOfNumber(text: string, connector: CodedConnector | null = null): NumberRefusal {
  const written = text.slice(0, maxLength);
  const codes = [written.trim(), ...[...written.matchAll(statedCode)].map((match) => match[1] ?? '')];
  if (codes.some((code) => notYetCode.test(code))) return 'not_yet';
  if (connector !== null && codes.some((code) => malformedCodes[connector].includes(code))) return 'malformed';
  return sentencesOf(written).some(isNotYet) ? 'not_yet' : null;
}

function isNotYet(sentence: string): boolean {
  return notYetWords.test(sentence) && ofParcel.test(sentence) && !ofAccess.test(sentence);
}

/** The sentences of a text or of the strings in a JSON text. */
function sentencesOf(text: string): string[] {
  return text.split(/["\n]|[.!?](?:\s|$)/);
}
