import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import type { CarrierContext, CarrierSettings } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';

export type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string };
export type Answer = (asked: Asked, response: ServerResponse, count: number) => void;

/** A real HTTP server in place of the carrier. */
export async function openFakeCarrier(answer: Answer) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://carrier'),
      headers: request.headers,
      body,
    };
    asked.push(one);
    answer(one, response, asked.length);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = openCarrierAgent();
  return {
    baseUrl,
    asked,
    context: (settings: Partial<CarrierSettings> = {}): CarrierContext => {
      const all: CarrierSettings = {
        baseUrl,
        authUrl: null,
        clientId: 'id',
        clientSecret: 'secret',
        certificate: null,
        privateKey: null,
        scope: null,
        apiKey: null,
        simulated: false,
        ...settings,
      };
      const now = () => new Date('2026-05-01T00:00:00Z');
      return {
        settings: all,
        fetch: createCarrierFetch(agent, { settings: all, maxBodyBytes: 2 * 1024 * 1024 }),
        budget: createBudget({ calls: 1, perMs: 1000, burst: 100 }, now),
        tokens: createTokenCache(now),
        now,
      };
    },
    close: async () => {
      await agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

export function json(
  response: ServerResponse,
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(options.status ?? 200, { 'content-type': 'application/json', ...options.headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The fields of a subject that a connector reads. */
export function subject(identifiers: Identifiers, carrier = 'MAEU'): RefreshSubject {
  return {
    accountId: '018f0000-0000-7000-8000-000000000001',
    shipmentId: '018f0000-0000-7000-8000-000000000002',
    epoch: 1,
    transportMode: 'ocean',
    carrier,
    identifiers,
    registrationTraceparent: null,
    refreshedBefore: false,
    test: false,
  } as RefreshSubject;
}

/** An EQUIPMENT event of the standard. `changes` overrides fields. */
export function equipmentEvent(code: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    eventID: '9b6c1d2e-0000-4000-8000-000000000001',
    eventCreatedDateTime: '2026-04-02T00:00:00Z',
    eventType: 'EQUIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-04-01T10:00:00+08:00',
    equipmentEventTypeCode: code,
    equipmentReference: 'TESU1234565',
    emptyIndicatorCode: 'LADEN',
    eventLocation: { UNLocationCode: 'CNSHA', locationName: 'Shanghai' },
    transportCall: {
      modeOfTransport: 'VESSEL',
      exportVoyageNumber: '101E',
      vessel: { vesselIMONumber: '9321483', vesselName: 'Plain Test' },
    },
    ...changes,
  };
}

export function transportEvent(code: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    eventCreatedDateTime: '2026-04-02T00:00:00Z',
    eventType: 'TRANSPORT',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-04-20T10:00:00+02:00',
    transportEventTypeCode: code,
    transportCall: { modeOfTransport: 'VESSEL', UNLocationCode: 'NLRTM', importVoyageNumber: '101W' },
    ...changes,
  };
}
