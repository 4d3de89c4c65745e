import type { EventCode } from '#shared/domain/events/event.ts';

/** The first matching pattern wins. `statusCode` has only five values; DHL's text gives the details. */
type Wordings = readonly (readonly [EventCode, RegExp])[];

const returning = /\breturn(ed|ing)?\b.*\b(sender|shipper|origin)\b|\breturn shipment\b/;
const attempted =
  /\bdelivery (was )?attempt|\battempted (delivery|to deliver)|\b(recipient|consignee|customer) (was )?(not|absent)|\bnot (at )?home\b/;
const collectable =
  /\bdelivered at parcelshop\b|\b(ready|available|awaiting|waiting) (for )?(collection|pick-?up)|\bcan be (collected|picked up)|\b(service ?point|locker|packstation)\b.*\b(ready|available)/;
const customsHold =
  /\bcustoms?\b.*\b(hold|held|detained|stopped)\b|\b(hold|held|detained|stopped)\b.*\bcustoms?\b|\bclearance delay/;
const customsReleased =
  /\b(cleared|released)\b.*\bcustoms?\b|\bcustoms?\b.*\b(cleared|released|completed)\b|\bclearance processing complete/;

const onTheWay: Wordings = [
  ['returned', /\bdelivered at shipper\b/],
  ['return_started', returning],
  ['delivery_attempted', attempted],
  [
    'out_for_delivery',
    /\bout (with (the )?courier )?for delivery\b|\bout with (the )?courier\b|\bwith (the )?(delivery )?courier\b|\bloaded (on|onto|into) (the )?delivery vehicle\b/,
  ],
  ['available_for_pickup', collectable],
  ['customs_hold', customsHold],
  ['customs_released', customsReleased],
  ['customs_inspection', /\bcustoms?\b|\bclearance\b/],
  ['delayed', /\bdelay(ed)?\b/],
  ['exception', /\bon hold\b/],
  ['departed_facility', /\b(departed|departure|left|has left)\b/],
  ['arrived_at_facility', /\b(arrived|arrival|processed at|received at)\b/],
  ['picked_up', /\bpicked[ -]?up\b|\bcollected\b/],
];

/**
 * Event codes of DHL Paket, which come as `status` (developer.dhl.com, status_1.csv). LA is left out: it stands for
 * waiting at a pickup point and for other storage.
 */
const paketCodes: Readonly<Record<string, EventCode>> = {
  AA: 'departed_facility',
  AE: 'picked_up',
  EE: 'arrived_at_facility',
  PO: 'out_for_delivery',
  ZF: 'available_for_pickup',
  ZN: 'delivery_attempted',
};

/** DHL eCommerce sends these as `unknown`. */
const announced: Wordings = [
  ['information_received', /\blabel created\b|\bawaiting shipment\b|\bdata (received|provided)\b/],
];

const troubled: Wordings = [
  ['return_started', returning],
  ['delivery_attempted', attempted],
  ['customs_hold', customsHold],
  ['delayed', /\bdelay(ed)?\b/],
];

/**
 * The meaning of a status: `statusCode` decides, the text refines it, or else DHL Paket's code. `isRefined` is false
 * when neither added anything.
 */
export function codeOfDhl(
  statusCode: string | null,
  words: string,
  paketCode: string | null = null,
): { code: EventCode; isRefined: boolean } {
  const lowerText = words.toLowerCase().replaceAll('_', ' ');
  const coded = Object.hasOwn(paketCodes, paketCode ?? '') ? paketCodes[paketCode ?? ''] : undefined;
  const among = (wordings: Wordings, plain: EventCode) => {
    const isMoving = plain === 'in_transit' || plain === 'exception';
    const refined = wordings.find(([, pattern]) => pattern.test(lowerText))?.[0] ?? (isMoving ? coded : undefined);
    return { code: refined ?? plain, isRefined: refined !== undefined };
  };
  switch (statusCode?.toLowerCase()) {
    case 'pre-transit':
      return among([['cancelled', /\bcancel/]], 'information_received');
    case 'transit':
      return among(onTheWay, 'in_transit');
    case 'delivered':
      return among([['returned', returning]], 'delivered');
    case 'failure':
      return among(troubled, 'exception');
    default:
      return among([...announced, ...onTheWay], 'other');
  }
}
