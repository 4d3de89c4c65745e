import type { Caller } from '#shared/domain/caller.ts';
import { type Carrier, findCarrier, nearestCarrier, searchCarriers } from '#shared/domain/carrier-catalogue.ts';
import type { CarrierLooks } from '#shared/domain/carrier-health.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { TransportMode } from '#shared/domain/transport-mode.ts';
import { readCarrierLooks } from '#shared/store/carrier-looks.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** A carrier of the catalogue and how it answered the caller's account lately; null: it was not asked. */
export type CarrierReport = { carrier: Carrier; looks: CarrierLooks | null };

/** The carriers of the catalogue that a search finds, in its order. */
export async function listCarriers(
  ctx: CoreContext,
  caller: Caller,
  search: { transportMode: TransportMode | null; q: string | null },
): Promise<CarrierReport[]> {
  const found = searchCarriers(search);
  if (found.length === 0) return [];
  const looks = await looksOf(ctx, caller);
  return found.map((carrier) => ({ carrier, looks: looks.get(carrier.code) ?? null }));
}

/** One carrier, by its code or any other of its names. Throws LandfallError `carrier_not_found`, which names the nearest one. */
export async function getCarrier(ctx: CoreContext, caller: Caller, code: string): Promise<CarrierReport> {
  const carrier = findCarrier(code);
  if (carrier === null) {
    const nearest = nearestCarrier(code);
    const hint = nearest === null ? 'GET /v1/carriers lists them' : `did you mean ${nearest.code} (${nearest.name})?`;
    throw new LandfallError('carrier_not_found', `${code.trim().slice(0, 64)} is not a known carrier; ${hint}`);
  }
  return { carrier, looks: (await looksOf(ctx, caller)).get(carrier.code) ?? null };
}

function looksOf(ctx: CoreContext, { accountId, test }: Caller): Promise<Map<string, CarrierLooks>> {
  return withAccount(ctx.store, accountId, (tx) => readCarrierLooks(tx, accountId, { test }));
}
