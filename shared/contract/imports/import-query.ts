import { z } from 'zod';
import { findCarrier, nearestCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type TransportMode, transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { refusal } from '../input-mistakes.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery } from '../parse-query.ts';
import { plainText } from '../plain-text.ts';

export const importQuery = z.strictObject({
  dry_run: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Refresh at every row, and register none. A shipment that the file itself would have made is not known to later rows.',
      examples: [true],
    }),
  carrier: plainText({ max: 64 })
    .optional()
    .meta({ description: 'The carrier of rows that name none.', examples: ['MAEU'] }),
  transport_mode: z
    .enum(transportModes)
    .optional()
    .meta({ description: 'The mode of rows that name none.', examples: ['ocean'] }),
});

/** Reads the query of an import. Throws one LandfallError that names every mistake. */
export function parseImportQuery(query: RawQuery): {
  dryRun: boolean;
  carrier: string | null;
  transportMode: TransportMode | null;
} {
  const { dry_run, carrier, transport_mode } = parseQuery(importQuery, query);
  if (carrier !== undefined && findCarrier(carrier) === null) {
    const nearest = nearestCarrier(carrier);
    const hint = nearest === null ? '' : `; did you mean ${nearest.code} (${nearest.name})?`;
    throw refusal([{ pointer: '?carrier', code: 'invalid_value', detail: `${carrier} is not a known carrier${hint}` }]);
  }
  return { dryRun: dry_run, carrier: carrier ?? null, transportMode: transport_mode ?? null };
}
