import { expect, it } from 'vitest';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { searchTerm, searchWords } from '#shared/domain/lists/search-terms.ts';
import { place } from '../journey/journey-events.ts';

const shipment = {
  identifiers: { mbl: 'MAEU123456789' },
  reference: 'PO-1',
  carrier: 'MAEU',
  carrierName: 'Maersk',
  tags: ['acme', 'acme'],
  metadata: { buyer: 'Acme', note: '😀'.repeat(300) },
  journey: {
    ...composeJourney({ events: [], transportMode: 'ocean' }, 0),
    origin: { ...place('CNSHA'), name: '上海港', iata: 'SHA' },
    destination: { ...place('NLRTM'), country: null },
    containerStatusCounts: { in_transit: 2, arrived: 1 },
  },
};

it('holds tags, places, metadata, container statuses and pairs of characters, each once', () => {
  const { searchText, searchTerms } = searchWords(shipment);
  expect(searchText).toContain('po-1\nmaeu\nmaersk');
  expect(searchTerms).toEqual([
    'tag acme',
    'origin CNSHA',
    'origin SHA',
    'origin CN',
    'destination NLRTM',
    'destination NL',
    'meta buyer=Acme',
    `meta note=${'😀'.repeat(195)}`,
    'container in_transit',
    'container arrived',
    'pair 上海',
    'pair 海港',
  ]);
});

it('holds the vessels of all legs as filters seek them', () => {
  const none = { planned: null, estimated: null, actual: null };
  const legs = ['Ever Given ', 'EVER GIVEN', null].map((name, index) => ({
    sequence: index,
    mode: 'ocean' as const,
    from: null,
    to: null,
    vehicle: name === null ? null : { name, imo: '9811000', voyage: null, flight: null },
    departure: none,
    arrival: none,
    delayHours: null,
    delayBasis: null,
  }));
  const { searchTerms } = searchWords({ ...shipment, journey: { ...shipment.journey, legs } });
  expect(searchTerms.filter((term) => term.startsWith('vessel'))).toEqual(['vessel ever given', 'vessel 9811000']);
});

it('cuts a long value where it is stored and where it is sought', () => {
  const value = 'x'.repeat(500);
  const { searchTerms } = searchWords({ ...shipment, metadata: { note: value } });
  expect(searchTerms).toContain(searchTerm.metadata('note', value));
  expect(searchTerm.metadata('note', value)).toHaveLength('meta '.length + 200);
});
