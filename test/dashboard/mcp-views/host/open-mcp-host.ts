import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import type { TestApi } from '#test/support/api/api.ts';

/** `url`: a page that draws views (`host-page.ts`). */
export type McpHost = { url: string; close: () => Promise<void> };

/** The policy of a host for a view that names no domains (SEP-1865, "Host Behavior"). */
const restrictivePolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
].join('; ');

/**
 * A host of MCP Apps: the official package's own bridge and client on a page, and a sandbox of another origin. The page
 * reaches the API through this server, which adds the key.
 */
export async function openMcpHost(api: Pick<TestApi, 'url' | 'key'>): Promise<McpHost> {
  const script = await buildPage();
  const sandbox = await listen((_request, response) => {
    response.setHeader('content-security-policy', `${restrictivePolicy}; frame-src 'self'`);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(sandboxPage);
  });
  const host = await listen((request, response) => {
    if (request.url === '/v1/mcp') return void forward(api, request, response);
    const page = `<!doctype html><html lang="en"><title>Host</title><style>body { margin: 0 } iframe { border: 0 }</style>
<script>window.sandboxUrl = ${JSON.stringify(addressOf(sandbox))}</script><script type="module">${script}</script></html>`;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  });
  return {
    url: addressOf(host),
    close: async () => {
      await Promise.all([close(host), close(sandbox)]);
    },
  };
}

/**
 * Loads the view into a frame of its own and passes messages on. `document.write`, as the reference host does it: the
 * frame keeps the sandbox's policy.
 */
const sandboxPage = `<!doctype html><html lang="en"><title>Sandbox</title>
<style>html, body { margin: 0; height: 100% } iframe { border: 0; width: 100%; height: 100%; display: block }</style>
<body><script>
  const view = document.createElement('iframe');
  view.title = 'View';
  view.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  document.body.append(view);
  addEventListener('message', ({ source, data }) => {
    if (source === view.contentWindow) return parent.postMessage(data, '*');
    if (data?.method !== 'ui/notifications/sandbox-resource-ready') return view.contentWindow.postMessage(data, '*');
    view.contentDocument.open();
    view.contentDocument.write(data.params.html);
    view.contentDocument.close();
  });
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script></body></html>`;

async function buildPage(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('host-page.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code.replaceAll('</script', '<\\/script');
}

async function forward(
  api: Pick<TestApi, 'url' | 'key'>,
  ...[request, response]: Parameters<RequestListener>
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const names = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'origin'];
  const headers = names.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const answer = await fetch(`${api.url}/v1/mcp`, {
    method: request.method ?? 'POST',
    headers: [...headers, ['authorization', `Bearer ${api.key}`]],
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
