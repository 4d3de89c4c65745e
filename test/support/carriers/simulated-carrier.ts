import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { CarrierContext, CarrierFetch, CarrierSettings, Connector } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { type ConfiguredCarrier, settingsFor } from '#services/worker/carriers/settings-for.ts';
import { createBudget } from './local-budget.ts';

/** The configuration of an instance without anything about a carrier. */
export const nothingConfigured: ConfiguredCarrier = {
  baseUrl: null,
  authUrl: null,
  clientId: null,
  clientSecret: null,
  apiKey: null,
  certificate: null,
  privateKey: null,
  scope: null,
};

export type SimulatedCarrierOptions = { seed: string; voyageS: number; settings?: Partial<CarrierSettings> };

/** A simulator that a connector reaches without a network. The test moves the clock of both. */
export function openSimulatedCarrier(
  connector: Connector,
  { seed, voyageS, settings: changes }: SimulatedCarrierOptions,
) {
  const clock = { ms: Date.parse('2026-03-20T12:00:00Z') };
  const app = buildSimulator({
    seed,
    hosts: ['simulator'],
    now: () => clock.ms,
    voyageS,
    stateFile: null,
    control: true,
  });
  const simulated = settingsFor(connector, nothingConfigured, 'http://simulator');
  if (simulated === null) throw new Error('the simulator has no settings');
  const asked: string[] = [];
  const fetch: CarrierFetch = async (url, { method = 'GET', headers = {}, body, document }) => {
    asked.push(`${method} ${url}`);
    const response = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    const answered = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const status = response.statusCode;
    const isFile = document?.asBytes === true && status < 400;
    const content = isFile ? { text: '', bytes: response.rawPayload } : { text: response.body };
    return { status, headers: new Headers(answered), ...content };
  };
  const now = () => new Date(clock.ms);
  const carrier: CarrierContext = {
    settings: { ...simulated, ...changes },
    fetch,
    budget: createBudget({ calls: 1000, perMs: 1, burst: 5000 }, now),
    tokens: createTokenCache(now),
    now,
  };
  const control = (path: string, payload: object) => app.inject({ method: 'POST', url: `/control/${path}`, payload });
  return { clock, carrier, asked, control, close: () => app.close() };
}
