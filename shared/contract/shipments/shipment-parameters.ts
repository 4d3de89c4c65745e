import { z } from 'zod';

/** The path of one shipment. Anything that is not an id of this account reads like a missing shipment. */
export const shipmentParams = z.object({
  shipment_id: z.string().meta({
    description: 'The id that registering gave: `shp_` and 26 characters.',
    examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});
