import { describe, expect, it } from 'vitest';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';

/** Words for a delivery, and denials and forecasts of one, in which `…` stands for such words. */
const deliveries: { [language: string]: { delivered: string[]; denied: string[] } } = {
  english: {
    delivered: [
      'delivered',
      'delivered to neighbour',
      'successfully delivered',
      'delivered, front door',
      'delivered to sender',
    ],
    denied: [
      "hasn't …",
      "wasn't …",
      "haven't …",
      'has not been …',
      'was not …',
      'not yet …',
      'Never …',
      'is being …',
      'being …',
      'un-…',
      'could not be …',
      'cannot be …',
      'will be …',
      'will soon be …',
      'may be …',
      'has yet to be …',
      'if not …',
      'until it is …',
      "won't be …",
      'expected to be …',
      'The parcel was not, as planned, be …',
    ],
  },
  german: {
    delivered: ['zugestellt', 'ausgeliefert', 'geliefert', 'erfolgreich zugestellt', 'an den Empfänger ausgeliefert'],
    denied: [
      'nicht …',
      'noch nicht …',
      'wurde nicht …',
      'konnte nicht …',
      'wird heute oder morgen …',
      'kann morgen …',
      'soll am 24.12. …',
      'muss noch …',
      'Ihr Paket wird dem Empfänger voraussichtlich am 24.12. zwischen 10 und 12 Uhr an der Haustür …',
      'nie …',
      'wurde noch nicht …',
    ],
  },
  french: {
    delivered: ['livré', 'distribué', 'livrée au destinataire', 'remis au destinataire'],
    denied: [
      "n'a pas été …",
      'n’a pas pu être …',
      "n'est pas …",
      "n'est pas encore …",
      'pas encore …',
      'non encore …',
      'non …',
      'sera …',
      'sera, sauf imprévu, …',
      'doit être …',
      'va être …',
      'peut être …',
      "n'a jamais été …",
    ],
  },
  spanish: {
    delivered: ['entregado', 'entregada al destinatario'],
    denied: [
      'No fue …',
      'no pudo ser …',
      'no ha sido …',
      'aún no …',
      'todavía no ha sido …',
      'será …',
      'puede ser …',
      'no …',
    ],
  },
  polish: {
    delivered: ['doręczono', 'dostarczono', 'doręczona', 'doręczona odbiorcy'],
    denied: [
      'Nie …',
      'nie została …',
      'jeszcze nie …',
      'nie została jeszcze …',
      'zostanie …',
      'będzie jutro …',
      'może być …',
    ],
  },
  swedish: {
    delivered: ['levererad', 'levererats', 'levererat', 'utlämnad', 'levererad till mottagaren'],
    denied: [
      'Inte …',
      'Ej …',
      'har inte …',
      'har ännu inte …',
      'ännu ej …',
      'kommer att bli …',
      'ska …',
      'kunde inte …',
    ],
  },
  dutch: {
    delivered: ['bezorgd', 'afgeleverd', 'geleverd', 'bezorgd bij de buren'],
    denied: [
      'niet …',
      'nog niet …',
      'is niet …',
      'kan niet worden …',
      'wordt morgen tussen 10 en 12 uur …',
      'zal …',
      'nooit …',
    ],
  },
};

describe('the words of a delivery', () => {
  it.each(Object.entries(deliveries))('are none with a denial or a forecast: %s', (_, { delivered, denied }) => {
    const ended = denied
      .flatMap((denial) => delivered.map((words) => denial.replace('…', words)))
      .filter((text) => ['delivered', 'returned'].includes(readStatusWords(text)?.code ?? ''));
    expect(ended).toEqual([]);
  });

  it.each(Object.values(deliveries).flatMap(({ delivered }) => delivered))('are read: %s', (text) => {
    expect(['delivered', 'returned']).toContain(readStatusWords(text)?.code);
  });

  it.each([
    'hub',
    'facility',
    'sorting center',
    'terminal',
    'airline',
    'carrier',
    'local carrier for delivery',
    'delivery depot',
    'USPS for final delivery',
    'the depot in Lyon',
    'broker',
    'forwarder',
    'warehouse',
  ])('are a step at the next carrier or facility: %s', (place) => {
    const codes = [`Delivered to ${place}`, `Delivered at ${place}`, `DELIVERED_TO_${place.toUpperCase()}`].map(
      (text) => readStatusWords(text)?.code,
    );
    expect(codes).not.toContain('delivered');
    expect(codes).toContain('in_transit');
  });
});
