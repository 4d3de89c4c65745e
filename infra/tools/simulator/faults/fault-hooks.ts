import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierRoute, Truth } from '../carrier-route.ts';
import type { ServedLog } from '../served-log.ts';
import type { AccessTokens } from '../token-route.ts';
import type { FaultDice } from './fault-dice.ts';
import { effectOf } from './fault-effects.ts';
import type { Fault, FaultScript } from './faults.ts';

export type FaultWorld = {
  faults: FaultScript;
  dice: FaultDice;
  served: ServedLog;
  tokens: AccessTokens;
  now: () => number;
};

/** Headers that identify the client where no access token does. */
const keyHeaders = [
  'consumer-key',
  'x-ibm-client-id',
  'keyid',
  'ocp-apim-subscription-key',
  'x-gateway-apikey',
  'dhl-api-key',
  'x-api-key',
  'apikey',
];

/** Applies scripted or random faults to every carrier route and records what was served. */
export function addFaultHooks(app: FastifyInstance, world: FaultWorld): void {
  const chosen = new WeakMap<FastifyRequest, Fault>();
  app.decorateRequest('completeFor');
  app.addHook('preHandler', async (request) => {
    request.completeFor = [];
    const route = request.routeOptions.config.carrier;
    if (!route) return;
    const numbers = route.numbers(request);
    const references = [...numbers, ...numbers.flatMap((number) => route.aliases?.(number) ?? [])];
    const path = request.url.split('?')[0] ?? '';
    const fault = world.faults.take(path, references) ?? world.dice.throw(path, numbers);
    if (fault === null) return;
    chosen.set(request, fault);
    if (fault.kind === 'hold') await world.faults.hold(references);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const route = request.routeOptions.config.carrier;
    if (!route) return payload;
    const fault = chosen.get(request) ?? null;
    const body = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : '';
    const answer = { status: reply.statusCode, headers: textHeaders(reply), body };
    const nowMs = world.now();
    const effect = fault === null ? { answer } : effectOf(fault, answer, { connector: route.connector, nowMs });
    record(world, {
      request,
      route,
      fault,
      nowMs,
      status: 'answer' in effect ? effect.answer.status : reply.statusCode,
    });
    if (fault?.kind === 'token_expired') world.tokens.expireAll();
    if (fault?.kind === 'secret_changed' && route.kind !== 'token') {
      // The next token request is rejected too; after that the new secret is accepted.
      world.faults.add({ reference: '*', path: `/sim/${route.connector}` }, [{ kind: 'status', status: 401 }]);
    }
    if ('answer' in effect) {
      if (fault !== null) {
        for (const name of Object.keys(reply.getHeaders()))
          if (!(name in effect.answer.headers)) reply.removeHeader(name);
        reply.code(effect.answer.status).headers(effect.answer.headers).removeHeader('content-length');
      }
      return fault === null ? payload : effect.answer.body;
    }
    // The raw bytes bypass Fastify, which must neither respond nor wait for the end.
    void effect.raw(reply.raw).catch(() => reply.raw.destroy());
    return new Promise(() => undefined);
  });
}

type Sent = { request: FastifyRequest; route: CarrierRoute; fault: Fault | null; nowMs: number; status: number };

function record(world: FaultWorld, { request, route, fault, nowMs, status }: Sent): void {
  const truths = new Map<string, Truth>();
  if (fault === null && status === 200) {
    for (const number of request.completeFor) {
      const truth = route.truth?.(number, nowMs) ?? null;
      if (truth !== null) truths.set(number, truth);
    }
  }
  world.served.record({
    connector: route.connector,
    kind: route.kind,
    numbers: route.numbers(request),
    status,
    fault: fault?.kind ?? null,
    credential: credentialOf(request, world.tokens),
    nowMs,
    truths,
  });
}

function textHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** Names the client without revealing its secrets. */
function credentialOf({ headers, body }: FastifyRequest, tokens: AccessTokens): string {
  const [, scheme = '', value = ''] = /^(\w+) (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (/bearer/i.test(scheme)) return tokens.clientOf(value) ?? 'an unknown token';
  if (/basic/i.test(scheme)) return Buffer.from(value, 'base64').toString().split(':')[0] ?? '';
  const inForm = body !== null && typeof body === 'object' ? Object(body).client_id : undefined;
  if (typeof inForm === 'string') return inForm;
  return (
    keyHeaders
      .map((name) => headers[name])
      .find((key) => typeof key === 'string')
      ?.toString() ?? 'anonymous'
  );
}
