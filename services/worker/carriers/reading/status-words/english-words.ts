import { clause } from './clause.ts';
import type { LanguageWords } from './status-meaning.ts';

const sender = '(sender|shipper|consignor|original sender|client|merchant|seller|origin)';
const recipient = '(recipient|receiver|consignee|addressee|customer|cnee)';
const point =
  '(access ?point|service ?point|parcel ?shops?|parcel ?station|post ?office|pop|pick-?up (point|location|parcelshop)|collection point|outlet|packstation)';

const negation = String.raw`not|never|neither|nor|without|no longer|cannot|\w+n't|(?:has|have|had|was|were|is|are|did|do|does|could|ca|wo)nt`;
const modal = 'will|shall|should|would|could|can|may|might|must|be|being|going to|about to|due to be';
const condition = 'if|once|when|until|unless|before|whether|in case';
/** Words that begin another statement than the one that a negation or a condition is about. */
const elsewhere = 'so|but|and|or|then|therefore|home|available|present';

export const englishWords: LanguageWords = {
  nothing: [
    /\b(preferred ?\w+|pick-?up order|collection order|return order|last status|previous status|delivery order)\b.*\b(cancel\w*|corrected)\b/,
    /\b(return of|cancellation of|redirect\w*|hold)\b.*\b(cancell?ed|deleted)\b/,
    /\bpick-?up order\b(?! (has been )?received)|\bpick-?ups? (planned|address)\b|\bnew pick-?up attempt\b/,
    /\bno shipments?(\(s\))? .*\bpicked up\b|\bnothing (was )?picked up\b|^not collected -/,
    /\bcollection arranged\b|\bno shipment to collect\b|\bparcel collection\b/,
    /\bout for (parcel )?collection\b/,
    /\b(image|photo|picture|signature)\b.*\b(recorded|taken|available|received)\b|^proof of delivery$/,
    /\bproof of delivery (dispatched|delivered)\b|\bpaper pod\b/,
    /\bnotification of (delivery )?time\b|\bfailed to send\b|\breminder email sent failed\b/,
    /\bhas been notified \(/,
    /\bcod amount\b/,
    /\breturns? (request |order |label |shipment )?(was |has been |is )?cancell?ed\b/,
  ],
  returned: [
    String.raw`\bdelivered (back )?(at|to|, to) (the )?(business )?${sender}\b|\bdelivered, to ${sender}\b|\bdelivered back to\b|\breturned and delivered to\b`,
    /\breturns? (shipment )?(was |has been )?delivered\b|\breturn\/return shipment has arrived at the client\b/,
    /\breturned to customer\b/,
  ],
  return_started: [
    String.raw`\breturn(ed|s|ing)?\b.{0,40}\b(to|at) (the |its )?${sender}('s)?\b(?! if not collected)|\b(sent|goes|going|on (its|the) way) back to (the )?${sender}\b|\bon route to the sender\b`,
    /\b(will be|is being|being|be|is) returned\b(?! to sender if)/,
    /\breturn (initiated|in transit|processed|started|received)\b|\breturns? process started\b/,
    /\bprepared for return\b|\brts\b|\brto\b|\breturned? (at|on) .{0,20}\brequest\b/,
    /\bcollection date .*\bexpired\b/,
    /\breturn(ing)? (package|shipment|parcel)\b/,
    /\breturns? (shipment|handed|picked|loaded|dispatched|label|arrived|parcel|delivery|scanned|encoded|was)\b/,
    /\bout for return\b|\borigin return facility\b|\breturn facility\b|\bfor return\b|\breturn pick ?up\b/,
    /\battempted return\b|\breturn\/return\b/,
    /\breturned,|\bundeliverable\b.*\breturned\b|\bshipment returned\b|\breturns? content\b/,
    /\breturned to warehouse\b|\b(sent|goes) back\b|\bback to (the )?(sender|shipper)\b/,
  ],
  lost: [
    /\b(shipment|parcel|package|undelivered -|item)( was| is| has been)? ?(shipment )?lost\b(?! (search|inquiry|enquiry|claim|report))/,
    /^lost\b(?!.*\b(search|inquiry|enquiry|claim|investigation|report)\b)/,
    /\bdestroyed\b|\bdisposed\b(?! to)|\bdisposal (completed?|confirmed|done)\b/,
  ],
  cancelled: [
    /^(the )?(your )?(?!(return|pick-?up|collection|redirect\w*|customs|delivery|hold) )(\w+ )?(shipment|parcel|package|order|consignment|item|label)s?( has been| was| is)? (cancell?ed)\b(?! (if|unless|when|once|pick-?up|collection|customs))/,
    /^cancell?ed( (by|at) (the )?(sender|shipper|customer|merchant|seller|client)\S*( request)?)?(?=[.;!]|$)/,
    /^cancell?ed (shipment|order|label|parcel|package)(?=[.;!]|$)|\bconsignment cancelled\b/,
    /\bsender has cancelled( (the|this) (shipment order|shipment|order|label|parcel|package|consignment))?(?=[.;!]|$)/,
    /^cancellation confirmed\b/,
    /\bpost(ing)? shipment .*cancelled\b/,
  ],
  collected: [
    String.raw`(?<!\b(to|can|not|be|not been|will) (be )?)\b(picked[- ]?up|collected|retrieved)\b.{0,30}\bby (the )?${recipient}\b(?!'s| service| courier| driver| carrier)|^(the )?${recipient} (has )?(picked up|collected)\b|\bshipment was picked up in\b|\bparcel collected$|(?<!\b(to|can|will) be )\bcollected (at|from) .*(postnl outlet|servicepoint|locker|outlet)`,
  ],
  customs_released: [
    /\b(cleared|released|release[ds]?|out of|approved|left|leaving|departed)\b.{0,30}\bcustoms?\b/,
    /\bcustoms?\b.{0,60}\b(cleared|released|completed?|finished|approved|successful\w*)\b(?! by us)/,
    /\bclearance (release|complete\w*|processing complete\w*)\b|\bbroker release\b/,
    /\b(import|declaration)\b.{0,30}\b(is )?complete[d]?\b|\bcleared and awaiting\b/,
  ],
  duties_due: [
    /\b(awaiting|waiting|held|hold)\b.{0,30}\bpayment\b/,
    /\b(import charges|duty|duties|fees|taxes|charges)\b.{0,40}\b(due|awaiting|sent|unpaid|assessed)\b/,
    /\bpayment (is )?(due|required|needed|missing)\b|\badditional payment\b|\bcontacted for payment\b/,
    /\buntil fees are paid\b|\bdut(y|ies) unpaid\b|\brequest for payment\b/,
  ],
  customs: [/\bheld for exam\b|\bcustoms?\b|\bclearance\b|\bimport (declaration|scan)\b/],
  delivery_attempted: [
    /\b(could ?n.t|could not|cannot|unable to|not able to|not been able to|was not|not)\b[^.;,]{0,12}\b(be )?(delivered|deliver)\b/,
    /(?<!\bout for (second|final) )\bdelivery (attempt(ed)?(?! (is |has been )?(successful|scheduled|planned|expected))|failed|unsuccessful|was not possible|interrupted$)\b/,
    /\b(unsuccessful|failed|attempted|missed) (dhl )?(delivery|attempt)\b|\bdelivery of the shipment failed\b/,
    /\bdelivery exception - customer\b|\b\d(st|nd|rd|th) delivery attempt\b|\battempted -/,
    String.raw`\b(${recipient}|authori[sz]ed recipient|no ?one|nobody)\b.{0,25}\b(not (present|available|at home|home|met)|unavailable|absent|repeatedly not)\b|\bnot (at )?home\b|\bno ?one (at )?home\b|\bno ?one to receive\b|\bclosed on arrival\b`,
    /\bmissed (each other|you)\b|\bnotice (card )?left\b|\bcard left\b|\bcarded\b|\bno access\b/,
    /\bdelivery (was |is )?(not (possible|successful|completed?|made)|impossible)\b|\bfailed to (be )?deliver/,
    /\b(tried|attempted) to deliver\b/,
    /\bbusiness closed\b|\bid could not be verified\b|\bdid not find (the |alternative )?recipient\b/,
  ],
  wrong_way: [/\bto the wrong\b|\bpresented to the wrong\b/],
  out_for_delivery: [
    /\bout (with (the )?courier )?for (second |final )?delivery\b|\bon ?board for delivery\b/,
    /\bon (\w+ )?vehicle for delivery\b|\bwith (the )?(delivery|delivering) courier\b/,
    /\bout with (the )?(courier|driver)\b/,
    /\bloaded (on|onto|into|to|in)( the| a)? ?(delivery )?(van|vehicle)\b(?!.*return)/,
    /\bgone out on a delivery route\b|\bin delivery\b(?! (country|depot|facility|hub|terminal))/,
    /\bdelivery of the shipment item is in progress\b|\bon its way to the consignee\b/,
    /\bhanded (out|over) to (the )?courier for delivery\b|\bdriver is en route$|\bnext stop on route\b/,
  ],
  available_for_pickup: [
    /\b(ready|available|awaiting|waiting|wait|held|hold|holding)\b.{0,25}\b(for|to be|by)?\b ?(recipient |customer |cnee |self )?\b(collection|pick-?(ed )?up|collected|pickup)\b(?! by (the |our |a )?(courier|driver|carrier))/,
    String.raw`\b(to|can) be (collected|picked up)\b|\b${recipient} to collect\b|(?<!\b(delivered|handed over)\b.*)\bavailable (at|in|from)\b|\bavailable (at|in|from) (a |an |the |your )?(\w+ )?${point}\b`,
    String.raw`\bdelivered (at|to|in|by driver to) (a |an |the )?((ups|dhl|fedex|local|nearby) )?${point}\b|\bhanded over to the (access point|parcel ?shop|parcel ?station|post ?office)\b`,
    /\barriv(al|ed) (at|to) (the )?(pick-?up[- ]?(point|location)|service ?point|dhl pop)\b/,
    /\b(ready in|delivered to) pick-?up[- ](point|location)\b|\bheld at (post office|fedex location)\b/,
    /\bfinal notice\b|\bawaiting collection\b/,
  ],
  redirected: [
    /\bredirect\w*\b|\bre-directed\b|\bforwarded to (a |an )?(new|another|different|address)\b/,
    /\bdelivery (option|change|changed|address changed|date changed|instruction changed)\b/,
    /\b(has been|was) chosen\b|\brecipient.?s? (.s )?(choice|decision|has requested|has moved)\b/,
    /\bchange of address\b|\brequest by the recipient\b|\brescheduled by request\b|\brequested changes\b/,
    /\bwill be forwarded to another\b|\bchanged to\b/,
  ],
  problem: [
    /\bdelay\w*\b|\bheld\b|\bon hold\b|\bis hold\b|\bhold\b|\bbeing kept\b|\bwill be kept\b/,
    /\b(in|been) stor(age|ed)\b|\bpostponed\b|\bre-?scheduled\b|\binterrupted\b|\bstopped\b|\bblocked\b/,
    /\bsuspended\b/,
    /(?<!\bdelivered (with )?)\bdamag\w*\b(?!.*\bdelivered\b)|\brefus\w*\b|\brejected\b|\bdeclined\b/,
    /\b(incorrect|incomplete|invalid|insufficient|bad|wrong)\b.{0,14}\baddress\w*\b/,
    /\baddress\w*\b.{0,30}\b(incorrect|incomplete|unknown|error|not (found|located)|unable)\b/,
    /\bmoved,? left\b|\bno such number\b|\baddressee unknown\b|\bmoved or unknown\b/,
    /\baddress .*(unable|not located|inaccessible)\b/,
    /\bmis-?(sent|sort|routed|directed|shipped|code)\w*\b|(?<!\bdelivered with )\bexception\b|\bfailure$/,
    /\bincomplete\b|\bmissing\b|\bundeliverable\b|\bunclaimed\b|\bvacant\b|\bsorted incorrectly\b|\bstrike\b/,
    /\bnot yet arrived at the\b|\bhandover\b.*\bfailed\b|\bidentification failed\b|\btoo (large|heavy)\b/,
    /\bcould not be (handed|picked)\b|\b(recipient|receiver) is closed\b|\bmissed delivery (cycle|route)\b/,
    /\bnew attempt\b|\bnew delivery attempt\b|\bdelivery time has been updated\b|\bunsuccessful\b/,
    /\bdead letter\b|\bfull, new\b|\bbad weather\b|\bweather\b|\bserious\b|\bwas closed\b/,
  ],
  not_yet: [
    clause({ from: 'not', to: 'yet(?: \\w+){0,3}? (?:delivered|returned)', gap: 2 }),
    clause({ from: negation, to: 'delivered(?: \\w+){0,3}? yet', not: elsewhere }),
    clause({ from: negation, to: 'yet(?: \\w+){0,3}? delivered', gap: 2 }),
    /\bexpected [\w ]*\bcalculated\b/,
  ],
  undelivered: [
    clause({ from: negation, to: 'delivered', not: elsewhere }),
    /\bun[- ]?(successfully )?delivered\b|\bdelivered (failed|unsuccessful\w*)\b|\bdelivered:? (no|not|false)(?=[.;]|$)/,
    clause({ from: `no|${negation}`, to: 'successful delivery', gap: 2 }),
  ],
  handed_over: [
    String.raw`\bdelivered,? (?:in|at|to|into)(?: (?!(?:${recipient}|neighbou?r|person|address|by|from|and)\b)\w[\w'-]*){0,3}? (?:hubs?|depots?|facility|terminal|airlines?|carrier|sort\w*|cent(?:er|re)|usps|broker|forwarder|warehouse|gateway|airport|courier|delivery (?:partner|provider))\b`,
    /\bdelivered,? in[ -]transit\b|\bdelivered,? (to|at) [^.;]{1,40}? for (final |onward |further |last[ -]mile )?(delivery|transport)\b/,
  ],
  found: [/(?<!\bnot (be |been |yet )?)\b(found|located|recovered|traced)\b/],
  unfinished: [
    clause({
      from: `${negation}|${modal}|${condition}`,
      to: 'destroyed|disposed|lost|returned|handed over|left|received|completed?|finished|approved|successful\\w*|picked up|collected|retrieved',
      not: elsewhere,
    }),
    /\b(not( yet)?|never|is being|are being|being|will|can|may|once|until|unless|awaiting|pending|before|if)( \w+){0,3}? (picked up|collected|cleared|released?)\b/,
    /\b(hasn't|isn't|wasn't|won't)( \w+){0,3}? (picked up|collected|cleared|released)\b/,
  ],
  forecast: [
    `${clause({ from: modal, to: 'delivered', not: elsewhere })}[^.;]*`,
    clause({ from: condition, to: 'delivered', not: elsewhere }),
    /\b(will|shall|should)( \w+){0,3}? (available|ready)\b[^.;]*/,
    /\b(not|isn't|never)( yet| currently| longer)? (available|ready) (for|to)\b[^.;]*/,
    /\bdelivery attempt (is |has been )?(scheduled|planned|expected)\b[^.;]*/,
    /\b(expected|estimated|scheduled|planned)( \w+)? delivered\b[^.;]*/,
    /\b(will|to|shall|can|cannot|may|should|would|won't) (now )?(not )?be (\w+ )?(delivered|distributed)\b[^.;]*/,
    /\bwill be (\w+ )?(picked up|collected)\b[^.;]*/,
    /\b(expected|estimated|scheduled|planned|upcoming) (for )?delivery\b[^.;]*/,
    /\bdelivery (is )?(expected|planned|scheduled)\b[^.;]*|\barriving (on-time|early|late|today)\b/,
    /\bwe(.ll| will)? deliver\b[^.;]*|\bdelivery shortly\b/,
    /\b(awaiting|available for|ready for|for) delivery\b/,
  ],
  delivered: [
    /\bdelivered\b|\bdelivery successful\b|\bsuccessful delivery\b|\bdelivery attempt successful\b|^delivery$/,
    /\bdelivery (has been |was |is )?completed?\b|(?<!\bproof of )\bdelivery (was |is |has been )?confirmed(?! for| on| by| to)\b/,
    /\bpartial delivery\b|\breceived by consignee\b|\bhanded over to (the )?(recipient|neighbou?r)\b/,
    /\bleft (at|in|with) (the )?(front|rear|side|back|door|porch|safe|neighbou?r|reception|garage|individual)\b/,
    /\bshipment in letterbox\b/,
  ],
  announced: [
    /\b(label|consignment|shipment record) (was |has been )?created\b|\bcreated a label\b/,
    /\b(electronic(al)?|shipment|shipping|parcel|order|advance|pick-?up) (shipping |shipment |parcel )?(info(rmation)?|data|details|notification|order)\b.{0,40}\b(received|provided|submitted|sent|uploaded|transmitted|approved|entered)\b/,
    /\bdata (received|submitted|uploaded)\b|\breceived electronic\b/,
    /\bnot yet (received|handed over|arrived at|processed)\b|\bnotified to \w+ electronically\b/,
    /\bpre-?(transit|advised?|alerted?|notification|registered|shipment)\b|\border processed\b/,
    /\bawaiting (item|shipment|parcel handover)\b|\bpreparing (an item|shipment)\b|\bin preparation\b/,
    /\bregistered( in network)?$|\border received\b|^announced$|\banother parcel is being prepared\b/,
    /\bready for (collection|pick-?up) by (the |our |a )?(courier|driver|carrier)\b/,
    /\bready for ups\b|^pick ?up booked$|\bmanifested for\b.*\bnot\b/,
  ],
  picked_up: [
    String.raw`\bpicked[- ]?up\b|\bpick-?up (scan|successful)\b|\bshipment pick up\b|\bcollected\b|\bdropped[- ]off\b|\bdrop[- ]?off\b|\bhanded (in|over) (at|by (the )?${sender}|to (gls|dpd|ups|dhl))\b|\bpossession\b|\bwe have your (package|parcel|item)\b|\baccept(ed|ance)\b|\btendered\b|\borigin scan\b|\b(received|receipt) (from|by|at) (the )?(sender|dhl|ups|usps|postnl|carrier|postnl outlet|fedex|customer)\b|\breceived item from\b|\bhas received (your|the) parcel\b|\breceived the parcel\b|\breceived by carrier\b|^posted$`,
  ],
  moving: [
    /\b(depart\w*|left|leaving|leaves?)\b|\barriv(ed|al|ing)\b|\bprocess(ed|ing)\b|\bsort(ed|ing)\b/,
    /\bin[ -]?transit\b|\btransit\b|\ben ?route\b|\bon (the|its) way\b|\bon route\b|\bforwarded\b/,
    /\btransfer(red)?\b|\bhanded over\b|\bhandover\b|\btransport(ation|ed)?\b|\bscanned\b|\bscan\b/,
    /\bdespatch\w*\b|\bdispatch\w*\b|\bat (local|the|parcel|\w+ destination)\b|\bcross(ed|ing)\b/,
    /\breceived at\b|\bloaded\b|\bunloaded\b|\bmanifested\b|\bexported|imported\b|\bflight\b|\bmoving\b/,
    /\bscreened\b|\blocated at\b|\bsent to\b|\bgrouped\b|\bcrossed\b|\bpresorted\b|\bresorted\b/,
    /\bplaced on transport\b|\bready for departure\b|\bat a sorting centre\b|\bin sorting centre\b/,
    /\bfacility\b/,
  ],
};
