import { toWireCarrierCredentials } from '#shared/contract/carriers/carrier-credentials.ts';
import { toWireCarrier } from '#shared/contract/carriers/carrier-wire.ts';
import { toWireCredentialCheck } from '#shared/contract/carriers/credential-check-wire.ts';
import { toWireCandidate } from '#shared/contract/carriers/detection.ts';
import { getCarrier, listCarriers, readConnections } from '#shared/core/carriers/list-carriers.ts';
import { removeCarrierCredentials, setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { verifyCarrierCredentials } from '#shared/core/carriers/verify-credentials.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import type { Routes } from '../plugins/serve.ts';

export const carrierRoutes = {
  async listCarriers({ ctx, caller, query: { transport_mode: transportMode = null, q = null, connection = null } }) {
    const found = await listCarriers(ctx.core, caller, { transportMode, q, connection });
    return { data: found.map(toWireCarrier) };
  },

  async getCarrier({ ctx, caller, params }) {
    return toWireCarrier(await getCarrier(ctx.core, caller, params.carrier_code));
  },

  async detectCarriers({ ctx, caller, body: { numbers, transportMode } }) {
    const connectionTo = await readConnections(ctx.core, caller);
    const stateOf = (code: string | null) => {
      const carrier = code === null ? null : findCarrier(code);
      return carrier === null ? null : connectionTo(carrier).state;
    };
    return {
      data: numbers.map((number) => ({
        number,
        candidates: detectCarriers(number, transportMode).map((candidate) =>
          toWireCandidate(candidate, stateOf(candidate.carrier)),
        ),
      })),
    };
  },

  async setCarrierCredentials({ ctx, caller, params, body: values }) {
    const credential = await setCarrierCredentials(ctx.core, caller, { carrier: params.carrier_code, values });
    return toWireCarrierCredentials(credential);
  },

  async verifyCarrierCredentials({ ctx, caller, params, body: values }) {
    const input = { carrier: params.carrier_code, values };
    const check = await verifyCarrierCredentials(ctx.core, caller, input, { waitMs: ctx.settings.answerWaitMs });
    return toWireCredentialCheck(check);
  },

  async removeCarrierCredentials({ ctx, caller, params }) {
    await removeCarrierCredentials(ctx.core, caller, params.carrier_code);
    return undefined;
  },
} satisfies Partial<Routes>;
