import { americanAndPacificPorts } from './ports-americas-oceania.ts';
import { asianPorts } from './ports-asia.ts';
import { europeanAndAfricanPorts } from './ports-europe-africa.ts';

/** A port checked by hand. Coordinates are those of its container terminals, in degrees, accurate to a few kilometres. */
export type CheckedPort = { unlocode: string; name: string; lat: number; lng: number };

/**
 * The largest container ports, inland depots and codes that the port list lacks: UN/LOCODE, latitude, longitude, name.
 * They replace the rows of the port list. Codes follow UN/LOCODE. Compiled by hand from the ports' well-known positions;
 * the second source is the port list (npm sea-ports 0.0.9). Rows that lie more than 25 km from it were decided one by
 * one: Yantian was 739 km off there, Ambarli 1,087 km.
 */
const rows = [asianPorts, europeanAndAfricanPorts, americanAndPacificPorts].join(',');

export const checkedPorts: ReadonlyMap<string, CheckedPort> = new Map(
  rows.split(',').map((row) => {
    const [, unlocode = '', lat, lng, name = ''] = /^(\S+) (\S+) (\S+) (.+)$/.exec(row.trim()) ?? [];
    return [unlocode, { unlocode, name, lat: Number(lat), lng: Number(lng) }];
  }),
);
