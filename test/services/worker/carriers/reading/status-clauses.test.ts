import { describe, expect, it } from 'vitest';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';

const readings: { [code: string]: string[] } = {
  delivery_attempted: [
    'Never delivered',
    'Not delivered',
    'Undelivered',
    'Delivery not possible',
    'Failed to deliver',
    'We tried to deliver',
    'Bezorging mislukt',
    'Zustellung erfolglos',
    'Livraison non effectuée',
    'No se pudo entregar',
    'Nie doręczono',
    'Inte levererad',
    'could not be delivered to sender',
    'was not delivered to the sender',
    'Not delivered to shipper, retained',
    "n'a pas été distribué",
    'cannot be delivered and will be disposed of if no instructions',
  ],
  other: [
    'Not yet delivered',
    'noch nicht zugestellt',
    'pas encore livré',
    'har ännu inte levererats',
    'is being delivered',
    'EXPECTED_RETURN_DELIVERED_AT_SHIPPER_CALCULATED',
    'delivery attempt scheduled',
    'Return cancelled',
    'will be available for pickup',
    'is not yet available for pickup',
    'not available for pickup',
  ],
  delivered: [
    'Das Paket wurde zugestellt',
    'Das Paket konnte heute zugestellt werden',
    'Delivery completed',
    'Delivery confirmed',
    'Levererat',
    'Paketet är levererat',
    'Signature not required. Delivered',
    'Delivered - Signed for by: RTO',
    'has been delivered and is available at a PO Box',
    'Delivered to customer, available at reception',
    'Delivered to the recipient at the facility',
  ],
  available_for_pickup: [
    'Delivered to UPS Access Point™',
    'Deli\u00advered to UPS Access\u200bPoint®',
    'Available at the access point',
  ],
  in_transit: ['Delivered in transit', 'Parcel was lost, found again and is moving'],
  destroyed: ['Parcel destroyed', 'Package disposed', 'Die Sendung wurde vernichtet', 'Colis détruit'],
  lost: ['Parcel lost', 'Paket verloren', 'Parcel lost, could not be found'],
  cancelled: [
    'Cancelled',
    'Cancelled by sender',
    'Shipment cancelled',
    'Cancelled shipment',
    'Sendung storniert',
    'Anulowano',
  ],
};

describe('a status', () => {
  it.each(Object.entries(readings).flatMap(([code, texts]) => texts.map((text) => [text, code])))(
    '%s is %s',
    (text, code) => {
      expect(readStatusWords(text)?.code).toBe(code);
    },
  );

  it.each([
    ['will be destroyed', 'destroyed'],
    ['will be destroyed if not collected', 'destroyed'],
    ['Not destroyed', 'destroyed'],
    ['Disposal cancelled', 'destroyed'],
    ['wird vernichtet, wenn sie nicht abgeholt wird', 'destroyed'],
    ['sera détruit', 'destroyed'],
    ['será destruido', 'destroyed'],
    ['wordt vernietigd', 'destroyed'],
    ['zostanie zniszczona', 'destroyed'],
    ['Inte förlorad', 'lost'],
    ['was lost, found again', 'lost'],
    ['Cancelled pickup, shipment continues', 'cancelled'],
    ['Cancelled customs declaration', 'cancelled'],
    ['Anulowano odbiór', 'cancelled'],
    ['Auftrag zur Abholung storniert', 'cancelled'],
    ['Customs clearance not completed', 'customs_released'],
    ['Will be returned to sender if not collected', 'picked_up'],
    ['Paket nicht abgeholt', 'picked_up'],
    ['was not picked up by the recipient', 'picked_up'],
    ['was not picked up by the recipient', 'delivered'],
    ['Nie odebrano', 'picked_up'],
    ['Ready for collection by courier', 'available_for_pickup'],
    ["Shipment picked up by customer's courier", 'delivered'],
  ])('%s is not %s', (text, code) => {
    expect(readStatusWords(text)?.code).not.toBe(code);
  });
});
