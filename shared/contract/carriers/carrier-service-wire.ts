import { z } from 'zod';
import { type CarrierServiceState, circuitStates } from '#shared/domain/carriers/carrier-service.ts';

/** How the carrier answers the credentials that serve the account. */
export const wireCarrierService = z
  .strictObject({
    circuit: z.string().meta({
      description: `\`open\`: after repeated failures the carrier is not asked for a while; \`half_open\`: one refresh finds out whether it answers again. Open: accept new values. Known: ${circuitStates.join(', ')}.`,
      examples: ['closed'],
    }),
    budget_left: z.int().meta({ description: 'Calls that may be made at once now.', examples: [17] }),
    success_rate: z
      .number()
      .nullable()
      .meta({
        description: 'Requests of the last five minutes that were answered, from 0 to 1; null: none was sent.',
        examples: [0.998],
      }),
    latency_ms: z
      .number()
      .nullable()
      .meta({ description: 'Half of those were answered within this time; null: none.', examples: [212.5] }),
    lag_s: z
      .number()
      .meta({ description: 'Seconds by which the refreshes that were due longest are late.', examples: [0.4] }),
    updated_at: z.iso.datetime().meta({ description: 'When this was seen.', examples: ['2026-04-15T09:30:00.000Z'] }),
  })
  .meta({
    id: 'CarrierService',
    description:
      'How the carrier does with the credentials that your account is served with; where the operator serves several accounts with the same ones, it is of all their requests together.',
  });

export function toWireCarrierService(service: CarrierServiceState | null): z.infer<typeof wireCarrierService> | null {
  if (service === null) return null;
  return {
    circuit: service.circuit,
    budget_left: service.budgetLeft,
    success_rate: service.successRate,
    latency_ms: service.latencyMs,
    lag_s: service.lagS,
    updated_at: service.updatedAt,
  };
}
