import type { z } from 'zod';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/known-connectors.ts';
import { list, text, url, variable } from './variable.ts';

/** The code of each connector in `CARRIER_<CODE>_…`. */
export const carrierCodes = Object.fromEntries(
  connectorCodes.map((code) => [code, code.toUpperCase().replaceAll('-', '_')]),
) as Record<ConnectorCode, string>;

const carrierParts = {
  BASE_URL: [
    url('http:', 'https:').nullable().default(null),
    "Base address of the carrier's API. Setting it enables the carrier. Any server that implements the same " +
      'protocol works.',
  ],
  AUTH_URL: [
    url('http:', 'https:').nullable().default(null),
    'Address that issues access tokens (OAuth 2.0 client credentials), if the carrier uses them.',
  ],
  CLIENT_ID: [text.nullable().default(null), "Client id for the carrier's API."],
  CLIENT_SECRET: [text.nullable().default(null), "Client secret for the carrier's API."],
  API_KEY: [text.nullable().default(null), "Key for the carrier's API."],
  CERTIFICATE: [
    text.nullable().default(null),
    'Certificate (PEM), for a carrier that requires signed assertions instead of a secret.',
  ],
  PRIVATE_KEY: [text.nullable().default(null), 'Private key (PEM) of that certificate.'],
  SCOPE: [text.nullable().default(null), 'OAuth 2.0 scope, if the carrier assigns one to each customer.'],
  ACCOUNTS: [
    list.default([]),
    'Ids of the accounts that these credentials are for, separated by commas: only the parties of a shipment may ' +
      "see a carrier's data. Default: the first account.",
  ],
} as const;

type CarrierPart = Exclude<keyof typeof carrierParts, 'ACCOUNTS'>;

export type CarrierVariables = Record<`CARRIER_${string}_${CarrierPart}`, string | null> &
  Record<`CARRIER_${string}_ACCOUNTS`, string[]>;

/** The variables of one carrier. */
export type CarrierEnv = {
  baseUrl: string | null;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
  certificate: string | null;
  privateKey: string | null;
  scope: string | null;
  accounts: string[];
};

/** The environment variables of all carriers: every connector has the same ones. */
export function carrierVariables(): Record<string, z.ZodType> {
  const fields = Object.entries(carrierParts).map(
    ([part, [field, description]]) => [part, variable(field as z.ZodType, 'Carriers', description)] as const,
  );
  return Object.fromEntries(
    Object.values(carrierCodes).flatMap((code) => fields.map(([part, field]) => [`CARRIER_${code}_${part}`, field])),
  );
}

/** Reads the variables of the carrier behind a connector. */
export function carrierEnv(env: CarrierVariables, connector: ConnectorCode): CarrierEnv {
  const prefix = `CARRIER_${carrierCodes[connector]}` as const;
  return {
    baseUrl: env[`${prefix}_BASE_URL`] ?? null,
    authUrl: env[`${prefix}_AUTH_URL`] ?? null,
    clientId: env[`${prefix}_CLIENT_ID`] ?? null,
    clientSecret: env[`${prefix}_CLIENT_SECRET`] ?? null,
    apiKey: env[`${prefix}_API_KEY`] ?? null,
    certificate: env[`${prefix}_CERTIFICATE`] ?? null,
    privateKey: env[`${prefix}_PRIVATE_KEY`] ?? null,
    scope: env[`${prefix}_SCOPE`] ?? null,
    accounts: env[`${prefix}_ACCOUNTS`] ?? [],
  };
}

/** Finds misspelled variables of carriers and describes what is wrong with them. */
export function unknownCarrierVariables(source: Record<string, string | undefined>, known: object): string[] {
  const endings = Object.keys(carrierParts);
  const codes = Object.values(carrierCodes);
  return Object.keys(source)
    .filter(
      (name) =>
        name.startsWith('CARRIER_') &&
        !(name in known) &&
        // Kubernetes adds variables such as CARRIER_X_SERVICE_HOST, which are no mistakes.
        (endings.some((ending) => name.endsWith(`_${ending}`)) ||
          codes.some((code) => name.startsWith(`CARRIER_${code}_`))),
    )
    .map(
      (name) =>
        `${name} is unknown. Its code must be one of ${codes.join(', ')}, its ending one of ${endings.join(', ')}.`,
    );
}
