import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  getToolUiResourceUri,
  type McpUiHostContext,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';

type CallToolResult = Awaited<ReturnType<Client['callTool']>>;

/** Behavior of the host for a tool call. */
export type Showing = {
  tool: string;
  args: Record<string, unknown>;
  context?: McpUiHostContext;
  /** Capabilities that the host does not have. */
  without?: readonly ('serverTools' | 'openLinks')[];
  /** Passed instead of the server's result. `never`: the call does not end. */
  result?: CallToolResult | 'cancelled' | 'never';
  /** Every call of the view is answered with this. */
  viewCalls?: 'refused' | { result: CallToolResult };
  widthPx?: number;
};

export type HostPage = {
  show: (showing: Showing) => Promise<void>;
  /** Notifies the view of a change of its surroundings. */
  change: (context: McpUiHostContext) => Promise<void>;
  /** Tool calls of the view. */
  calls: { name: string; arguments?: Record<string, unknown> | undefined }[];
  links: string[];
  sizes: { width?: number | undefined; height?: number | undefined }[];
};

declare global {
  interface Window {
    mcpHost: HostPage;
    /** Origin of the sandbox: another one than the page's, as the specification requires. */
    sandboxUrl: string;
  }
}

const client = new Client({ name: 'landfall-test-host', version: '1' });
let connected: Promise<void> | null = null;
let bridge: AppBridge | null = null;

window.mcpHost = {
  calls: [],
  links: [],
  sizes: [],
  show: async (showing) => {
    connected ??= client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', location.href)));
    await connected;
    const { tools } = await client.listTools();
    const uri = getToolUiResourceUri(tools.find(({ name }) => name === showing.tool) ?? {});
    if (uri === undefined) throw new Error(`${showing.tool} has no view`);
    const [content, ...others] = (await client.readResource({ uri })).contents;
    if (content === undefined || others.length > 0 || content.mimeType !== RESOURCE_MIME_TYPE || !('text' in content))
      throw new Error(`${uri} is no view`);
    await showView(showing, content.text);
  },
  change: async (context) => {
    if (bridge === null) throw new Error('no view is shown');
    await bridge.sendHostContextChange(context);
  },
};

/** The steps of SEP-1865, "Lifecycle", for a host that is a web page. */
async function showView(showing: Showing, html: string): Promise<void> {
  const { tool, args, context = {}, without = [], result, viewCalls, widthPx } = showing;
  document.querySelector('iframe')?.remove();
  const { calls, links, sizes } = window.mcpHost;
  for (const list of [calls, links, sizes]) list.length = 0;
  const iframe = document.createElement('iframe');
  iframe.title = 'View';
  iframe.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  iframe.style.width = widthPx === undefined ? '100%' : `${widthPx}px`;
  document.body.append(iframe);
  const sandboxReady = once((event) => {
    return event.source === iframe.contentWindow && event.data?.method === 'ui/notifications/sandbox-proxy-ready';
  });
  iframe.src = window.sandboxUrl;
  await sandboxReady;

  const capabilities = Object.fromEntries(
    (['serverTools', 'openLinks', 'serverResources'] as const)
      .filter((name) => !(without as readonly string[]).includes(name))
      .map((name) => [name, {}]),
  );
  const opened = new AppBridge(client, { name: 'landfall-test-host', version: '1' }, capabilities, {
    hostContext: context,
  });
  bridge = opened;
  opened.onopenlink = async ({ url }) => {
    links.push(url);
    return {};
  };
  opened.onsizechange = ({ width, height }) => {
    sizes.push({ width, height });
    if (height !== undefined) iframe.style.height = `${height}px`;
  };
  const initialized = Promise.withResolvers<void>();
  opened.oninitialized = () => initialized.resolve();
  const view = iframe.contentWindow as Window;
  await opened.connect(new PostMessageTransport(view, view));
  // Connecting makes the bridge pass calls on by itself.
  opened.oncalltool = async (params) => {
    calls.push(params);
    if (viewCalls === 'refused') throw new Error('The user refused the call.');
    if (viewCalls !== undefined) return viewCalls.result as never;
    return client.callTool(params) as never;
  };
  await opened.sendSandboxResourceReady({ html });
  await initialized.promise;
  await opened.sendToolInput({ arguments: args });
  if (result === 'never') return;
  if (result === 'cancelled') return opened.sendToolCancelled({ reason: 'the user stopped it' });
  await opened.sendToolResult((result ?? (await client.callTool({ name: tool, arguments: args }))) as never);
}

function once(isSought: (event: MessageEvent) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = (event: MessageEvent) => {
    if (!isSought(event)) return;
    window.removeEventListener('message', listener);
    resolve();
  };
  window.addEventListener('message', listener);
  return promise;
}
