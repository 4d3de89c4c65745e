import { mainPortCode, namedPortCode, portCodes } from '#shared/domain/events/port-areas.ts';
import { findPlace } from '#shared/places/find-place.ts';
import { edit, type Fields, isFields, replaceAll } from '../edit-json.ts';
import { differences, type Outcome, type Vary } from '../read-varied.ts';
import { editEvents, type Relation } from '../relation.ts';
import type { Place, Shape } from '../shapes.ts';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

export const placeRelations: readonly Relation[] = [
  {
    name: 'place as "TOWN - COUNTRY"',
    holds: 'the record is the same, but for the state that is not written',
    variants: (_, { place, ...shape }) =>
      place === null ? [] : [editAddresses(place, shape, (address) => townAndCountry(address, place))],
    violations: sameTimes,
  },
  {
    name: 'town with its state in one field',
    holds: 'the record is the same',
    variants: (_, { place, ...shape }) =>
      place?.state == null ? [] : [editAddresses(place, shape, (address) => townAndState(address, place))],
    violations: (before, after) => differences(before, after),
  },
  {
    name: 'name of the place alone',
    holds: 'the status is the same, and a time is the same or its zone is unknown',
    variants: (_, { place, ...shape }) =>
      place === null ? [] : [editAddresses(place, shape, (address) => nameAlone(address, place))],
    violations: sameTimes,
  },
  {
    name: 'another UN/LOCODE of the same port area',
    holds: 'the record is the same, with the codes in some events or in all',
    variants: () => [(body) => inArea(body, () => true), (body) => inArea(body, (count) => count % 2 === 1)],
    violations: (before, after) => differences(before, after),
  },
  {
    name: 'a port by its name and country',
    holds: 'the record is the same, with the names in some events or in all',
    variants: ({ connector }) =>
      'dcsa cma-cgm evergreen hapag-lloyd hmm maersk msc one yang-ming zim'.split(' ').includes(connector)
        ? [(body) => byName(body, () => true), (body) => byName(body, (count) => count % 2 === 1)]
        : [],
    violations: (before, after) => differences(before, after),
  },
  {
    name: 'both ends in one town',
    holds: 'the meaning of each event is the same, and the status, but that arrived may be in transit',
    variants: (_, { place, ...shape }) => (place === null ? [] : [inOneTown(place, shape)]),
    violations: sameMeaning,
  },
];

function editAddresses(place: Place, shape: Omit<Shape, 'place'>, change: (address: Fields) => Fields): Vary {
  return editEvents({ ...shape, place }, (event) =>
    edit(event, place.at, (address) => (isFields(address) ? change(address) : address)),
  );
}

function townAndCountry(address: Fields, { city, country, state, postalCode }: Place): Fields {
  const [town, code] = [address[city], country === null ? null : address[country]];
  if (typeof town !== 'string' || typeof code !== 'string' || !/^[A-Z]{2}$/.test(code) || / - |,/.test(town))
    return address;
  const name = countryNames.of(code)?.toUpperCase();
  const others = without(address, [country, state, postalCode]);
  return { ...others, [city]: `${town} - ${name}` };
}

function townAndState(address: Fields, { city, state, country }: Place): Fields {
  const [town, region] = [address[city], state === null ? null : address[state]];
  const isWhole = country === null || typeof address[country] === 'string';
  if (typeof town !== 'string' || typeof region !== 'string' || region === '' || / - |,/.test(town) || !isWhole)
    return address;
  return { ...without(address, [state]), [city]: `${town}, ${region}` };
}

function nameAlone(address: Fields, { city, country, state, postalCode }: Place): Fields {
  return typeof address[city] === 'string' ? without(address, [country, state, postalCode]) : address;
}

function without(address: Fields, names: readonly (string | null)[]): Fields {
  return Object.fromEntries(Object.entries(address).filter(([name]) => !names.includes(name)));
}

/** Replaces each UN/LOCODE of an area with several by the area's next one, where `isChosen` by its count. */
function inArea(body: unknown, isChosen: (count: number) => boolean): unknown {
  let count = 0;
  return replaceAll(body, (value) => {
    if (typeof value !== 'string' || !/^[A-Z]{2}[A-Z2-9]{3}$/.test(value)) return value;
    const codes = portCodes(value);
    if (codes.length < 2) return value;
    count += 1;
    return isChosen(count) ? codes[(codes.indexOf(value) + 1) % codes.length] : value;
  });
}

/** Names the port of each location that has a UN/LOCODE and no place beside it. */
function byName(body: unknown, isChosen: (count: number) => boolean): unknown {
  let count = 0;
  return replaceAll(body, (value) => {
    if (!isFields(value) || value.vessel !== undefined) return value;
    const key = value.UNLocationCode === undefined ? 'unLocationCode' : 'UNLocationCode';
    const { [key]: code, ...others } = value;
    if (typeof code !== 'string') return value;
    const place = findPlace(code);
    const country = code.slice(0, 2);
    if (place === null || namedPortCode({ name: place.name, country }) !== mainPortCode(code)) return value;
    if ('location' in value || 'modeOfTransport' in value || 'transportCallID' in value) return value;
    count += 1;
    return isChosen(count) ? { ...others, locationName: place.name, address: { country } } : value;
  });
}

function inOneTown(place: Place, shape: Omit<Shape, 'place'>): Vary {
  const names = [place.city, place.state, place.country, place.postalCode].filter((name) => name !== null);
  return (body) => {
    let town: Fields | null = null;
    const whole = { ...shape, place };
    editEvents(whole, (event) =>
      edit(event, place.at, (address) => {
        if (isFields(address) && typeof address[place.city] === 'string')
          town ??= Object.fromEntries(Object.entries(address).filter(([name]) => names.includes(name)));
        return address;
      }),
    )(body);
    if (town === null) return body;
    const home: Fields = town;
    return replaceAll(body, (value) =>
      isFields(value) && typeof value[place.city] === 'string' ? { ...without(value, names), ...home } : value,
    );
  };
}

function sameTimes(before: Outcome, after: Outcome): string[] {
  const changed = changedStatus(before, after);
  const times = before.reading.events.map((event, index) => [event, after.reading.events[index]] as const);
  const wrong = times.filter(
    ([left, right]) => right !== undefined && right.time.zoneSource !== 'assumed_utc' && left.time.at !== right.time.at,
  );
  return [
    ...changed,
    ...wrong.map(([left, right]) => `${left.code} ${left.time.at} → ${right?.time.at} ${right?.time.zoneSource}`),
  ];
}

function sameMeaning(before: Outcome, after: Outcome): string[] {
  const [was, is] = [before, after].map(({ reading }) =>
    reading.events
      .map(({ code }) => code)
      .sort()
      .join(' '),
  );
  return [...changedStatus(before, after), ...(was === is ? [] : [`${was} → ${is}`])];
}

/** A parcel that has arrived is in transit if both ends of its journey are one place. */
function changedStatus({ journey: { status: was } }: Outcome, { journey: { status: is } }: Outcome): string[] {
  return was === is || (was === 'arrived' && is === 'in_transit') ? [] : [`${was} → ${is}`];
}
