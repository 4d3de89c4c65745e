import type { CarrierContext, CarrierSettings } from '../carrier.ts';
import { LookFailure } from '../look-failure.ts';
import { oauthToken } from '../oauth-sign-in.ts';
import { clientAssertion } from './client-assertion.ts';
import type { DcsaAuth, DcsaDialect } from './dialect.ts';

/** Headers that sign a call in. `refusedToken` is one the carrier has just refused: it is replaced once. Throws `LookFailure`. */
export async function signIn(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  refusedToken: string | null,
): Promise<{ headers: Record<string, string>; token: string | null }> {
  const { settings } = ctx;
  const auth = chooseAuth(dialect, settings);
  const headers = auth.headers?.(settings) ?? {};
  // A stand-in without a token endpoint takes the headers alone.
  if (auth.kind === 'headers' || settings.authUrl === null) return { headers, token: null };
  const token = await requestToken(ctx, { auth, headers, refusedToken });
  return { headers: { ...headers, authorization: `Bearer ${token}` }, token };
}

function chooseAuth({ auth: ways }: DcsaDialect, settings: CarrierSettings): DcsaAuth {
  const missingOf = ({ needs }: DcsaAuth) => needs.filter((name) => settings[name] === null);
  const chosen = ways.find((way) => missingOf(way).length === 0);
  if (chosen) return chosen;
  const missing = ways.map((way) => missingOf(way).join(', ')).join(', or else ');
  throw new LookFailure('credentials_missing', `the credentials for this carrier are incomplete: ${missing} is not set`);
}

function requestToken(
  ctx: CarrierContext,
  { auth, headers, refusedToken }: { auth: DcsaAuth; headers: Record<string, string>; refusedToken: string | null },
): Promise<string> {
  if (auth.kind !== 'oauth2')
    return oauthToken(ctx, { credentialsIn: 'none', headers, form: () => clientAssertion(ctx.settings, ctx.now()) }, refusedToken);
  const scope = ctx.settings.scope ?? auth.scope;
  const { credentialsIn, grantIn = 'body' } = auth;
  return oauthToken(ctx, { credentialsIn, grantIn, headers, form: scope ? { scope } : {} }, refusedToken);
}
