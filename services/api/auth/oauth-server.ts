import { AsyncLocalStorage } from 'node:async_hooks';
import { type ClientDiscovery, oauthProvider } from '@better-auth/oauth-provider';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import { appLifetimes, appScopes, connectPage, oauthMcpPath } from '#shared/domain/apps/app.ts';
import type { Tx } from '#shared/store/with-account.ts';
import { type BetterAuthWiring, sessionOptions } from './better-auth.ts';
import { hashSessionTokens } from './hash-session-tokens.ts';
import { oauthSchema } from './oauth-schema.ts';
import { transactionPool } from './transaction-pool.ts';

/** Fetches a document that a client's id names, from public addresses only. */
export type FetchDocument = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A client that was found by the document at its id. */
export type FoundClient = { clientId: string; name: string | null; redirectUris: readonly string[] };

export type OauthWiring = Omit<BetterAuthWiring, 'basePath'> & {
  fetchDocument: FetchDocument;
  /** Resolves to true when another client may be stored. */
  hasRoom: () => Promise<boolean>;
  onClientFound: (client: FoundClient) => Promise<void>;
};

/** Rights and effects of one request to the authorization server, beyond those that the library sets. */
export type Work = {
  /** Its statements run in this transaction. Null: each by itself. */
  tx: Tx | null;
  /** The access token that it issues, if it issues one. */
  accessToken: string | null;
  /** The key that the person has just chosen, `<account>:<key>`. */
  reference: string | null;
  /** Documents of clients are fetched. Otherwise what is stored of a client counts. */
  fetchesDocuments: boolean;
};

export type OauthServer = {
  /** Runs a request for a path relative to the issuer. Throws what failed inside, such as an unavailable database. */
  handle: (request: Request, work: Partial<Work>) => Promise<Response>;
  /** The metadata of RFC 8414, with the library's own addresses. */
  metadata: () => Promise<Record<string, unknown>>;
  issuer: string;
};

/** No key has it: nothing is granted without a choice on the page. */
const noReference = 'none';

/**
 * The authorization server: @better-auth/oauth-provider on the tables of the schema `auth`, with the dashboard's sessions.
 * It owns the protocol: authorization, PKCE, codes, refresh tokens, registration, documents of clients, resource
 * indicators. Its issuer is the address of the MCP endpoint, and so the base of its routes; `services/api/oauth` serves
 * them elsewhere, because everything under /v1 takes a key.
 */
export async function makeOauthServer({ pool, hashOf, ...wiring }: OauthWiring): Promise<OauthServer> {
  const works = new AsyncLocalStorage<Work & { failure: unknown }>();
  const issuer = `${wiring.baseUrl}${oauthMcpPath}`;
  const options = {
    ...sessionOptions({ ...wiring, basePath: oauthMcpPath }),
    // Refusals are the protocol's own responses. Anything else is not the client's business.
    onAPIError: {
      errorURL: connectPage,
      onError: (error: unknown) => {
        const work = works.getStore();
        if (work !== undefined && !isRefusal(error)) work.failure ??= error;
      },
    },
    plugins: [
      oauthProvider({
        schema: oauthSchema,
        scopes: [...appScopes],
        grantTypes: ['authorization_code', 'refresh_token'],
        resources: [{ identifier: issuer, name: 'Landfall MCP' }],
        enforcePerClientResources: false,
        loginPage: connectPage,
        consentPage: connectPage,
        allowDynamicClientRegistration: true,
        allowUnauthenticatedClientRegistration: true,
        allowPublicClientPrelogin: true,
        accessTokenExpiresIn: appLifetimes.accessTokenS,
        refreshTokenExpiresIn: appLifetimes.refreshTokenS,
        codeExpiresIn: appLifetimes.codeS,
        refreshTokenReuseInterval: appLifetimes.retryS,
        // Access tokens are opaque: each is an API key.
        disableJwtPlugin: true,
        storeTokens: { hash: async (token) => hashOf(token) },
        generateOpaqueAccessToken: () => {
          const token = works.getStore()?.accessToken ?? null;
          if (token === null) throw new Error('no access token may be issued here');
          return token;
        },
        postLogin: {
          page: connectPage,
          shouldRedirect: () => false,
          consentReferenceId: () => works.getStore()?.reference ?? noReference,
        },
        extensions: [{ clientDiscovery: documentedClients(wiring, () => works.getStore()?.fetchesDocuments === true) }],
      }),
    ],
  } satisfies BetterAuthOptions;
  const ofTransaction = transactionPool(pool, () => works.getStore()?.tx ?? null);
  const adapter = await getAdapter({ ...options, database: ofTransaction });
  const auth = betterAuth({ ...options, database: () => hashSessionTokens(adapter, hashOf) });
  await auth.$context;
  return {
    issuer,
    handle: (request, work) => {
      const own = { tx: null, accessToken: null, reference: null, fetchesDocuments: false, ...work, failure: null };
      return works.run(own, async () => {
        const response = await auth.handler(request);
        if (own.failure !== null) throw own.failure;
        return response;
      });
    },
    metadata: async () => ({ ...(await auth.api.getOAuthServerConfig()) }),
  };
}

/** True when the library refused the request, as opposed to failing. */
function isRefusal(error: unknown): boolean {
  return isAPIError(error) && error.statusCode < 500;
}

/**
 * Clients that are known by the document at their id. It is read when somebody connects one, and not with each token: an
 * unreachable document must not end an app that works.
 */
function documentedClients(wiring: OauthWiringOf, mayFetch: () => boolean): ClientDiscovery {
  let opened: Promise<ClientDiscovery> | null = null;
  return {
    id: 'cimd',
    matches: (clientId) => clientId.startsWith('https://'),
    fetchClientMetadataResource: wiring.fetchDocument,
    discoveryMetadata: { client_id_metadata_document_supported: true },
    resolve: async (ctx, clientId, existing) => {
      if (!mayFetch()) return existing;
      try {
        opened ??= openDiscovery(wiring).catch((error: unknown) => {
          opened = null;
          throw error;
        });
        return await (await opened).resolve(ctx, clientId, existing);
      } catch (error) {
        // Others may have used up the library's limits, of which one host has a part. The stored document still counts.
        if (existing !== null && isAPIError(error) && error.statusCode === 429) return existing;
        if (!isUnstorable(error)) throw error;
        throw new APIError('BAD_REQUEST', { error: 'invalid_client', error_description: 'The document is not valid.' });
      }
    },
  };
}

/** The library is a release candidate: it runs only where somebody connects a client by a document. */
async function openDiscovery({ fetchDocument, hasRoom, onClientFound }: OauthWiringOf): Promise<ClientDiscovery> {
  const { createCimdClientDiscovery } = await import('@better-auth/cimd');
  return createCimdClientDiscovery({
    fetchClientMetadataResource: fetchDocument,
    metadataProfile: 'mcp-2026-07-28',
    // A person opens the address and the page asks for the client at once.
    metadataFetchPolicy: { minimumFetchInterval: 0 },
    isMetadataDocumentUrlAllowed: () => hasRoom(),
    onClientCreated: ({ client }) =>
      onClientFound({
        clientId: client.clientId,
        name: client.name ?? null,
        redirectUris: client.redirectUris ?? [],
      }),
  });
}

/** A document with a NUL or half a character, or with more than a column takes. */
function isUnstorable(error: unknown): boolean {
  return ['22021', '22P05', '22P02', '22001', '23514', '54000'].includes(String(Object(error).code));
}

type OauthWiringOf = Pick<OauthWiring, 'fetchDocument' | 'hasRoom' | 'onClientFound'>;
