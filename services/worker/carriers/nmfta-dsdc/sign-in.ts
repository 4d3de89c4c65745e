import type { CarrierRequest } from '../call-carrier.ts';
import type { CarrierSettings } from '../carrier.ts';

/** An account's API key is enough, even if the instance has a token address for other accounts. */
export function takesToken({ authUrl, clientId, apiKey }: CarrierSettings): boolean {
  return authUrl !== null && (clientId !== null || apiKey === null);
}

/** Returns the authentication of a call to a carrier of the standard. */
export function signInOf(settings: CarrierSettings): Pick<CarrierRequest, 'headers' | 'oauth'> {
  const { apiKey, scope } = settings;
  const withToken = takesToken(settings);
  return {
    headers: () => (apiKey !== null && !withToken ? { 'x-api-key': apiKey } : {}),
    oauth: withToken ? { credentialsIn: 'form', form: scope === null ? {} : { scope } } : null,
  };
}
