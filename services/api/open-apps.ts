import type { Env } from '#shared/config/env.ts';
import { auditNewClient, hasRoomForClient } from '#shared/core/apps/clients.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { type AddressGuard, openAddressGuard } from '#shared/net/address-guard.ts';
import { type DocumentFetch, openDocumentFetch } from '#shared/net/document-fetch.ts';
import type { ResolveName } from '#shared/net/resolve-name.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { type Oauth, openOauth } from './auth/open-oauth.ts';

export type AppsOptions = {
  logger: Logger;
  signingSecret: string;
  hashOf: (text: string) => string;
  /** Landfall's version, for the `user-agent` header. */
  version: string;
  /** Resolves the names of clients' and webhooks' addresses. Only tests set it. */
  resolveName?: ResolveName | undefined;
  /** Fetches the documents of clients. Only tests set it: no certificate vouches for their hosts. */
  fetchDocument?: DocumentFetch['fetch'] | undefined;
};

/** The authorization server, and what fetches the documents of its clients. Null: `MCP_OAUTH` is off. */
export function openApps(
  env: Env,
  core: CoreContext,
  { logger, signingSecret, hashOf, version, resolveName, fetchDocument }: AppsOptions,
): { oauth: Oauth; close: () => Promise<void> } | null {
  if (env.MCP_OAUTH === 'off') return null;
  const guard = documentGuard(env, resolveName);
  const documents = openDocumentFetch(guard, { proxyUrl: env.WEBHOOK_PROXY, version });
  const oauth = openOauth(core.store, {
    publicBaseUrl: core.settings.publicBaseUrl,
    logger,
    secret: signingSecret,
    hashOf,
    fetchDocument: fetchDocument ?? documents.fetch,
    hasRoom: () => hasRoomForClient(core),
    onClientFound: (client) => auditNewClient(core, { ...client, found: true }, 'none'),
  });
  return { oauth, close: documents.close };
}

/** Addresses from clients have the limits of webhook addresses, and never use plain HTTP. */
export function documentGuard(
  env: Pick<Env, 'WEBHOOK_ALLOWED_NETWORKS' | 'WEBHOOK_PROXY'>,
  resolve?: ResolveName,
): AddressGuard {
  return openAddressGuard({
    allowHttp: false,
    allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS,
    loopbackInTests: false,
    proxied: env.WEBHOOK_PROXY !== null,
    ...(resolve && { resolve }),
  });
}
