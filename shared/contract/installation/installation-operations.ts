import { z } from 'zod';
import { arrivalDaysQuery, parseArrivalDaysQuery, wireArrivalDays } from '../lists/arrival-days-wire.ts';
import {
  cityPointsBody,
  mapQuery,
  mapShipmentsBody,
  wireCityPoints,
  wireDestinations,
  wireMap,
  wireMapShipments,
} from '../lists/map-wire.ts';
import type { Operations } from '../operation.ts';
import { wireOperationsHistory } from './operations-history-wire.ts';
import { wireOperations } from './operations-wire.ts';
import { overviewQuery, wireLimits, wireOverview, wireWiped } from './overview-wire.ts';
import { findTracesQuery, parseFindTracesQuery, wireTrace, wireTraces } from './trace-wire.ts';

const get = { access: 'session', method: 'GET', limit: 'read' } as const;

/** The overview and limits of an account, and the state of the installation. */
export const installationOperations = {
  getLimits: { ...get, path: '/dashboard/api/limits', role: 'viewer', answers: { 200: { schema: wireLimits } } },
  getOverview: {
    ...get,
    path: '/dashboard/api/overview',
    role: 'viewer',
    query: overviewQuery,
    answers: { 200: { schema: wireOverview } },
  },
  getMap: {
    ...get,
    path: '/dashboard/api/map',
    role: 'viewer',
    query: mapQuery,
    answers: { 200: { schema: wireMap } },
  },
  listMapShipments: {
    ...get,
    method: 'POST',
    path: '/dashboard/api/map/shipments',
    role: 'viewer',
    body: { schema: mapShipmentsBody },
    answers: { 200: { schema: wireMapShipments } },
  },
  listDestinations: {
    ...get,
    path: '/dashboard/api/map/destinations',
    role: 'viewer',
    answers: { 200: { schema: wireDestinations } },
  },
  listCityPoints: {
    ...get,
    method: 'POST',
    path: '/dashboard/api/map/cities',
    role: 'viewer',
    body: { schema: cityPointsBody },
    answers: { 200: { schema: wireCityPoints } },
  },
  getArrivalDays: {
    ...get,
    path: '/dashboard/api/arrival-days',
    role: 'viewer',
    query: arrivalDaysQuery,
    parseQuery: parseArrivalDaysQuery,
    answers: { 200: { schema: wireArrivalDays } },
  },
  wipeDemo: {
    access: 'session',
    method: 'POST',
    path: '/dashboard/api/wipe-demo',
    role: 'owner',
    limit: 'write',
    answers: { 200: { schema: wireWiped } },
  },
  getOperations: {
    ...get,
    path: '/dashboard/api/operations',
    role: 'operator',
    answers: { 200: { schema: wireOperations } },
  },
  getOperationsHistory: {
    ...get,
    path: '/dashboard/api/operations/history',
    role: 'operator',
    answers: { 200: { schema: wireOperationsHistory } },
  },
  findTraces: {
    ...get,
    path: '/dashboard/api/traces',
    role: 'operator',
    query: findTracesQuery,
    parseQuery: parseFindTracesQuery,
    answers: { 200: { schema: wireTraces } },
  },
  getTrace: {
    ...get,
    path: '/dashboard/api/traces/{trace_id}',
    role: 'operator',
    params: z.object({ trace_id: z.string() }),
    answers: { 200: { schema: wireTrace } },
  },
} as const satisfies Operations;
