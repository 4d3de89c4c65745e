import { z } from 'zod';
import { parseQuery } from '../input/parse-query.ts';
import type { Operations, RawQuery } from '../operation.ts';
import {
  changeAlertBody,
  createAlertBody,
  listAlertsQuery,
  parseAlertParams,
  parseChangeAlertBody,
  parseCreateAlertBody,
  parseSubject,
  wireAlert,
  wireAlerts,
} from './alert-wire.ts';
import {
  changePreferencesBody,
  channelParams,
  messageQuery,
  messagesQuery,
  parseChangePreferencesBody,
  parseChannelParams,
  parseMessageParams,
  sendTrialBody,
  setChannelBody,
  wireAlertMessageRecord,
  wireAlertMessages,
  wireChannelSet,
  wirePreferences,
  wireTrial,
} from './preferences-wire.ts';

const own = { access: 'session', role: 'viewer' } as const;
const alertPath = {
  ...own,
  path: '/dashboard/api/alerts/{alert_id}',
  limit: 'write',
  params: z.object({ alert_id: z.string() }),
  parseParams: parseAlertParams,
} as const;
const channelPath = {
  ...own,
  path: '/dashboard/api/alert-preferences/channels/{channel}',
  limit: 'write',
  params: channelParams,
  parseParams: parseChannelParams,
} as const;

/** Alerts belong to people; programs have webhooks. */
export const alertOperations = {
  listAlerts: {
    ...own,
    method: 'GET',
    path: '/dashboard/api/alerts',
    limit: 'read',
    query: listAlertsQuery,
    parseQuery: (query: RawQuery) => {
      const { view_id: view, shipment_id: shipment } = parseQuery(listAlertsQuery, query);
      return parseSubject({ view, shipment });
    },
    answers: { 200: { schema: wireAlerts } },
  },
  createAlert: {
    ...own,
    method: 'POST',
    path: '/dashboard/api/alerts',
    limit: 'write',
    body: { schema: createAlertBody, parse: parseCreateAlertBody },
    answers: { 201: { schema: wireAlert } },
  },
  changeAlert: {
    ...alertPath,
    method: 'PATCH',
    body: { schema: changeAlertBody, parse: parseChangeAlertBody },
    answers: { 200: { schema: wireAlert } },
  },
  deleteAlert: { ...alertPath, method: 'DELETE', answers: { 204: {} } },
  getAlertPreferences: {
    ...own,
    method: 'GET',
    path: '/dashboard/api/alert-preferences',
    limit: 'read',
    answers: { 200: { schema: wirePreferences } },
  },
  changeAlertPreferences: {
    ...own,
    method: 'PATCH',
    path: '/dashboard/api/alert-preferences',
    limit: 'write',
    body: { schema: changePreferencesBody, parse: parseChangePreferencesBody },
    answers: { 200: { schema: wirePreferences } },
  },
  setAlertChannel: {
    ...channelPath,
    method: 'PUT',
    body: { schema: setChannelBody },
    answers: { 200: { schema: wireChannelSet } },
  },
  removeAlertChannel: { ...channelPath, method: 'DELETE', answers: { 204: {} } },
  sendAlertTrial: {
    ...own,
    method: 'POST',
    path: '/dashboard/api/alert-preferences/trial',
    limit: 'write',
    body: { schema: sendTrialBody },
    answers: { 202: { schema: wireTrial } },
  },
  listAlertMessages: {
    ...own,
    method: 'GET',
    path: '/dashboard/api/alert-messages',
    limit: 'read',
    query: messagesQuery,
    answers: { 200: { schema: wireAlertMessages } },
  },
  getAlertMessage: {
    ...own,
    method: 'GET',
    path: '/dashboard/api/alert-messages/{message_id}',
    limit: 'read',
    params: z.object({ message_id: z.string() }),
    parseParams: parseMessageParams,
    query: messageQuery,
    answers: { 200: { schema: wireAlertMessageRecord } },
  },
} as const satisfies Operations;
