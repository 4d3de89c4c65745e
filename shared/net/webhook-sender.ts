import type { Dispatcher } from 'undici';
import type { DeliveryError, TryResult } from '#shared/domain/webhooks/delivery-error.ts';
import {
  type ComposedWebhook,
  type WebhookSending,
  type WebhookTarget,
  webhookAgent,
} from '#shared/domain/webhooks/send-webhook.ts';
import type { AddressGuard } from './address-guard.ts';
import { deliveryErrorOf } from './delivery-error-of.ts';
import { openGuardedPools } from './guarded-pools.ts';
import { webhookHeaders } from './sign-webhook.ts';

export type WebhookResponse = TryResult & {
  latencyMs: number;
  /** The first 4 KB of the response's body. Null: it is empty or compressed. */
  answer: string | null;
  retryAfter: string | null;
};

type Request = Pick<WebhookTarget, 'url' | 'test' | 'timeoutMs'>;

export type WebhookSender = Omit<WebhookSending, 'send'> & {
  /** After `signal`, the outcome is `timeout` at once. The timeout includes everything up to the last byte. */
  send: (target: Request, request: ComposedWebhook, signal?: AbortSignal) => Promise<WebhookResponse>;
  close: () => Promise<void>;
};

export type WebhookSenderOptions = {
  guard: AddressGuard;
  /** `WEBHOOK_PROXY`. */
  proxyUrl: string | null;
  /** For the `user-agent` header. */
  version: string;
};

const connectionErrors: readonly DeliveryError[] = ['connection_refused', 'unreachable', 'dns_failed'];
const maxReadBytes = 65_536;
const maxKeptBytes = 4096;

/** Sends webhooks over pooled connections. Redirects are not followed, and every address is checked by the guard. */
export function openWebhookSender({ guard, proxyUrl, version }: WebhookSenderOptions): WebhookSender {
  const pools = openGuardedPools(guard, proxyUrl);
  /** Behind a proxy, it alone is connected to. */
  const ofProxy = (response: WebhookResponse): WebhookResponse =>
    proxyUrl !== null && response.error !== null && connectionErrors.includes(response.error)
      ? { ...response, error: 'proxy_failed' }
      : response;
  const userAgent = `${webhookAgent}${version}`;
  return {
    checkAddress: guard.check,
    compose: ({ headers, secrets }, { id, body }, { nowMs, traceparent }) => {
      const message = { id, timestamp: Math.floor(nowMs / 1000), body };
      return { headers: { ...headers, ...webhookHeaders(message, { secrets, userAgent, traceparent }) }, body };
    },
    send: (target, { headers, body }, signal) => {
      const { promise, resolve } = Promise.withResolvers<WebhookResponse>();
      const exchange = openExchange(target.timeoutMs, (response) => resolve(ofProxy(response)), signal);
      const url = guard.checkUrl(target.url, target);
      if (!(url instanceof URL)) exchange.fail(url.code);
      else {
        const path = `${url.pathname}${url.search}`;
        try {
          pools
            .of(url.origin, target)
            .dispatch(
              { origin: url.origin, path, method: 'POST', headers: { 'user-agent': userAgent, ...headers }, body },
              exchange.handler,
            );
        } catch (error) {
          exchange.fail(deliveryErrorOf(error));
        }
      }
      return promise;
    },
    close: pools.close,
  };
}

type Exchange = { handler: Dispatcher.DispatchHandler; fail: (error: DeliveryError) => void };

/** One request. It settles once: with its response, its error or its deadline. */
function openExchange(timeoutMs: number, settle: (response: WebhookResponse) => void, signal?: AbortSignal): Exchange {
  const startedAt = performance.now();
  let controller: Dispatcher.DispatchController | null = null;
  let isSettled = false;
  let status: number | null = null;
  let retryAfter: string | null = null;
  let isReadable = true;
  let readBytes = 0;
  const kept: Buffer[] = [];

  const end = (error: DeliveryError | null): void => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', expire);
    const answer = isReadable ? textOf(kept) : null;
    settle({ status, error, latencyMs: performance.now() - startedAt, answer, retryAfter });
  };
  const abort = (): void => controller?.abort(new Error('the exchange has ended'));
  const expire = (): void => {
    end('timeout');
    abort();
  };
  const timer = setTimeout(expire, timeoutMs);
  signal?.addEventListener('abort', expire);
  if (signal?.aborted) expire();

  return {
    fail: end,
    handler: {
      onRequestStart: (started) => {
        controller = started;
        if (isSettled) abort();
      },
      onResponseStart: (_controller, statusCode, headers) => {
        if (statusCode < 200) return;
        status = statusCode;
        retryAfter = headerOf(headers['retry-after']);
        isReadable = /^(identity)?$/.test(headerOf(headers['content-encoding']) ?? '');
      },
      onResponseData: (_controller, chunk) => {
        if (readBytes < maxKeptBytes) kept.push(chunk.subarray(0, maxKeptBytes - readBytes));
        readBytes += chunk.length;
        if (readBytes <= maxReadBytes) return;
        // The status is enough: the rest of the body is not read.
        end(null);
        abort();
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(deliveryErrorOf(error)),
    },
  };
}

function headerOf(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** Postgres stores no NUL in a text. */
function textOf(chunks: readonly Buffer[]): string | null {
  if (chunks.length === 0) return null;
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\uFFFD');
  return text === '' ? null : text;
}
