import { z } from 'zod';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { plainText } from '../plain-text.ts';

export const listCarriersQuery = z.strictObject({
  transport_mode: z
    .enum(transportModes)
    .optional()
    .meta({ description: 'Only carriers of this mode.', examples: ['ocean'] }),
  q: plainText({ max: 64 })
    .optional()
    .meta({ description: 'Part of a code, a name or an alias; case does not matter.', examples: ['maersk'] }),
});
