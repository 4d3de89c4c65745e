import { addressVariables } from '#shared/domain/carriers/connection.ts';
import type { CheckAnswer, CheckOutcome } from '#shared/domain/carriers/credential-check.ts';
import type { ConnectorCode } from '#shared/domain/carriers/known-connectors.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { CarrierResponse } from '../carriers/carrier.ts';

/** One call of a check. `fault`: why there was no response. */
export type SeenCall = { isSignIn: boolean; response: CarrierResponse | null; fault: string | null };

/** `result` of the connector, and the calls that led to it. `name`: the carrier's. */
export type CheckedCall = {
  name: string;
  connector: ConnectorCode;
  result: FetchResult;
  calls: readonly SeenCall[];
};

/** Errors that name the address itself: no such host, or a host whose certificate is another's. */
const addressFaults = /\b(ENOTFOUND|ERR_TLS_CERT_ALTNAME_INVALID|EPROTO|ERR_INVALID_URL)\b/;

/**
 * Texts of gateways' 404 when they know no API at the path: Azure API Management, Kong and Apigee. Carriers use 404 for
 * an unknown number too.
 */
const gatewayTexts = /"Resource not found"|no Route matched|Unable to identify proxy|ApplicationNotFound/i;

/** The result of the call, as a closed outcome and a sentence. Pure. */
export function evaluateCheck({ name, connector, result, calls }: CheckedCall): Omit<CheckAnswer, 'durationMs'> {
  const last = calls.at(-1) ?? null;
  const httpStatus = last?.response?.status ?? null;
  const said = { httpStatus, retryAfterMs: null };
  const wrongAddress = whyWrongAddress(last, connector);
  if (wrongAddress !== null) return { ...said, outcome: 'wrong_address', message: wrongAddress };
  if (result.outcome !== 'error') {
    const known = result.outcome === 'not_found' ? ' It does not know the test number, as expected.' : '';
    return { ...said, outcome: 'accepted', message: `${name} accepted the credentials.${known}` };
  }
  const { reason, detail, retryAfterMs, refusedBy } = result;
  const isTokenIssued = calls.some(({ isSignIn, response }) => isSignIn && response !== null && response.status < 300);
  const isSignIn = last?.isSignIn === true;
  const explain = (outcome: CheckOutcome, message: string) => ({
    ...said,
    outcome,
    message: `${message}: ${detail.replace(/\.$/, '')}.`,
  });
  // The form was complete, so what the connector misses is the address of the sign-in.
  if (reason === 'credentials_missing') {
    const remedy = `The operator sets it with ${addressVariables(connector).auth}.`;
    return {
      ...said,
      outcome: 'wrong_address',
      message: `The sign-in address of ${name} is not configured. ${remedy}`,
    };
  }
  if (reason === 'carrier_auth_failed') {
    if (refusedBy === 'call' && isTokenIssued) {
      const hint = 'It may not have granted the tracking product, or refuse numbers that are not yours';
      return explain('refused', `${name} accepted the sign-in and refused the call. ${hint}`);
    }
    return explain('refused', `${name} refused the ${isSignIn ? 'sign-in with these credentials' : 'credentials'}`);
  }
  if (reason === 'carrier_rate_limited')
    return { ...explain('rate_limited', `${name} can’t be called now: the call limit is reached`), retryAfterMs };
  if (reason === 'carrier_unreachable') return explain('unreachable', `${name} gave no usable response`);
  if (reason === 'invalid_identifier' && (isTokenIssued || result.httpStatus === 200))
    return { ...said, outcome: 'accepted', message: `${name} accepted the credentials. It rejected the test number.` };
  return explain('unreadable_answer', `${name} answered, but the answer contains no information on the credentials`);
}

/** Null: nothing speaks against the address. */
function whyWrongAddress(last: SeenCall | null, connector: ConnectorCode): string | null {
  if (last === null) return null;
  const { isSignIn, response, fault } = last;
  const which = isSignIn ? 'sign-in address' : 'address';
  const { base, auth } = addressVariables(connector);
  const remedy = `The operator sets it with ${isSignIn ? auth : base}.`;
  if (fault !== null && addressFaults.test(fault)) return `The ${which} of the carrier is wrong: ${fault}. ${remedy}`;
  if (response === null) return null;
  const { status, text, headers } = response;
  if (status >= 300 && status < 400)
    return `The ${which} of the carrier is wrong: it redirects elsewhere (${status}). ${remedy}`;
  if (status !== 404 && status !== 405 && status !== 410) return null;
  const isPage = /^\s*</.test(text) || /^text\//i.test(headers.get('content-type') ?? '');
  if (!isSignIn && status !== 405 && !isPage && !gatewayTexts.test(text)) return null;
  return `There is no API of the carrier at the configured ${which} (${status}). ${remedy}`;
}
