import { z } from 'zod';
import { maxShares } from '#shared/domain/shares/share.ts';
import type { Operations } from '../operation.ts';
import { parseShipmentParams, shipmentParams } from '../record/shipment-id.ts';
import { createShareBody, parseCreateShareBody } from './share-input.ts';
import {
  parseShareSettingsBody,
  shareLogoBody,
  updateShareSettingsBody,
  wireShareSettings,
} from './share-settings-wire.ts';
import { parseShareParams, shareParams, wireShareList, wireShareWithUrl } from './share-wire.ts';

const common = { access: 'key_or_session', tag: 'Shared pages' } as const;
const ofShipment = {
  ...common,
  path: '/v1/shipments/{shipment_id}/shares',
  params: shipmentParams,
  parseParams: parseShipmentParams,
} as const;
const settings = { access: 'session', path: '/dashboard/api/share-settings' } as const;
const settingsAnswer = { 200: { schema: wireShareSettings } } as const;

export const shareOperations = {
  createShare: {
    ...ofShipment,
    method: 'POST',
    scope: 'shares:write',
    limit: 'write',
    summary: 'Share a shipment',
    description:
      'Creates a link to a public page of the shipment, in the language of its reader and without a sign-in. The ' +
      'page shows the status, the route, the expected arrival with its history, and the milestones; `shows` adds ' +
      `more. A shipment can have ${maxShares} active links.`,
    body: {
      schema: createShareBody,
      parse: parseCreateShareBody,
      description: 'Content and lifetime of the page. Every field is optional.',
      required: false,
      examples: {
        plain: { summary: 'By the account’s settings', value: {} },
        customer: {
          summary: 'With numbers, carrier and a password',
          value: { label: 'ACME', shows: ['identifiers', 'carrier'], password: 'correct horse battery' },
        },
      },
    },
    answers: { 201: { description: 'The link with its address, which is not shown again.', schema: wireShareWithUrl } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'shipment_not_found',
      'invalid_state',
    ],
  },
  listShares: {
    ...ofShipment,
    method: 'GET',
    scope: 'shipments:read',
    limit: 'read',
    summary: 'List the shares of a shipment',
    description: 'Returns the latest links to the page of the shipment, newest first, without their addresses.',
    answers: { 200: { description: 'The links.', schema: wireShareList } },
    errors: ['unknown_parameter', 'shipment_not_found'],
  },
  revokeShare: {
    ...common,
    method: 'DELETE',
    path: '/v1/shares/{share_id}',
    scope: 'shares:write',
    limit: 'write',
    params: shareParams,
    parseParams: parseShareParams,
    summary: 'Revoke a share',
    description: 'Ends a link for good. The next request of its page is refused. Safe to repeat.',
    answers: { 204: { description: 'The link is revoked.' } },
    errors: ['unknown_parameter', 'unknown_field', 'share_not_found'],
  },
  getShareSettings: { ...settings, method: 'GET', role: 'viewer', limit: 'read', answers: settingsAnswer },
  updateShareSettings: {
    ...settings,
    method: 'PATCH',
    role: 'owner',
    limit: 'write',
    body: { schema: updateShareSettingsBody, parse: parseShareSettingsBody },
    answers: settingsAnswer,
  },
  setShareLogo: {
    ...settings,
    method: 'PUT',
    path: '/dashboard/api/share-settings/logo',
    role: 'owner',
    limit: 'write',
    body: { schema: shareLogoBody, maxBytes: 360_000, heldPerByte: 4, tooLarge: 'A logo has at most 256 KiB.' },
    answers: settingsAnswer,
  },
  removeShareLogo: {
    ...settings,
    method: 'DELETE',
    path: '/dashboard/api/share-settings/logo',
    role: 'owner',
    limit: 'write',
    params: z.object({}),
    answers: settingsAnswer,
  },
} as const satisfies Operations;
