import { planAirJourney } from './air/air-journey.ts';
import { isParcelCarrier } from './parcels/networks.ts';
import { planParcel } from './parcels/parcel.ts';
import { planRoadJourney } from './road/road-journey.ts';
import { planVoyage } from './voyages/voyage.ts';

/** One number for each scenario of a connector, by the scenario's name. All of them play in fast motion. */
export type Examples = Record<string, string>;

type Scenarios = (index: number) => { number: string; scenarios: string[] };

const tried = 150;

/** The connectors' own lines, by SCAC. */
const lines: Readonly<Record<string, string>> = {
  'cma-cgm': 'CMDU',
  cosco: 'COSU',
  evergreen: 'EGLV',
  'hapag-lloyd': 'HLCU',
  hmm: 'HDMU',
  maersk: 'MAEU',
  msc: 'MSCU',
  one: 'ONEY',
  'yang-ming': 'YMLU',
  zim: 'ZIMU',
  dcsa: 'OOLU',
};

/** Example numbers for a connector: the first one of this seed for each scenario, and one that is unknown. */
export function examplesOf(seed: string, connector: string): Examples {
  const examples: Examples = {};
  const scenariosAt = scenariosOf(seed, connector);
  for (let index = 0; scenariosAt !== null && index < tried; index += 1) {
    const { number, scenarios } = scenariosAt(index);
    if (number.includes('404')) continue;
    for (const scenario of scenarios) examples[scenario] ??= number;
  }
  return examples;
}

function scenariosOf(seed: string, connector: string): Scenarios | null {
  const scac = lines[connector];
  if (scac !== undefined) {
    // HMM accepts only its booking numbers.
    const kind = connector === 'hmm' ? 'booking' : 'bl';
    return (index) => {
      const bare = `${70_000_001 + index * 13}${index % 5}`;
      return {
        number: kind === 'bl' ? `${scac}${bare}` : bare,
        scenarios: planVoyage(seed, scac, kind, bare).scenarios,
      };
    };
  }
  if (isParcelCarrier(connector)) {
    return (index) => {
      const digits = `${1_000_001 + index * 13}${index % 5}`;
      const prefix = { ups: '1Z999AA1', usps: '94001118992235' }[connector as string] ?? '5678';
      const number = `${prefix}${digits}`;
      return { number, scenarios: [planParcel(seed, connector, number).variant.replaceAll('_', ' ')] };
    };
  }
  if (connector === 'lufthansa-cargo' || connector === 'one-record') {
    return (index) => {
      const number = `${connector === 'one-record' ? '157' : '020'}${1_000_000 + index * 70}${(1_000_000 + index * 70) % 7}`;
      return { number, scenarios: /[0-4]$/.test(number) ? airScenarios(seed, number) : [] };
    };
  }
  if (connector !== 'nmfta-dsdc') return null;
  return (index) => {
    const number = `${71_000_001 + index * 13}${index % 5}`;
    const types = planRoadJourney(seed, number).milestones.map(({ type }) => type);
    const odd = ['PICKUP_ATTEMPTED', 'CUSTOMS_HOLD', 'DELAY', 'DELIVERY_ATTEMPTED'].filter((type) =>
      types.includes(type),
    );
    return {
      number,
      scenarios: odd.length === 0 ? ['smooth'] : odd.map((type) => type.toLowerCase().replaceAll('_', ' ')),
    };
  };
}

function airScenarios(seed: string, awb: string): string[] {
  const { milestones, isSplit, origin, destination } = planAirJourney(seed, awb);
  const deliveries = milestones.filter(({ code }) => code === 'DLV');
  const codes = milestones.map(({ code }) => code);
  const stops = new Set(milestones.map(({ station }) => station.iata));
  return [
    stops.size > new Set([origin.iata, destination.iata]).size ? 'over the hub' : 'direct',
    ...(codes.includes('DIS_OFLD') ? ['offloaded'] : []),
    ...(codes.includes('DIS_SSPD') ? ['missed its transfer'] : []),
    ...(isSplit ? ['split'] : []),
    ...(deliveries.length > 1 ? ['delivered in parts'] : []),
  ];
}
