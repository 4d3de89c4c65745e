import type {
  CarrierReply,
  CarrierSubscription,
  SubscriptionCarrier,
} from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { callCarrier } from '../call-carrier.ts';
import type { CarrierContext, CarrierResponse } from '../carrier.ts';
import { asFetchFailure, FetchFailure, failureOfStatus } from '../fetch-failure.ts';
import { carrierMessage } from '../json-response.ts';
import { readObject, text } from '../lenient-object.ts';
import { readJsonOrNull } from '../read-json.ts';
import type { DcsaDialect } from './dialect.ts';
import { signInOf } from './fetch-pages.ts';

const callDeadlineMs = 20_000;
/** Statuses of a path that the line doesn't serve, or not for this client. */
const notServed = [403, 405, 501];
/** Reasons of a 400, which has no number here that could be unknown: the call itself is wrong. */
const refusedReasons: readonly string[] = ['invalid_identifier', 'carrier_not_found_yet'];

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  id?: string;
  part?: string;
  body?: { callbackUrl?: string; secret?: string };
};

/**
 * The event subscriptions of DCSA Track & Trace 2.2: POST, GET, PUT and DELETE, and PUT …/secret, the only call that
 * changes the secret of an existing subscription. A subscription has no filter: it covers every shipment that the
 * credential's owner is a party to.
 */
export function createSubscriptionCarrier(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  path: string,
  signal: AbortSignal,
): SubscriptionCarrier {
  const ask = <T>(call: Call, read: (response: CarrierResponse) => T | null) =>
    reply(ctx, dialect, { path, call, signal }, read);
  const done = (): null => null;
  return {
    create: ({ callbackUrl, secret }) =>
      ask({ method: 'POST', body: { callbackUrl, secret } }, (response) =>
        readSubscription(readJsonOrNull(response.text), { callbackUrl }),
      ),
    find: (id) => ask({ method: 'GET', id }, (response) => readSubscription(readJsonOrNull(response.text), { id })),
    list: () => ask({ method: 'GET' }, (response) => readList(readJsonOrNull(response.text), dialect)),
    move: (id, { callbackUrl }) => settled(ask({ method: 'PUT', id, body: { callbackUrl } }, done)),
    rotate: (id, { secret }) => settled(ask({ method: 'PUT', id, part: '/secret', body: { secret } }, done)),
    remove: (id) => settled(ask({ method: 'DELETE', id }, done)),
  };
}

type Asked = { path: string; call: Call; signal: AbortSignal };

/** `read` returns null for a response that it doesn't recognize. */
async function reply<T>(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  asked: Asked,
  read: (response: CarrierResponse) => T | null,
): Promise<CarrierReply<T>> {
  try {
    const response = await send(ctx, dialect, asked);
    const { status } = response;
    if (status >= 200 && status < 300) {
      const value = read(response);
      if (value !== null || isDone(asked.call)) return { ok: true, value: value as T };
      throw new FetchFailure('unrecognized_response', 'the carrier returned something that is not a subscription', {
        httpStatus: status,
      });
    }
    const message = carrierMessage(response.text);
    const failure = failureOfStatus(response, { now: ctx.now(), carrierMessage: message });
    const isGone = asked.call.id !== undefined && (status === 404 || status === 410);
    const isRefused =
      refusedReasons.includes(failure.reason) ||
      failure.permanent ||
      notServed.includes(status) ||
      (asked.call.id === undefined && status === 404);
    const detail = `the carrier returned ${status} for ${asked.call.method} of a subscription${message === null ? '' : `: ${message}`}`;
    return {
      ...refusal(failure, { gone: isGone, permanent: isRefused && !isGone }),
      detail: withoutSecret(detail, asked.call),
    };
  } catch (error) {
    const refused = refusal(asFetchFailure(error), { gone: false, permanent: false });
    return { ...refused, detail: withoutSecret(refused.detail, asked.call) };
  }
}

/** A carrier may repeat the request in its response, including the secret. */
function withoutSecret(message: string, { body }: Call): string {
  return body?.secret === undefined ? message : message.replaceAll(body.secret, '(hidden)');
}

/** The status alone reports the result of a change. */
function isDone({ method }: Call): boolean {
  return method === 'PUT' || method === 'DELETE';
}

async function send(
  ctx: CarrierContext,
  dialect: DcsaDialect,
  { path, call, signal }: Asked,
): Promise<CarrierResponse> {
  const url = `${ctx.settings.baseUrl}${path}${call.id === undefined ? '' : `/${encodeURIComponent(call.id)}`}${call.part ?? ''}`;
  const { headers, oauth } = signInOf(ctx, dialect);
  return callCarrier(ctx, {
    url,
    method: call.method,
    headers: () => ({
      'API-Version': '2',
      ...headers,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    }),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    oauth,
    signal: AbortSignal.any([signal, AbortSignal.timeout(callDeadlineMs)]),
  });
}

function refusal(
  failure: FetchFailure,
  { gone, permanent }: { gone: boolean; permanent: boolean },
): Extract<CarrierReply<never>, { ok: false }> {
  const { reason, retryAfterMs, message: detail } = failure;
  return { ok: false, gone, permanent, retryAfterMs, reason, detail };
}

async function settled(asking: Promise<CarrierReply<unknown>>): Promise<CarrierReply<null>> {
  const replied = await asking;
  return replied.ok ? { ok: true, value: null } : replied;
}

/** Fields that the line omits keep the values of the request. */
function readSubscription(value: unknown, known: Partial<CarrierSubscription>): CarrierSubscription | null {
  const fields = readObject(value);
  const id = text(fields, 'subscriptionID') ?? known.id ?? null;
  const callback = text(fields, 'callbackUrl') ?? known.callbackUrl ?? null;
  return id === null || callback === null ? null : { id, callbackUrl: callback };
}

function readList(value: unknown, dialect: DcsaDialect): CarrierSubscription[] | null {
  const wrapper = readObject(value);
  const wrapped = ['subscriptions', ...dialect.listKeys]
    .map((key) => wrapper?.get(key.toLowerCase()))
    .find(Array.isArray);
  const list: unknown[] | undefined = Array.isArray(value) ? value : wrapped;
  return list === undefined ? null : list.map((each) => readSubscription(each, {})).filter((each) => each !== null);
}
