import type { Operations } from '../operation.ts';
import {
  arrivalAnalyticsQuery,
  parseArrivalAnalyticsQuery,
  parseTrackingAnalyticsQuery,
  trackingAnalyticsQuery,
} from './analytics-query.ts';
import { wireArrivalAnalytics } from './arrival-wire.ts';
import { wireTrackingAnalytics } from './tracking-wire.ts';

const common = {
  access: 'key_or_session',
  method: 'GET',
  tag: 'Analytics',
  scope: 'shipments:read',
  limit: 'read',
  anyAccept: true,
  errors: ['validation_failed', 'unknown_parameter', 'not_acceptable'],
} as const;

const kept =
  'A worker keeps the counts, so the answer takes as long for a million shipments as for a few; it follows the ' +
  'records within seconds. Archived shipments count, removed ones don’t. `format=csv` returns a table.';

export const analyticsOperations = {
  getArrivalAnalytics: {
    ...common,
    path: '/v1/analytics/arrivals',
    summary: 'Get figures of arrivals',
    description:
      'Returns how many shipments arrived in a period, the share that was on time against the first promise, the ' +
      'time in transit, the recorded causes of delays, and how free time went; in total, by group and by period. A ' +
      'shipment counts on the calendar day of its actual arrival at that place, of parcels and trucks of the ' +
      `delivery. Missing values are counted as unknown. ${kept}`,
    query: arrivalAnalyticsQuery,
    parseQuery: parseArrivalAnalyticsQuery,
    answers: { 200: { description: 'The figures.', schema: wireArrivalAnalytics, moreMediaTypes: ['text/csv'] } },
  },
  getTrackingAnalytics: {
    ...common,
    path: '/v1/analytics/tracking',
    summary: 'Get figures of tracking',
    description:
      'Returns how long registered shipments waited for their first event, and how many of the open ones have ' +
      `current data; in total and by carrier. ${kept}`,
    query: trackingAnalyticsQuery,
    parseQuery: parseTrackingAnalyticsQuery,
    answers: { 200: { description: 'The figures.', schema: wireTrackingAnalytics, moreMediaTypes: ['text/csv'] } },
  },
} as const satisfies Operations;
