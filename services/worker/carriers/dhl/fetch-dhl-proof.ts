import { requireSettings } from '../call-carrier.ts';
import type { Connector } from '../carrier.ts';
import { fetchOwnDocument, ownUrl } from '../own-document.ts';
import { waitForTurn } from './wait-for-turn.ts';

/**
 * The file at the address that the response named (`details.proofOfDelivery.documentUrl` and `signatureUrl`), if it is
 * at the API's own origin: no other address is requested, and no redirect is followed.
 */
export const fetchDhlProof: NonNullable<Connector['fetchProof']> = async (ctx, { proof }, signal) => {
  requireSettings(ctx.settings, ['apiKey']);
  if (!ctx.settings.simulated && ownUrl(ctx, proof.handle) !== null) await waitForTurn(ctx, signal);
  return await fetchOwnDocument(ctx, proof, {
    headers: () => ({ 'DHL-API-Key': ctx.settings.apiKey ?? '' }),
    oauth: null,
    signal,
  });
};
