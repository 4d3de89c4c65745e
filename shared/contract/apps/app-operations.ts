import { z } from 'zod';
import { redirectHostOf } from '#shared/domain/apps/app.ts';
import { readableName } from '#shared/domain/apps/readable-name.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { parseId } from '../input/parse-id.ts';
import { readApiKeyId } from '../keys/api-key-wire.ts';
import type { Operations, RawParams } from '../operation.ts';

/** The signed request of an app, as the page got it. */
const signedRequest = z.string().min(1).max(8192);

/** An app that asks for access. What it says of itself is text of a stranger. */
export const wireAppRequest = z.strictObject({
  /** Null: it gave none that can be read. */
  name: z.string().nullable(),
  /** The host that vouches for the name, by the document at the app's id. Null: the app registered itself. */
  verified_host: z.string().nullable(),
  /** Host that the browser is sent to with the answer. Null: an app of the machine, by `redirect_scheme`. */
  redirect_host: z.string().nullable(),
  redirect_scheme: z.string(),
  /** When the page must have been answered. */
  expires_at: z.iso.datetime(),
});
export type WireAppRequest = z.infer<typeof wireAppRequest>;

/** Address that the browser is sent to with the answer. */
const wireLocation = z.strictObject({ location: z.string() });

export const wireApp = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  verified_host: z.string().nullable(),
  redirect_hosts: z.array(z.string()),
  connected_by: z.string(),
  connected_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});
export const wireApps = z.strictObject({ data: z.array(wireApp) });
export type WireApp = z.infer<typeof wireApp>;

const missingKey = { prefix: 'key', code: 'api_key_not_found', detail: 'API key not found.' } as const;
const missingApp = { prefix: 'app', code: 'api_key_not_found', detail: 'Connected app not found.' } as const;

const common = { access: 'session', onlyWithOauth: true } as const;

/** Connecting apps to a key, by a person who is signed in. Served with `MCP_OAUTH=on` alone. */
export const appOperations = {
  readAppRequest: {
    ...common,
    method: 'POST',
    path: '/dashboard/api/app-requests/read',
    role: 'signed_in',
    limit: 'read',
    body: { schema: z.strictObject({ request: signedRequest }) },
    answers: { 200: { schema: wireAppRequest } },
  },
  allowApp: {
    ...common,
    method: 'POST',
    path: '/dashboard/api/app-requests/allow',
    role: 'owner',
    limit: 'write',
    body: {
      schema: z.strictObject({
        request: signedRequest,
        api_key_id: z.string().transform((text, refined) => {
          const id = readApiKeyId(text);
          if (id !== null) return id;
          refined.addIssue({ code: 'custom', message: 'must be the id of a key.' });
          return z.NEVER;
        }),
      }),
    },
    answers: { 200: { schema: wireLocation } },
  },
  denyApp: {
    ...common,
    method: 'POST',
    path: '/dashboard/api/app-requests/deny',
    role: 'signed_in',
    limit: 'write',
    body: { schema: z.strictObject({ request: signedRequest }) },
    answers: { 200: { schema: wireLocation } },
  },
  listApps: {
    ...common,
    method: 'GET',
    path: '/dashboard/api/api-keys/{api_key_id}/apps',
    role: 'owner',
    limit: 'read',
    params: z.object({ api_key_id: z.string() }),
    parseParams: (params: RawParams) => ({ keyId: parseId(params, 'api_key_id', missingKey) }),
    answers: { 200: { schema: wireApps } },
  },
  disconnectApp: {
    ...common,
    method: 'DELETE',
    path: '/dashboard/api/apps/{app_id}',
    role: 'owner',
    limit: 'write',
    params: z.object({ app_id: z.string() }),
    parseParams: (params: RawParams) => ({ appId: parseId(params, 'app_id', missingApp) }),
    answers: { 204: {} },
  },
} as const satisfies Operations;

type ShownRequest = {
  clientId: string;
  name: string | null;
  isDocumented: boolean;
  redirectUri: string;
  expiresAt: string;
};

export function toWireAppRequest({ name, redirectUri, expiresAt, ...client }: ShownRequest): WireAppRequest {
  return {
    name: readableName(name),
    verified_host: verifiedHostOf(client),
    redirect_host: redirectHostOf(redirectUri),
    redirect_scheme: redirectUri.split(':', 1)[0]?.toLowerCase() ?? '',
    expires_at: expiresAt,
  };
}

type ShownApp = {
  id: string;
  clientId: string;
  name: string | null;
  isDocumented: boolean;
  redirectUris: readonly string[];
  connectedBy: string;
  connectedAt: string;
  lastUsedAt: string | null;
};

export function toWireApp(app: ShownApp): WireApp {
  const hosts = app.redirectUris.map((uri) => redirectHostOf(uri) ?? `${uri.split(':', 1)[0]}:`);
  return {
    id: encodeTypeId('app', app.id),
    name: readableName(app.name),
    verified_host: verifiedHostOf(app),
    redirect_hosts: [...new Set(hosts)].sort(),
    connected_by: app.connectedBy,
    connected_at: app.connectedAt,
    last_used_at: app.lastUsedAt,
  };
}

function verifiedHostOf({ clientId, isDocumented }: { clientId: string; isDocumented: boolean }): string | null {
  return isDocumented ? redirectHostOf(clientId) : null;
}
