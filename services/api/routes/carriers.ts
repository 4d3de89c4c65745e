import { toWireCarrierCredentials } from '#shared/contract/carriers/carrier-credentials.ts';
import { toWireCarrier } from '#shared/contract/carriers/carrier-wire.ts';
import { toWireCandidate } from '#shared/contract/carriers/detection.ts';
import { getCarrier, listCarriers } from '#shared/core/carriers/list-carriers.ts';
import { removeCarrierCredentials, setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import type { Routes } from '../plugins/serve.ts';

export const carrierRoutes = {
  async listCarriers({ ctx, caller, query: { transport_mode: transportMode = null, q = null } }) {
    const found = await listCarriers(ctx.core, caller, { transportMode, q });
    return {
      data: found.map(({ carrier, refreshes, credentials, service }) =>
        toWireCarrier(carrier, refreshes, credentials, service),
      ),
    };
  },

  async getCarrier({ ctx, caller, params }) {
    const { carrier, refreshes, credentials, service } = await getCarrier(ctx.core, caller, params.carrier_code);
    return toWireCarrier(carrier, refreshes, credentials, service);
  },

  async detectCarriers({ body: { numbers, transportMode } }) {
    return {
      data: numbers.map((number) => ({
        number,
        candidates: detectCarriers(number, transportMode).map(toWireCandidate),
      })),
    };
  },

  async setCarrierCredentials({ ctx, caller, params, body: values }) {
    const credential = await setCarrierCredentials(ctx.core, caller, { carrier: params.carrier_code, values });
    return toWireCarrierCredentials(credential);
  },

  async removeCarrierCredentials({ ctx, caller, params }) {
    await removeCarrierCredentials(ctx.core, caller, params.carrier_code);
    return undefined;
  },
} satisfies Partial<Routes>;
