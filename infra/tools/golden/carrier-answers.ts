import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { CarrierContext, CarrierFetch, Connector } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { nothingConfigured } from '#test/support/carriers/simulated-carrier.ts';
import { type Asking, editAnswer, faultAt } from './edit-answer.ts';
import type { Voyage } from './voyages.ts';

export type CarrierOptions = {
  /** Length of a fast voyage in the time of the recording. */
  voyageDays: number;
  edited: boolean;
};

/**
 * The carriers of the comparison: the simulator of these scripts, asked by the connectors of the build, with answers
 * edited on their way by rules that depend on nothing but the voyage and the step; `edited` false: as the simulator
 * gives them.
 */
export function openCarriers(now: () => number, { voyageDays, edited }: CarrierOptions) {
  const app = buildSimulator({
    seed: 'golden',
    hosts: ['simulator'],
    now,
    voyageS: voyageDays * 86_400,
    stateFile: null,
    deliverEveryMs: null,
  });
  const clock = () => new Date(now());
  const contexts = new Map<string, CarrierContext>();
  let asking: Asking | null = null;
  /** Last response before it was edited. */
  let lastBody = '';

  const fetch: CarrierFetch = async (url, { method = 'GET', headers = {}, body }) => {
    if (asking === null) throw new Error('no voyage is being asked for');
    const response = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    const answered = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    if (/token|oauth/i.test(new URL(url).pathname))
      return { status: response.statusCode, headers: new Headers(answered), text: response.body };
    lastBody = response.body;
    if (!edited) return { status: response.statusCode, headers: new Headers(answered), text: response.body };
    const fault = faultAt(asking);
    if (fault !== null) return { status: fault.status, headers: new Headers(fault.headers), text: fault.text };
    const text = response.statusCode === 200 ? editAnswer(response.body, asking) : response.body;
    return { status: response.statusCode, headers: new Headers(answered), text };
  };

  const contextOf = (voyage: Voyage): CarrierContext => {
    const known = contexts.get(voyage.connector);
    if (known !== undefined) return known;
    const settings = settingsFor(connectors[voyage.connector], nothingConfigured, 'http://simulator');
    if (settings === null) throw new Error('the simulator has no settings');
    const budget = { take: () => 0, charge: () => {}, free: () => 1000, close: () => {} };
    const made: CarrierContext = { settings, fetch, budget, tokens: createTokenCache(clock), now: clock };
    contexts.set(voyage.connector, made);
    return made;
  };

  /** One query at a time. */
  const ask = async (subject: RefreshSubject, about: Asking): Promise<FetchResult> => {
    asking = about;
    try {
      const connector: Connector = connectors[about.voyage.connector];
      const results = await connector.fetch(contextOf(about.voyage), [subject], AbortSignal.timeout(60_000));
      const result = results.get(subject.shipmentId);
      if (result === undefined) throw new Error('the connector gave no result');
      // The duration of a call is a measurement of this machine.
      return { ...result, durationMs: 40 };
    } finally {
      asking = null;
    }
  };

  return {
    ask,
    /** The text of the carrier's last answer, complete. */
    lastAnswer: () => lastBody,
    close: () => app.close(),
  };
}

export type Carriers = ReturnType<typeof openCarriers>;
