import type { Socket } from 'node:net';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import type { CarrierContext, CarrierFetch, CarrierResponse } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { FetchResult, Identifiers } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';
import { nothingConfigured } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { freightSubject } from './freight/simulated-carrier.ts';

export const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
export const accountId = '018f5ec0-7e57-7000-8000-00000000acc7';
export const shipmentId = '018f5ec0-7e57-7000-8000-00000000541b';

type Shipment = { carrier: string; mode: TransportMode; identifiers: Identifiers; number: string };

/** A shipment with a complete simulated journey, for each connector. */
export const shipments: Readonly<Record<ConnectorCode, Shipment>> = {
  'cma-cgm': ocean('CMDU'),
  cosco: ocean('COSU'),
  evergreen: ocean('EGLV'),
  'hapag-lloyd': ocean('HLCU'),
  hmm: ocean('HDMU'),
  maersk: ocean('MAEU'),
  msc: ocean('MEDU', 'MSCU'),
  one: ocean('ONEY'),
  'yang-ming': ocean('YMLU'),
  zim: ocean('ZIMU'),
  dcsa: ocean('OOLU'),
  'lufthansa-cargo': { carrier: 'LH', mode: 'air', identifiers: { awb: '020-00000022' }, number: '02000000022' },
  'one-record': { carrier: 'QR', mode: 'air', identifiers: { awb: '157-00000022' }, number: '15700000022' },
  'nmfta-dsdc': { carrier: 'EXLA', mode: 'road', identifiers: { pro: 'PRO1234562' }, number: 'PRO1234562' },
  dhl: parcel('dhl', '1234567802'),
  fedex: parcel('fedex', '123456789012'),
  gls: parcel('gls', '93835368022'),
  ups: parcel('ups', '1Z12345E0205271682'),
  usps: parcel('usps', '9400109104250532908582'),
};

function ocean(prefix: string, carrier = prefix): Shipment {
  return { carrier, mode: 'ocean', identifiers: { mbl: `${prefix}80000012` }, number: `${prefix}80000012` };
}

function parcel(carrier: string, number: string): Shipment {
  return { carrier, mode: 'parcel', identifiers: { tracking_number: number }, number };
}

/** A subject that contains all data that must never reach a carrier. */
export function contractSubject(connector: ConnectorCode): RefreshSubject {
  const { carrier, mode, identifiers } = shipments[connector];
  return freightSubject(mode, identifiers, {
    accountId,
    shipmentId,
    registrationTraceparent: traceparent,
    carrier,
  });
}

export type Seen = { line: string; headers: string; body: string };
export type Combined = { url: string; text: string };

/**
 * The simulator over real HTTP in the middle of every journey. `seen` contains each request as it arrived, `received`
 * each response to the connector, and `askedFor` each address that a connector requested.
 */
export async function openContractCarrier() {
  const clock = { ms: Date.parse('2026-03-20T12:00:00Z') };
  const app = buildSimulator({ seed: 'contract', now: () => clock.ms, voyageS: 50, stateFile: null, control: true });
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  app.addHook('preValidation', async (request) => {
    seen.push({
      line: `${request.method} ${request.url}`,
      headers: request.raw.rawHeaders.join('\n'),
      body: JSON.stringify(request.body ?? ''),
    });
  });
  app.server.on('connection', (socket) => sockets.add(socket));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = openCarrierAgent();
  const received: Combined[] = [];
  const askedFor: string[] = [];

  /** A connector's complete context. `fetch` replaces the network. */
  const contextOf = (connector: ConnectorCode, fetch?: CarrierFetch): CarrierContext => {
    const settings = settingsFor(connectors[connector], nothingConfigured, origin);
    if (settings === null) throw new Error('the simulator has no settings');
    const now = () => new Date(clock.ms);
    const real = createCarrierFetch(agent, { settings, maxBodyBytes: connectors[connector].maxBodyBytes });
    const recorded: CarrierFetch = async (url, request) => {
      askedFor.push(url);
      const answer: CarrierResponse = await (fetch ?? real)(url, request);
      received.push({ url, text: answer.text });
      return answer;
    };
    return {
      settings,
      fetch: recorded,
      budget: createBudget({ calls: 1000, perMs: 1, burst: 5000 }, now),
      tokens: createTokenCache(now),
      now,
    };
  };

  return {
    origin,
    seen,
    received,
    askedFor,
    contextOf,
    fetch: async (
      connector: ConnectorCode,
      options: { context?: CarrierContext; signal?: AbortSignal; subject?: RefreshSubject } = {},
    ): Promise<FetchResult> => {
      const {
        context = contextOf(connector),
        signal = AbortSignal.timeout(patienceMs),
        subject = contractSubject(connector),
      } = options;
      const refreshes = await connectors[connector].fetch(context, [subject], signal);
      const refresh = refreshes.get(subject.shipmentId);
      if (refreshes.size !== 1 || refresh === undefined)
        throw new Error('a refresh gives exactly one result per subject');
      return refresh;
    },
    /** Moves every journey to its middle. */
    begin: async () => {
      for (const { number } of Object.values(shipments))
        await control('first-seen', { reference: number, at: clock.ms - 32_000 });
    },
    fault: (connector: ConnectorCode, where: 'events' | 'token', ...faults: object[]) =>
      where === 'events'
        ? control('faults', { reference: shipments[connector].number, faults })
        : control('faults', { path: connectors[connector].simulated.authPath, faults }),
    clearFaults: () => app.inject({ method: 'DELETE', url: '/control/faults' }),
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    close: async () => {
      await agent.destroy();
      await app.close();
    },
  };

  async function control(path: string, payload: object): Promise<void> {
    const { statusCode, body } = await app.inject({ method: 'POST', url: `/control/${path}`, payload });
    if (statusCode >= 300) throw new Error(body);
  }
}
