import { describe, expect, it } from 'vitest';
import {
  carriers,
  connectorCodes,
  connectorFor,
  findCarrier,
  findCarrierByName,
  nearestCarriers,
  refreshQueues,
  searchCarriers,
} from '#shared/domain/carriers/carrier-catalogue.ts';

it.each([
  ['maeu', 'MAEU'],
  ['maersk', 'MAEU'],
  ['SUDU', 'MAEU'],
  ['MSK', 'MAEU'],
  ['hapag-lloyd', 'HLCU'],
  ['CMA CGM', 'CMDU'],
  ['MEDU', 'MSCU'],
  ['eisu', 'EGLV'],
  ['UPS', 'ups'],
  ['020', 'LH'],
])('resolves %s to %s', (sent, code) => {
  expect(findCarrier(sent)?.code).toBe(code);
});

it.each([
  ['Lufthansa', 'LH'],
  ['lufthansa cargo ag', 'LH'],
  ['Qatar', 'QR'],
  ['Qatar Airways', 'QR'],
  ['Hyundai', 'HDMU'],
  ['Hamburg Süd', 'MAEU'],
  ['HAMBURG SUD', 'MAEU'],
  ['Maersk A/S', 'MAEU'],
  ['Hapag Lloyd AG', 'HLCU'],
  ['Evergreen Marine Corp', 'EGLV'],
  ['COSCO Shipping Lines', 'COSU'],
  ['Korean Air', 'KE'],
  ['Emirates', 'EK'],
  ['Swiss', 'LX'],
  ['British Airways', 'BA'],
  ['FedEx', 'fedex'],
  ['Wan Hai Lines Ltd.', 'WHLC'],
])('understands the name %s as %s', (name, code) => {
  expect(findCarrierByName(name)?.code).toBe(code);
});

it.each(['China', 'Pacific', 'Cargo', 'Line', 'Nonsense Shipping', '', '  '])('treats %j as no carrier', (name) => {
  expect(findCarrierByName(name)).toBeNull();
});

it('names the nearest carriers first, at most three', () => {
  expect(nearestCarriers('Luftansa').map(({ code }) => code)).toContain('LH');
  expect(nearestCarriers('China').map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringMatching(/China/)]),
  );
  expect(nearestCarriers('a').length).toBeLessThanOrEqual(3);
});

it('assigns no code, alias or name to two carriers', () => {
  for (const carrier of carriers) {
    const names = [carrier.code, carrier.name, ...carrier.aliases, ...(carrier.smdg === null ? [] : [carrier.smdg])];
    for (const name of names) expect(findCarrier(name), name).toBe(carrier);
  }
});

it('resolves every B/L prefix to its carrier', () => {
  for (const carrier of carriers) {
    for (const prefix of carrier.blPrefixes) expect(findCarrier(prefix), prefix).toBe(carrier);
  }
});

describe('connectors', () => {
  it.each([
    ['MAEU', 'maersk'],
    ['HLCU', 'hapag-lloyd'],
    ['CMDU', 'cma-cgm'],
    ['ANNU', 'cma-cgm'],
    ['APLU', 'cma-cgm'],
    ['CNC', 'cma-cgm'],
    ['MSCU', 'msc'],
    ['ONEY', 'one'],
    ['EGLV', 'evergreen'],
    ['YMLU', 'yang-ming'],
    ['ZIMU', 'zim'],
    ['HDMU', 'hmm'],
    ['PCIU', 'dcsa'],
  ] as const)('%s is followed by %s', (code, connector) => {
    expect(connectorFor(code, 'ocean')).toBe(connector);
  });

  it('uses ONE Record for airlines, its own API for Lufthansa Cargo, and the one standard for road carriers', () => {
    expect(connectorFor('QR', 'air')).toBe('one-record');
    expect(connectorFor('020', 'air')).toBe('lufthansa-cargo');
    expect(connectorFor('EXLA', 'road')).toBe('nmfta-dsdc');
  });

  it('has no connector for a carrier in a mode that it does not have', () => {
    expect(connectorFor('MAEU', 'air')).toBeNull();
    expect(connectorFor('OOLU', 'ocean')).toBeNull();
    expect(connectorFor('nobody', 'ocean')).toBeNull();
  });

  it('has a carrier for each connector', () => {
    expect(new Set(carriers.map((carrier) => carrier.connector))).toEqual(new Set([...connectorCodes, null]));
  });
});

it('finds the carrier of a misspelled name but not of an unrelated one', () => {
  expect(nearestCarriers('mearsk')[0]?.code).toBe('MAEU');
  expect(nearestCarriers('MEAU')[0]?.code).toBe('MAEU');
  expect(nearestCarriers('hapag loyd')[0]?.code).toBe('HLCU');
  expect(nearestCarriers('QQQQ')).toEqual([]);
});

it("assigns no prefix and no country's post to two carriers", () => {
  for (const list of ['blPrefixes', 'containerPrefixes', 'awbPrefixes', 'postOf'] as const) {
    const all = carriers.flatMap((carrier) => carrier[list]);
    expect(all, list).toEqual([...new Set(all)]);
  }
});

it('has prefixes in the shape of their kind', () => {
  for (const carrier of carriers) {
    for (const prefix of carrier.blPrefixes) expect(prefix).toMatch(/^[A-Z]{4}$/);
    for (const prefix of carrier.containerPrefixes) expect(prefix).toMatch(/^[A-Z]{3}U$/);
    for (const prefix of carrier.awbPrefixes) expect(prefix).toMatch(/^\d{3}$/);
    for (const country of carrier.postOf) expect(country).toMatch(/^[A-Z]{2}$/);
  }
});

it('has a queue for test shipments, which are no carrier', () => {
  expect(refreshQueues).toEqual([...connectorCodes, 'test']);
  expect(findCarrier('test')).toBeNull();
  expect(carriers.map((carrier) => carrier.connector)).not.toContain('test');
});

it('searches codes, names and aliases', () => {
  const codes = (search: Parameters<typeof searchCarriers>[0]) => searchCarriers(search).map((carrier) => carrier.code);
  expect(codes({ transportMode: null, q: 'hapag' })).toEqual(['HLCU']);
  expect(codes({ transportMode: null, q: 'MSK' })).toContain('MAEU');
  expect(codes({ transportMode: 'air', q: '020' })).toEqual(['LH']);
  expect(codes({ transportMode: 'rail', q: null })).toContain('BNSF');
  expect(codes({ transportMode: 'rail', q: 'maersk' })).toEqual([]);
  expect(codes({ transportMode: null, q: null })).toHaveLength(carriers.length);
});
