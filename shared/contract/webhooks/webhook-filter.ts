import { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { EndpointFilter } from '#shared/domain/webhooks/endpoint.ts';
import { inputMistakes, jsonPointer } from '../input/input-mistakes.ts';
import { restFilterFields } from '../lists/filter-fields.ts';
import { identifierFields } from '../lists/identifier-filter-fields.ts';
import { contradictionsOf, toShipmentFilter } from '../lists/to-shipment-filter.ts';

/** The filters of the list as one JSON object: the same names, with arrays for lists. */
export const webhookFilter = z.strictObject({
  ...restFilterFields,
  archived: restFilterFields.archived
    .removeDefault()
    .optional()
    .meta(restFilterFields.archived.meta() ?? {}),
  ...identifierFields,
});

/** Returns the mistakes in the filter of an endpoint, with pointers into its body. */
export function filterMistakes(filter: unknown): InputMistake[] {
  const pointerOf = (path: readonly PropertyKey[]) => jsonPointer(['filter', ...path]);
  const result = webhookFilter.safeParse(filter);
  if (!result.success) {
    const names = Object.keys(webhookFilter.shape);
    const found = inputMistakes(result.error.issues, filter, { pointerOf, names, noun: 'field' });
    return found.map((mistake) => ({ ...mistake, detail: `In filter: ${mistake.detail}` }));
  }
  return contradictionsOf(result.data).map(({ field, detail }) => ({
    pointer: pointerOf([field]),
    code: 'contradiction',
    detail: `In filter: ${detail}`,
  }));
}

/** The filter of the domain. A stored filter that a later release no longer reads is null: it matches nothing. */
export function readWebhookFilter(filter: EndpointFilter): ShipmentFilter | null {
  const result = webhookFilter.safeParse(filter);
  return result.success ? toShipmentFilter(result.data) : null;
}
