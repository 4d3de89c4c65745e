import type { DcsaDialect } from '../dialect.ts';
import { ungroupHmmEvents } from '../ungroup-hmm-events.ts';

/**
 * HMM: events grouped by type in one object, codes in mixed case, places as text. It is asked by booking and container number, `ZZ` being all
 * containers. Its B/L numbers are the booking's with `HDMU` before it.
 */
export const hmm: DcsaDialect = {
  connector: 'hmm',
  published: { baseUrl: 'https://apigw.hmm21.com', authUrl: null },
  simulated: { basePath: '/sim/hmm', authPath: null },
  budget: { calls: 30, perMs: 60_000, burst: 10 },
  eventsPath: '/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa',
  auth: [{ kind: 'headers', needs: ['apiKey'], headers: ({ apiKey }) => ({ 'x-Gateway-APIKey': apiKey ?? '' }) }],
  references: [
    { identifier: 'booking', parameter: 'carrierBookingReference', also: { equipmentReference: 'ZZ' } },
    { identifier: 'mbl', parameter: 'carrierBookingReference', also: { equipmentReference: 'ZZ' } },
  ],
  billPrefix: 'strip',
  parameters: {},
  paging: 'none',
  listKeys: [],
  unwrap: ungroupHmmEvents,
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
