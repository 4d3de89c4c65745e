import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AccessToken, CarrierContext } from '../carrier.ts';
import { failureOfStatus, LookFailure } from '../look-failure.ts';
import { carrierMessage } from './carrier-message.ts';
import type { DcsaDialect } from './dialect.ts';

const tokenDeadlineMs = 10_000;

/** `expires_in` is in seconds; some lines write it as text, some leave it out. */
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().catch(300) });

/** Headers that sign a call in. `refusedToken` is one the carrier has just refused: it is replaced once. Throws `LookFailure`. */
export async function signIn(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  refusedToken: string | null,
): Promise<{ headers: Record<string, string>; token: string | null }> {
  const { settings } = ctx;
  const { auth } = dialect;
  const missing = dialect.requiredSettings.filter((name) => settings[name] === null);
  if (missing.length > 0)
    throw new LookFailure('credentials_missing', `the credentials for this carrier are incomplete: ${missing.join(', ')} is not set`);
  const headers = auth.headers(settings);
  // A stand-in without a token endpoint takes the headers alone.
  if (auth.kind === 'headers' || settings.authUrl === null) return { headers, token: null };
  const key = createHash('sha256')
    .update(JSON.stringify([settings.authUrl, settings.clientId, settings.clientSecret]))
    .digest('hex');
  const token = await ctx.tokens.get(key, () => requestToken(ctx, dialect), refusedToken);
  return { headers: { ...headers, authorization: `Bearer ${token}` }, token };
}

/** Has a deadline of its own: callers who share it must not be able to cancel it for each other. */
async function requestToken(ctx: CarrierContext, dialect: DcsaDialect): Promise<AccessToken> {
  const { settings } = ctx;
  const { auth } = dialect;
  const inForm = auth.kind === 'oauth2' && auth.credentialsIn === 'form';
  const clientId = settings.clientId ?? '';
  const clientSecret = settings.clientSecret ?? '';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(inForm ? { client_id: clientId, client_secret: clientSecret } : {}),
  });
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const response = await ctx.fetch(settings.authUrl ?? '', {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...auth.headers(settings),
      ...(inForm ? {} : { authorization: `Basic ${basic}` }),
    },
    body: form.toString(),
    signal: AbortSignal.timeout(tokenDeadlineMs),
  });
  if (response.status === 400 || response.status === 404) {
    throw new LookFailure('carrier_auth_failed', `the carrier gives no access token (${response.status})`, { httpStatus: response.status });
  }
  if (response.status !== 200 && response.status !== 201)
    throw failureOfStatus(response, { now: ctx.now(), carrierSays: carrierMessage(response.text) });
  const answer = tokenAnswer.safeParse(parseJson(response.text));
  if (!answer.success)
    throw new LookFailure('unrecognized_response', "the carrier's token endpoint gave no access token", { httpStatus: response.status });
  return { token: answer.data.access_token, lifetimeMs: answer.data.expires_in * 1000 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
