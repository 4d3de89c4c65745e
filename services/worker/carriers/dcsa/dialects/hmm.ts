import type { DcsaDialect } from '../dialect.ts';
import { ungroupHmmEvents } from '../ungroup-hmm-events.ts';

/**
 * HMM groups events by type in one object, and sends codes in mixed case and places as text. It is queried by booking
 * and container number, where `ZZ` stands for all containers. Its B/L number is the booking number with the prefix
 * `HDMU`.
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
