import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts the loopback server on which a native app waits for the browser. The system chooses the port. */
export async function openCallback(): Promise<{ url: string; next: () => Promise<URL>; close: () => Promise<void> }> {
  const arrived: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    response.end('You can close this page.');
    if (url.pathname !== '/callback') return;
    arrived.push(url);
    server.emit('arrival');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callback`,
    next: async () => {
      if (arrived.length === 0) await once(server, 'arrival');
      return arrived.shift() as URL;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Stores the connection of an app. It fits the providers of both versions of the SDK. */
export function memoryProvider(redirectUrl: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the two versions of the SDK have types of their own for the same values
  const stored: { client?: any; tokens?: any; verifier?: string; discovery?: any; opened: URL[] } = { opened: [] };
  return {
    stored,
    redirectUrl,
    clientMetadata: {
      client_name: 'Harbour assistant',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => stored.client,
    saveClientInformation: (client: unknown) => {
      stored.client = client;
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens: unknown) => {
      stored.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      stored.opened.push(url);
    },
    saveCodeVerifier: (verifier: string) => {
      stored.verifier = verifier;
    },
    codeVerifier: () => stored.verifier ?? '',
    saveDiscoveryState: (state: unknown) => {
      stored.discovery = state;
    },
    discoveryState: () => stored.discovery,
    invalidateCredentials: (scope: string) => {
      if (scope === 'all' || scope === 'client') stored.client = undefined;
      if (scope === 'all' || scope === 'tokens') stored.tokens = undefined;
    },
  };
}
