import { expect, it } from 'vitest';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';
import { settleCode } from '#services/worker/carriers/reading/status-words/settle-code.ts';

const terminal = ['delivered', 'returned', 'cancelled', 'lost', 'destroyed'];

it.each([
  "We haven't delivered your package",
  'Never delivered',
  'Is being delivered',
  'Undelivered',
  'Delivered to hub',
  'Delivered to the local carrier for delivery',
  'DELIVERED_TO_DEPOT',
  'Delivered to airline',
  'Delivered in transit',
  'The shipment was not delivered to the sender',
  'Parcel could not be delivered to sender',
  'Package will be destroyed if not collected',
  'Not destroyed',
  'Disposal cancelled',
  'The package was lost, found again and is moving',
  'Cancelled pickup, shipment continues',
  'The parcel was not picked up by the recipient',
  'Die Sendung wurde nicht zugestellt',
  'Das Paket wurde nicht ausgeliefert, da der Empfänger nicht da war',
  'Das Paket wird in Kürze ausgeliefert',
  'Die Sendung kann nicht zugestellt werden',
  'Nicht geliefert',
  'Ihr Paket wird dem Empfänger voraussichtlich am 24.12. zwischen 10 und 12 Uhr an der Haustür zugestellt',
  "Le colis n'a pas été livré",
  "Votre colis n'est pas encore distribué",
  'No fue entregado',
  'El envío no pudo ser entregado',
  'Nie doręczono',
  'Przesyłka nie została doręczona',
  'Inte levererad',
  'Paketet har ännu inte levererats',
  'Pakket is niet bezorgd',
  'Het pakket wordt morgen bezorgd',
  'EXPECTED_RETURN_DELIVERED_AT_SHIPPER_CALCULATED',
])('%s does not end the journey', (words) => {
  expect(terminal).not.toContain(readStatusWords(words)?.code);
});

it.each([
  'Delivered',
  'Delivered, left with a neighbour. Nobody was home',
  'Recipient not home - delivered to neighbour',
  'Die Sendung wurde erfolgreich zugestellt',
  'Empfänger nicht angetroffen, zugestellt an Nachbar',
  'Colis livré',
  'Entregado',
  'Przesyłka została doręczona',
  'Paketet är levererat',
  'Pakket is bezorgd',
])('%s ends it', (words) => {
  expect(['delivered', 'delivery_attempted']).toContain(readStatusWords(words)?.code);
});

it.each([
  'Delivered. Signed for by: RTO',
  'Delivered; return receipt sent to shipper',
  'Delivered after delivery attempt',
  'Zustellversuch. Zugestellt an Nachbar',
])('the code of a delivery stands beside "%s"', (words) => {
  expect(settleCode('delivered', words).code).toBe('delivered');
});
