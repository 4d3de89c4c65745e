import type { Vehicle } from '../../api/landfall-client.ts';

/** The vessel or the flight; what it is called, else what it is. */
export function vehicleTitle({ name, flight, imo }: Vehicle): string {
  return name ?? flight ?? (imo === null ? 'Vessel not named' : `IMO ${imo}`);
}

/** `voyage 615E, IMO 9619921`. */
export function vehicleVoyage({ name, flight, voyage, imo }: Vehicle): string {
  const parts = [
    name !== null && flight !== null ? flight : null,
    voyage === null ? null : `voyage ${voyage}`,
    imo === null || (name === null && flight === null) ? null : `IMO ${imo}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
