import { describe, expect, it } from 'vitest';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { mainPortCode, namedPortCode, portCodes, portCount } from '#shared/domain/events/port-areas.ts';
import { nowhere } from '#shared/places/find-place.ts';

const key = (place: Partial<typeof nowhere>) => placeKey({ ...nowhere, ...place });

describe('one port is one place', () => {
  it.each([
    ['CNSHA', 'CNSGH'],
    ['CNSHA', 'CNYAN'],
    ['CNNGB', 'CNNBO'],
    ['CNTAO', 'CNQIN'],
    ['CNTXG', 'CNXGG'],
    ['KRPUS', 'KRBNP'],
    ['USNYC', 'USEWR'],
    ['MYPKG', 'MYWSP'],
    ['EGPSD', 'EGPSE'],
    ['JPSDJ', 'JPSDS'],
    ['NGLOS', 'NGAPP'],
    ['IDJKT', 'IDTPP'],
  ])('%s and %s', (left, right) => {
    expect(key({ unlocode: left })).toBe(key({ unlocode: right.toLowerCase() }));
    expect(portCodes(right)).toEqual(expect.arrayContaining([left, right]));
  });

  it.each([
    ['ROTTERDAM', 'NL', 'NLRTM'],
    ['Maasvlakte', 'NL', 'NLRTM'],
    ['Anvers', 'BE', 'BEANR'],
    ['BUSAN', 'KR', 'KRBNP'],
    ['Tanjung Priok', 'ID', 'IDJKT'],
    ['Singapore', 'SG', 'SGSIN'],
  ])('%s, %s by its name and by its code', (name, country, unlocode) => {
    expect(key({ name, country })).toBe(key({ unlocode }));
  });

  it('keeps ports apart that ships and barges connect, and cities of one name', () => {
    for (const [left = '', right = ''] of [
      ['CNYTN', 'CNSHK'],
      ['CNCAN', 'CNNSA'],
      ['USLAX', 'USLGB'],
      ['USSEA', 'USTIW'],
      ['JPTYO', 'JPYOK'],
      ['USILG', 'USILM'],
    ])
      expect(key({ unlocode: left }), `${left} ${right}`).not.toBe(key({ unlocode: right }));
    expect(namedPortCode({ name: 'Rotterdam', country: 'US' })).toBeNull();
    expect(namedPortCode({ name: 'Rotterdam', country: null })).toBeNull();
    expect(key({ iata: 'PVG', unlocode: 'CNYAN' })).toBe('CNYAN');
  });

  it('has the ports of the world by their codes', () => {
    expect(portCount).toBeGreaterThan(400);
    expect(mainPortCode('USXXX')).toBe('USXXX');
  });
});
