import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import { carrierEnv } from '#shared/config/carrier-variables.ts';
import type { Env } from '#shared/config/env.ts';
import { connectorFor } from '#shared/domain/carriers/carrier-catalogue.ts';
import { demonstrationShipments } from '#shared/domain/registration/demonstration.ts';

/**
 * Registers the demonstration shipments over HTTP, as a client would, except those of carriers that this installation
 * polls itself: they exist at the simulated carriers only. Returns how many were accepted.
 */
export async function registerDemoShipments(
  place: { apiUrl: string; apiKey: string; env: Env; simulatorUrl: string },
  signal: AbortSignal,
): Promise<number> {
  const { apiUrl, apiKey, env, simulatorUrl } = place;
  const simulated = demonstrationShipments.filter(({ carrier, transportMode, pushed }) => {
    // Another simulator has no key to push with.
    if (pushed === true) return env.SIMULATOR_URL === null;
    const connector = connectorFor(carrier, transportMode);
    return (
      connector !== null &&
      settingsFor(connectors[connector], carrierEnv(env, connector), simulatorUrl)?.simulated === true
    );
  });
  const answers = await Promise.all(
    simulated.map(async ({ transportMode, pushed, ...shipment }) => {
      const tracking = pushed === true ? { tracking: { mode: 'pushed' } } : {};
      const response = await fetch(`${apiUrl}/v1/shipments`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': shipment.reference,
        },
        body: JSON.stringify({ transport_mode: transportMode, ...shipment, ...tracking, tags: ['demo'] }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      });
      await response.body?.cancel();
      return response.ok;
    }),
  );
  return answers.filter(Boolean).length;
}
