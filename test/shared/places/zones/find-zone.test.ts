import { describe, expect, it } from 'vitest';
import { isTimezone } from '#shared/domain/instant-of.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { enrichPlace, nowhere } from '#shared/places/find-place.ts';
import { findPlaceZone } from '#shared/places/place-zone.ts';
import { zoneOfCity } from '#shared/places/zones/city-zones.ts';
import { onlyZoneOf } from '#shared/places/zones/country-zones.ts';
import { zoneOfPostalCode } from '#shared/places/zones/postal-zones.ts';
import { zoneOfRegion } from '#shared/places/zones/region-zones.ts';

const noCode = { stated: null, lat: null, lng: null, listed: null };
const zoneOf = (country: string, address: { city?: string; state?: string; postalCode?: string }) =>
  findPlaceZone({ ...noCode, country, city: null, state: null, postalCode: null, ...address });

describe('the zone of an address', () => {
  it.each([
    ['US', { city: 'PLANO', state: 'TX' }, 'America/Chicago', 'state'],
    ['US', { city: 'EL PASO', state: 'TX' }, 'America/Denver', 'city'],
    ['US', { city: 'NOWHERE', state: 'TX', postalCode: '79821' }, 'America/Denver', 'postal_code'],
    ['US', { city: 'LYNDON', state: 'KY' }, 'America/New_York', 'state'],
    ['US', { city: 'PADUCAH', state: 'Kentucky' }, 'America/Chicago', 'city'],
    ['US', { city: "COEUR D'ALENE", state: 'ID' }, 'America/Los_Angeles', 'city'],
    ['US', { city: 'SOUTH BEND', state: 'IN' }, 'America/Indiana/Indianapolis', 'state'],
    ['US', { postalCode: '46320-1234' }, 'America/Chicago', 'postal_code'],
    ['CA', { city: 'THUNDER BAY', state: 'ON' }, 'America/Toronto', 'state'],
    ['CA', { city: 'KENORA', state: 'ON' }, 'America/Winnipeg', 'city'],
    ['CA', { postalCode: 't2p 1j9' }, 'America/Edmonton', 'postal_code'],
    ['AU', { city: 'CAIRNS', state: 'QLD' }, 'Australia/Brisbane', 'city'],
    ['BR', { city: 'CAMPINAS', state: 'SP' }, 'America/Sao_Paulo', 'state'],
    ['BR', { city: 'Cruzeiro do Sul', state: 'AC' }, 'America/Rio_Branco', 'state'],
    ['MX', { city: 'LA PAZ', state: 'Baja California Sur' }, 'America/Mazatlan', 'state'],
    ['RU', { city: 'Artyom', state: 'Primorsky Krai' }, 'Asia/Vladivostok', 'state'],
    ['RU', { city: 'NOVOSIBIRSK' }, 'Asia/Novosibirsk', 'city'],
    ['ID', { city: 'Denpasar' }, 'Asia/Makassar', 'city'],
    ['ID', { city: 'Bogor', state: 'Jawa Barat' }, 'Asia/Jakarta', 'state'],
    ['ES', { postalCode: '35001' }, 'Atlantic/Canary', 'postal_code'],
    ['FR', { postalCode: '97400' }, 'Indian/Reunion', 'postal_code'],
    ['FR', { postalCode: '69001' }, 'Europe/Paris', 'postal_code'],
    ['US', { city: 'PORT SAINT JOE', state: 'FL', postalCode: '32456' }, 'America/New_York', 'state'],
    ['US', { city: 'TELL CITY', state: 'IN' }, 'America/Chicago', 'city'],
    ['US', { city: 'GLEN ULLIN', state: 'ND' }, 'America/Denver', 'city'],
    ['US', { city: 'ADAK', state: 'AK' }, 'America/Adak', 'city'],
    ['MX', { city: 'CIUDAD JUAREZ', state: 'CH' }, 'America/Ciudad_Juarez', 'city'],
    ['MX', { city: 'TAMPICO', state: 'TM' }, 'America/Monterrey', 'city'],
    ['AU', { city: 'BROKEN HILL', state: 'NS' }, 'Australia/Broken_Hill', 'city'],
    ['CA', { city: 'GOOSE BAY', state: 'NF' }, 'America/Goose_Bay', 'city'],
    ['BR', { city: 'JI PARANA', state: 'RO', postalCode: '76900' }, 'America/Porto_Velho', 'postal_code'],
    ['AU', { city: 'GOLD COAST', state: 'QLD' }, 'Australia/Brisbane', 'state'],
    ['US', { city: 'SANTA TERESA', state: 'NM' }, 'America/Denver', 'state'],
    ['JP', { city: 'Tokyo' }, 'Asia/Tokyo', 'country'],
    ['AR', { city: 'Rosario' }, 'America/Argentina/Buenos_Aires', 'country'],
  ])('%s %j is %s by its %s', (country, address, timezone, source) => {
    const found = zoneOf(country, address);
    expect([found?.timezone, found?.source]).toEqual([timezone, source]);
  });

  it('is unknown where neither state, city nor postal code is known', () => {
    expect(zoneOf('US', {})).toBeNull();
    expect(zoneOf('US', { city: 'Springfield' })).toBeNull();
    expect(zoneOf('RU', { city: 'Verkhnyaya' })).toBeNull();
  });

  it('is known for every state, province and territory, in zones that the runtime knows', () => {
    const states: Record<string, string> = {
      US: `AL AK AZ AR CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK
        OR PA PR RI SC SD TN TX UT VA VT WA WI WV WY`,
      CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
      AU: 'ACT NSW NT QLD SA TAS VIC WA',
      BR: 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO',
      MX: `AGU BCN BCS CAM CHH CHP CMX COA COL DUR GRO GUA HID JAL MEX MIC MOR NAY NLE OAX PUE QUE ROO SIN SLP SON TAB TAM
        TLA VER YUC ZAC`,
    };
    for (const [country, codes] of Object.entries(states))
      for (const code of codes.trim().split(/\s+/)) {
        const zone = zoneOfRegion(country, code);
        expect(zone !== null && isTimezone(zone), `${country} ${code} ${zone}`).toBe(true);
      }
  });

  it('has a zone for every ZIP code area, and none for the military ones', () => {
    const known = Array.from({ length: 1000 }, (_, index) => zoneOfPostalCode('US', String(index).padStart(3, '0')));
    expect(known.filter((zone) => zone !== null && !isTimezone(zone))).toEqual([]);
    expect(known.filter((zone) => zone !== null).length).toBeGreaterThan(890);
    expect([zoneOfPostalCode('US', '09012'), zoneOfPostalCode('US', '34012')]).toEqual([null, null]);
  });

  it('distinguishes cities of one name by their state', () => {
    expect([zoneOfCity('US', 'Franklin', 'KY'), zoneOfCity('US', 'Franklin', 'MA')]).toEqual(['America/Chicago', null]);
  });

  it('is one clock for each country of which it names the only zone', () => {
    for (const country of ['AR', 'CN', 'DE', 'MY', 'UA', 'UZ']) expect(onlyZoneOf(country), country).not.toBeNull();
  });
});

