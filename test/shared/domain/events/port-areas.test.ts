import { describe, expect, it } from 'vitest';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { mainPortCode, namedPortCode, portCodes, portCount } from '#shared/domain/events/port-areas.ts';
import { checkedPorts } from '#shared/places/checked-ports.ts';
import { nowhere } from '#shared/places/find-place.ts';
import { listedPorts, scheduledPorts } from '#shared/places/listed-ports.ts';
import { portOfTerminal, portsWithTerminals } from '#shared/places/terminal-codes.ts';

/** The main codes of the listed ports that a name leads to. */
const namedPorts = new Set(
  [...listedPorts()].map(([unlocode, { name }]) => namedPortCode({ name, country: unlocode.slice(0, 2) })),
);

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
    ['EGPSD', 'EGPSW'],
    ['ZAZBA', 'ZANGQ'],
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
      ['BRVLC', 'BRVDC'],
      ['ZAPLZ', 'ZAZBA'],
      ['EGPSD', 'EGPSE'],
      ['AEAUH', 'AEKHL'],
    ])
      expect(key({ unlocode: left }), `${left} ${right}`).not.toBe(key({ unlocode: right }));
    expect(namedPortCode({ name: 'Rotterdam', country: 'US' })).toBeNull();
    expect(namedPortCode({ name: 'Rotterdam', country: null })).toBeNull();
    expect(key({ iata: 'PVG', unlocode: 'CNYAN' })).toBe('CNYAN');
  });

  it('leads from the own name of each listed port to the place of its code', () => {
    // Other places that share the name of a port.
    const namesakes = ['BRVIC', 'USJ3C', 'USTSA'];
    for (const [unlocode, { name }] of [...listedPorts(), ...checkedPorts]) {
      const named = namedPortCode({ name, country: unlocode.slice(0, 2) });
      if (named !== null && !namesakes.includes(unlocode)) expect(named, unlocode).toBe(mainPortCode(unlocode));
    }
    expect(namedPortCode({ name: 'Portland', country: 'US' })).toBeNull();
    expect(namedPortCode({ name: 'Porto', country: 'PT' })).toBe(mainPortCode('PTOPO'));
  });

  it('has the ports of the world by their codes', () => {
    expect(portCount).toBeGreaterThan(400);
    expect(mainPortCode('USXXX')).toBe('USXXX');
  });

  it.each([
    ['57035', 'CNSGH'],
    ['57020', 'CNNBO'],
    ['42157', 'NLRTM'],
    ['42870', 'DEBRV'],
    ['58023', 'KRBNP'],
    ['55976', 'SGSIN'],
    ['58309', 'TWKHH'],
    ['42305', 'BEANR'],
    ['01822', 'CAMTR'],
    ['1001', 'USNYC'],
    ['4601', 'USEWR'],
    ['2709', 'USLGB'],
    ['5203', 'USFLL'],
  ])('%s of Schedule D or K is the port %s', (code, unlocode) => {
    expect(key({ unlocode: scheduledPorts().get(code) ?? null })).toBe(key({ unlocode }));
  });

  it.each([
    ['DPWJA', 'AEJEA'],
    ['k913', 'BEANR'],
    // Of no port, and of several.
    ['ECTDELTA', null],
    ['MICT', null],
  ])('terminal %s is in port %s', (code, unlocode) => {
    expect(portOfTerminal(code)).toBe(unlocode);
  });

  it('has another code for most ports of the world, and none that several share', () => {
    const coded = new Set([...scheduledPorts().values(), ...portsWithTerminals].map(mainPortCode));
    expect([...coded].filter((code) => portCodes(code).length > 1 || namedPorts.has(code)).length).toBeGreaterThan(120);
    // The rest of China, and of the Emirates.
    expect([scheduledPorts().get('57000'), scheduledPorts().get('52000')]).toEqual([undefined, undefined]);
    for (const [code, port] of scheduledPorts()) expect(/^(US|PR|VI)/.test(port), code).toBe(code.length === 4);
  });
});
