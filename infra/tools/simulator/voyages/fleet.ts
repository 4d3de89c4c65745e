import { imoCheckDigit } from './check-digits.ts';

/** A vessel. Names and numbers are invented; the check digit of the IMO number is valid. */
export type Vessel = { name: string; imo: string; flag: string; callSign: string };

/** A shipping line: its SCAC, SMDG code, B/L and container prefixes, services and vessels. */
export type Line = {
  scac: string;
  smdg: string;
  blPrefixes: readonly [string, ...string[]];
  containerPrefixes: readonly [string, ...string[]];
  services: readonly [string, ...string[]];
  vessels: readonly [Vessel, ...Vessel[]];
};

/** The lines with vessels and containers of their own. */
export const lines: readonly [Line, ...Line[]] = [
  line(
    'MAEU',
    'MSK',
    ['MAEU', 'SUDU', 'SEAU'],
    ['MSKU', 'MRKU', 'MRSU'],
    ['AE7', 'TP6', 'ME2'],
    'Maren',
    'DK',
    'OX',
    '94811',
  ),
  line('HLCU', 'HLC', ['HLCU'], ['HLXU', 'HLBU', 'UACU'], ['FE3', 'AL5', 'IEX'], 'Hansa', 'DE', 'DC', '95402'),
  line(
    'MSCU',
    'MSC',
    ['MEDU', 'MSCU'],
    ['MSMU', 'MEDU', 'MSDU'],
    ['SILK', 'SWAN', 'LION'],
    'Serena',
    'PA',
    'H3',
    '96203',
  ),
  line(
    'CMDU',
    'CMA',
    ['CMDU', 'ANNU', 'ANLC', 'APLU'],
    ['CMAU', 'APZU', 'ECMU'],
    ['FAL1', 'PEX3', 'MEX1'],
    'Camargue',
    'FR',
    'FL',
    '97104',
  ),
  line('ONEY', 'ONE', ['ONEY'], ['ONEU', 'NYKU', 'KKFU'], ['FP2', 'EC1', 'PS4'], 'Sakura', 'JP', '7J', '93505'),
  line('EGLV', 'EMC', ['EGLV', 'EISU'], ['EGHU', 'EITU', 'EMCU'], ['CEM', 'HTW', 'NUE'], 'Jade', 'SG', '9V', '98306'),
  line('YMLU', 'YML', ['YMLU', 'YMJA'], ['YMMU', 'YMLU'], ['PS8', 'FE5'], 'Yushan', 'TW', 'BP', '92607'),
  line('ZIMU', 'ZIM', ['ZIMU'], ['ZIMU', 'ZCSU'], ['ZXB', 'ZCP'], 'Carmel', 'IL', '4X', '91308'),
  line('HDMU', 'HMM', ['HDMU'], ['HMMU', 'KOCU'], ['FIM', 'PN2'], 'Hanra', 'KR', 'D7', '98809'),
  line('COSU', 'COS', ['COSU'], ['CSNU', 'CSLU'], ['AEU3', 'CEN'], 'Fuchun', 'HK', 'VR', '94210'),
  line('OOLU', 'OOL', ['OOLU'], ['OOLU', 'OOCU'], ['LL4', 'PCC1'], 'Kowloon', 'HK', 'VR', '94711'),
];

/** The line with this SCAC or B/L prefix. Null for an unknown one. */
export function findLine(prefix: string): Line | null {
  return lines.find((candidate) => candidate.scac === prefix || candidate.blPrefixes.includes(prefix)) ?? null;
}

/** The line that owns containers with this four-letter prefix. Null for leased and unknown ones. */
export function findContainerLine(prefix: string): Line | null {
  return lines.find((candidate) => candidate.containerPrefixes.includes(prefix)) ?? null;
}

function line(
  scac: string,
  smdg: string,
  blPrefixes: Line['blPrefixes'],
  containerPrefixes: Line['containerPrefixes'],
  services: Line['services'],
  family: string,
  flag: string,
  callSign: string,
  imoStart: string,
): Line {
  const vessel = (place: string, index: number): Vessel => {
    const sixDigits = `${imoStart}${index}`;
    return {
      name: `${family} ${place}`.toUpperCase(),
      imo: `${sixDigits}${imoCheckDigit(sixDigits)}`,
      flag,
      callSign: `${callSign}${scac.slice(0, 2)}${index}`,
    };
  };
  const vessels: Line['vessels'] = [
    vessel('Aurora', 1),
    vessel('Boreas', 2),
    vessel('Celeste', 3),
    vessel('Dorado', 4),
    vessel('Equinox', 5),
    vessel('Fidelity', 6),
  ];
  return { scac, smdg, blPrefixes, containerPrefixes, services, vessels };
}
