import type { EventCode } from '#shared/domain/events/event.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';

/** The first matching pattern counts. The words are in lower case, with spaces for underscores. */
type Wordings = readonly (readonly [StatusDetail, RegExp])[];

const locker = /\b(locker|packstation|poststation|parcel (box|machine|terminal)|automated (parcel )?(station|site))\b/;
const reception =
  /\b(reception\w*|front desk|concierge|mail ?room|guard|security office|door(man| person)|gate ?house|superintendent|receiving office|(management|manager'?s?|main|leasing|rental|apartment) office)\b/;
const pickupPoint =
  /\b(access point|service ?point|parcel ?shop|pick-?up (point|location)|retail (location|store)|post office for pickup)\b/;

/** Kinds of handover. */
const handovers: Wordings = [
  ['delivered_to_addressee', /(?<!to be )\b(picked up|collected)\b.*\b(by|from|at)\b/],
  ['delivered_to_neighbour', /\bneighbou?r\b/],
  ['delivered_to_locker', locker],
  ['delivered_to_pickup_point', pickupPoint],
  ['left_in_mailbox', /\b(mail|letter) ?box\b|\bmail slot\b/],
  ['left_with_reception', reception],
  [
    'left_in_safe_place',
    /\b(garage|carport|shed|delivery bag|meter box|other - released|safe place|preferred (place|location)|agreed (place|location))\b/,
  ],
  ['left_at_door', /\b(front|rear|back|side) door\b|\bdoor ?step\b|\bat (the )?door\b|\b(porch|patio|deck)\b/],
  [
    'delivered_to_addressee',
    /\bmet customer\b|\bleft with individual\b|\bin person\b|\b(to|by) (the )?(recipient|receiver|addressee|consignee)\b(?!'| address)|^(receiver|recipient|addressee|consignee)$/,
  ],
];

/** Reasons for a return. */
const returns: Wordings = [
  ['returned_refused', /\brefus(ed|al)\b/],
  [
    'returned_unclaimed',
    /\bunclaimed\b|\b(not|never) (been )?(collect|claim|pick)(ed)?( up)?\b|\b(storage|collection|holding) period\b/,
  ],
  ['returned_at_request', /\brequest(ed)?\b/],
];

/** Reasons for a delay or a failed delivery. */
const problems: Wordings = [
  ['refused', /\brefus(ed|al)\b/],
  [
    'collection_period_expired',
    /\b(storage|collection|pick-?up|holding) period\b.*\b(end|expir|over|elapse)|\b(not|never) (been )?(collect|claim|pick)(ed)?( up)?\b|\bunclaimed\b/,
  ],
  [
    'customs_documents_needed',
    /\b(obtain|for) clearance information\b|\bclearance information( is)? (required|needed)\b|\bdetails needed to clear customs\b|\bmissing (commercial )?(invoice|customs documents?)\b|\b(government|customs|clearance) documents? (is |are )?(required|needed)\b|\bincomplete documentation\b/,
  ],
  [
    'payment_due',
    /\b(unable to (receive|collect) (payment|funds)|(funds|payment) (is |are )?(required|due|needed)|charges are due|no money|held for cod payment)\b/,
  ],
  ['signature_needed', /\bsignature (is )?(required|needed)\b/],
  ['destroyed', /\bdestroyed\b|\bdisposed of\b|\bdisposal site\b|\bwas discarded\b/],
  ['prohibited_goods', /\bprohibit(ed|s)\b|\brestricted commodit|\bcommodity restricted\b|\bembargo\b/],
  [
    'missing_pieces',
    /\bmerchandise missing\b|\bentire shipment was not delivered\b|\bcontents shortage\b|\bpieces? (is |are |was |were )?missing\b|\b(missing|incomplete) pieces?\b/,
  ],
  ['lost', /\blost\b(?! and found)|\b(could not|cannot|can't) be located\b/],
  ['damaged', /\bdamaged?\b/],
  ['misrouted', /\bmis-?(routed|sorted|sort|directed)\b|\bincorrectly sorted\b|\bto the wrong\b|\bwrong route\b/],
  ['missed_connection', /\bmissed (the )?(scheduled )?(connection|transfer time)\b/],
  ['weather', /\bweather\b|\b(snow|tornado|hurricane|flood|storm|earthquake)\b|\bnatural disaster\b/],
  ['strike', /\bstrike\b|\blabou?r dispute\b|\bindustrial action\b/],
  ['vehicle_breakdown', /\bmechanical\b|\bbreak ?down\b|\btechnical reason\b|\bderailment\b/],
  ['security_check', /\bsecurity (delay|check|screening|inspection)\b/],
  [
    'no_access',
    /\bsecurity (access|code)\b|\bgate code\b|\bno access\b|\bunable to (gain )?access\b|\baccess (restricted|denied|problem)\b|\blocal delivery restriction\b/,
  ],
  [
    'addressee_absent',
    /\b(receiver|recipient|customer|consignee|addressee|nobody|no one)\b.{0,12}\b((not|un) ?(available|at home|home|in|present)|absent)\b|\bnot (at )?home\b|^not in\b/,
  ],
  ['business_closed', /\b(business|company|office|store|shop|premises) (was |is )?closed\b|^closed( early)?\.?$/],
  ['addressee_moved', /\b(has|have) moved\b|\b(receiver|recipient|consignee|addressee) moved\b|\bno longer at\b/],
  ['addressee_unknown', /\b(addressee|recipient|receiver|consignee|name) (is )?(unknown|not known)\b/],
  [
    'address_incomplete',
    /\b(incorrect|incomplete|insufficient|wrong|invalid|bad) (\w+ )?address\b|\baddress (information )?(is )?(required|needed|incomplete|incorrect|insufficient)\b|\b(room|apartment|suite|unit|house) number (is )?needed\b|\bas addressed\b|\bmissing postal code\b/,
  ],
  ['appointment_needed', /\bappointment\b.*\b(required|needed)\b/],
  [
    'redirected',
    /\bredirect(ed|ing)?\b|\brerout(ed?|ing)\b|\b(delivery )?address (was )?change[ds]?\b|\baddress change (requested|confirmed)\b|\bon (its|the) way to a (secure |local )?ups access point\b|\bforwarded\b/,
  ],
  [
    'held_at_request',
    /\b(hold|held) (at|for) (location|pickup|customer pickup|courier|instructions|future delivery|a future delivery date)\b|\brequested\b.*\bbe held\b|\breceiver requests hold\b|\barranged (to pick up|for same-day pickup)\b/,
  ],
  [
    'rescheduled',
    /\breschedul(ed?|ing)\b|\b(request(ed)?|requests) future delivery\b|\bchange this delivery date\b|\bdelivery date (was )?changed\b|\bpostponed\b|\bnew delivery attempt\b/,
  ],
];

/** Codes of a step on the way, where words about a problem speak of the past. */
const stepCodes: readonly EventCode[] = [
  'information_received',
  'cancelled',
  'picked_up',
  'departed_facility',
  'out_for_delivery',
  'customs_released',
];

/** Four texts of 500 characters. Some patterns take time by the square of the length: 64 KiB would take a second. */
const maxWordsLength = 2000;

/**
 * The detail that a carrier's English words state about an event with this code. The patterns follow the wordings that
 * UPS, FedEx and DHL publish. Undefined: the words state none of the known details.
 */
export function wordedDetail(code: EventCode, words: string): StatusDetail | undefined {
  const lower = words
    .slice(0, maxWordsLength)
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replace(/[™®]/g, '')
    .replaceAll('’', "'")
    .trim();
  if (lower === '' || stepCodes.includes(code)) return undefined;
  if (code === 'delivered') return first(handovers, lower);
  if (code === 'available_for_pickup')
    return locker.test(lower) ? 'awaiting_collection_at_locker' : 'awaiting_collection_at_pickup_point';
  if (code === 'return_started' || code === 'returned') return first(returns, lower) ?? first(problems, lower);
  const problem = first(problems, lower);
  return problem ?? (code === 'delayed' ? 'carrier_delay' : undefined);
}

function first(wordings: Wordings, words: string): StatusDetail | undefined {
  return wordings.find(([, pattern]) => pattern.test(words))?.[0];
}
