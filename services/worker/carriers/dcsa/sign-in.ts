import type { CarrierContext, CarrierSettings } from '../carrier.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { OauthRequest } from '../oauth-sign-in.ts';
import { clientAssertion } from './client-assertion.ts';
import type { DcsaAuth, DcsaDialect } from './dialect.ts';

/**
 * How to authenticate a call to the line: its headers and its source of bearer tokens. Throws `FetchFailure` when the
 * credentials are incomplete.
 */
export function signInOf(
  ctx: CarrierContext,
  dialect: DcsaDialect,
): { headers: Record<string, string>; oauth: OauthRequest | null } {
  const { settings } = ctx;
  const auth = chooseAuth(dialect, settings);
  const headers = auth.headers?.(settings) ?? {};
  return { headers, oauth: oauthOf(ctx, auth, headers) };
}

function oauthOf(ctx: CarrierContext, auth: DcsaAuth, headers: Record<string, string>): OauthRequest | null {
  if (auth.kind === 'oauth2') {
    const scope = ctx.settings.scope ?? auth.scope;
    const { credentialsIn, grantIn = 'body' } = auth;
    return { credentialsIn, grantIn, headers, form: scope ? { scope } : {} };
  }
  return auth.kind === 'headers'
    ? null
    : { credentialsIn: 'none', headers, form: () => clientAssertion(ctx.settings, ctx.now()) };
}

function chooseAuth({ auth: ways }: DcsaDialect, settings: CarrierSettings): DcsaAuth {
  const missingOf = ({ needs }: DcsaAuth) => needs.filter((name) => settings[name] === null);
  const chosen = ways.find((way) => missingOf(way).length === 0);
  if (chosen) return chosen;
  const missing = ways.map((way) => missingOf(way).join(', ')).join(', or else ');
  throw new FetchFailure(
    'credentials_missing',
    `the credentials for this carrier are incomplete: ${missing} is not set`,
  );
}
