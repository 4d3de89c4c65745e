import type { StatusDetail } from '#shared/domain/events/status-details.ts';

/** Events of which the carrier's words may say why. The words of other events describe normal progress. */
const troubles = ['PICKUP_ATTEMPTED', 'DELAY', 'EXCEPTION', 'DELIVERY_ATTEMPTED', 'CUSTOMS_HOLD'];

/** The standard has no list of reasons: its reasons are free text in English. The first match counts. */
const wordings: readonly (readonly [StatusDetail, RegExp])[] = [
  ['weather', /\bweather\b|\b(snow|ice|wind|thunder|tropical )?storms?\b|\bhurricane|\bflood|\bblizzard/],
  ['vehicle_breakdown', /\bbreakdown\b|\bmechanical\b|\b(flat|blown) tire|\bequipment failure/],
  ['strike', /\bstrike\b|\blabor (dispute|action)/],
  ['refused', /\brefus/],
  ['business_closed', /\bclosed\b|\bafter hours\b|\bholiday\b/],
  [
    'appointment_needed',
    /\bappointment (is )?(required|needed|not (made|set|scheduled))|\bno appointment\b|\bneeds? appointment/,
  ],
  ['rescheduled', /\breschedul|\bappointment (was )?(moved|changed)/],
  ['missed_connection', /\bmissed (the )?(connection|linehaul|transfer)/],
  ['missing_pieces', /\bshortage\b|\bmissing (piece|freight|pallet|skid)|\bshort \d|\bpieces? short\b/],
  ['damaged', /\bdamag/],
  ['misrouted', /\bmis-?(rout|sort|direct|ship|load)|\bwrong (facility|destination|terminal)\b/],
  ['address_incomplete', /\b(bad|wrong|incomplete|incorrect|invalid) address/],
  ['no_access', /\bno access\b|\bgate\b.*\b(locked|closed)\b|\bcannot access\b/],
  ['addressee_absent', /\bno ?one (there|available|to receive)|\bconsignee (not available|absent)/],
  ['customs_documents_needed', /\b(customs )?(documents?|paperwork) (missing|needed|required|incomplete)/],
  ['payment_due', /\b(unpaid|payment|cod) (is )?(due|required|needed)|\bhold for payment/],
];

/** Returns the reason for a problem from the words of the event. Null: they state none. */
export function reasonInWords(type: string, words: readonly string[]): StatusDetail | null {
  if (!troubles.includes(type)) return null;
  const said = words.join(' ').toLowerCase();
  return wordings.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}
