import { describe, expect, it } from 'vitest';
import { carriers, connectorCodes, connectorFor, findCarrier, nearestCarrier } from '#shared/domain/carrier-catalogue.ts';

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
])('%s is found as %s', (sent, code) => {
  expect(findCarrier(sent)?.code).toBe(code);
});

it('no code, alias or name belongs to two carriers', () => {
  for (const carrier of carriers) {
    const names = [carrier.code, carrier.name, ...carrier.aliases, ...(carrier.smdg === null ? [] : [carrier.smdg])];
    for (const name of names) expect(findCarrier(name), name).toBe(carrier);
  }
});

it('every B/L prefix leads to the carrier that writes it', () => {
  for (const carrier of carriers) {
    for (const prefix of carrier.blPrefixes) expect(findCarrier(prefix), prefix).toBe(carrier);
  }
});

describe('connectors', () => {
  it.each([
    ['MAEU', 'maersk'],
    ['HLCU', 'hapag-lloyd'],
    ['CMDU', 'dcsa'],
    ['HDMU', 'dcsa'],
    ['ANNU', 'dcsa'],
  ] as const)('%s is followed by %s', (code, connector) => {
    expect(connectorFor(code, 'ocean')).toBe(connector);
  });

  it('a carrier is not followed in a mode that it does not have', () => {
    expect(connectorFor('MAEU', 'air')).toBeNull();
    expect(connectorFor('COSU', 'ocean')).toBeNull();
    expect(connectorFor('nobody', 'ocean')).toBeNull();
  });

  it('each connector follows someone', () => {
    expect(new Set(carriers.map((carrier) => carrier.connector))).toEqual(new Set([...connectorCodes, null]));
  });
});

it('a misspelt name finds its carrier, a strange one does not', () => {
  expect(nearestCarrier('mearsk')?.code).toBe('MAEU');
  expect(nearestCarrier('MEAU')?.code).toBe('MAEU');
  expect(nearestCarrier('hapag loyd')?.code).toBe('HLCU');
  expect(nearestCarrier('QQQQ')).toBeNull();
});