describe('town, state and country in one field', () => {
  it.each([
    ['TOKYO - JAPAN', null, 'Asia/Tokyo', 'JP'],
    ['AMSTERDAM - NETHERLANDS, THE', null, 'Europe/Amsterdam', 'NL'],
    ['SEOUL - KOREA, REPUBLIC OF (SOUTH K.)', null, 'Asia/Seoul', 'KR'],
    ['HONG KONG - HONG KONG SAR, CHINA', null, 'Asia/Hong_Kong', 'HK'],
    ['EAST MIDLANDS - UK', null, 'Europe/London', 'GB'],
    ['CINCINNATI HUB, OH - USA', null, 'America/New_York', 'US'],
    ['MIAMI FL USA', null, 'America/New_York', 'US'],
    ['PLANO, TX', 'US', 'America/Chicago', 'US'],
    ['PLANO TX 75074', 'US', 'America/Chicago', 'US'],
    ['Whittier, CA, US', 'US', 'America/Los_Angeles', 'US'],
    ['Milano (MI)', 'IT', 'Europe/Rome', 'IT'],
    ['NOVOSIBIRSK - RUSSIAN FEDERATION, THE', null, 'Asia/Novosibirsk', 'RU'],
    ['Springfield, CA', null, null, null],
  ])('reads %s in %s', (name, country, timezone, found) => {
    expect(enrichPlace({ ...nowhere, name, country })).toMatchObject({ timezone, country: found });
  });
});

it('says of a time where its zone comes from', () => {
  const sourceAt = (name: string, state: string | null, postalCode: string | null) => {
    const place = enrichPlace({ ...nowhere, name, country: 'US' }, { state, postalCode });
    return carrierTime('2026-04-15T08:00', { policy: 'localNoOffset', place })?.zoneSource;
  };
  expect(sourceAt('PLANO, TX', 'TX', null)).toBe('state');
  expect(sourceAt('EL PASO, TX', 'TX', null)).toBe('city');
  expect(sourceAt('NOWHERE, TX', 'TX', '79821')).toBe('postal_code');
  expect(sourceAt('SOMEWHERE', null, null)).toBe('assumed_utc');
});
