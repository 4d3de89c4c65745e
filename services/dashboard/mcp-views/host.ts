import { App, applyDocumentTheme, type McpUiHostContext } from '@modelcontextprotocol/ext-apps';
import type { ToolResult } from './read-answer.ts';

export type ToolName = 'list_shipments_summary' | 'get_shipment_details';
export type ToolArgs = Readonly<Record<string, unknown>>;

/** Features of the host that a view may use. */
export type HostAbilities = { callsTools: boolean; opensLinks: boolean };

export type HostEvents = {
  connected: (abilities: HostAbilities) => void;
  input: (args: ToolArgs) => void;
  result: (result: ToolResult) => void;
  cancelled: () => void;
};

export type Host = {
  callTool: (name: ToolName, args: ToolArgs) => Promise<ToolResult>;
  /** False: the host did not open it. */
  openLink: (url: string) => Promise<boolean>;
};

/** Longer than a tool call takes at most, because a host may ask its user first. */
const callTimeoutMs = 120_000;

/** Connects the view with its host (SEP-1865), takes over its theme, and reports the size of the page to it. */
export function openHost(name: string, events: HostEvents): Host {
  const app = new App({ name, version: '1' }, { availableDisplayModes: ['inline', 'fullscreen'] });
  app.ontoolinput = ({ arguments: args = {} }) => events.input(args);
  app.ontoolresult = (result) => events.result(result);
  app.ontoolcancelled = () => events.cancelled();
  app.onhostcontextchanged = (context) => applyContext(context);
  app.connect().then(
    () => {
      applyContext(app.getHostContext() ?? {});
      const abilities = app.getHostCapabilities() ?? {};
      events.connected({
        callsTools: abilities.serverTools !== undefined,
        opensLinks: abilities.openLinks !== undefined,
      });
    },
    // Without a host, the page shows that it waits.
    () => undefined,
  );
  return {
    callTool: (tool, args) => app.callServerTool({ name: tool, arguments: { ...args } }, { timeout: callTimeoutMs }),
    openLink: (url) =>
      app.openLink({ url }).then(
        ({ isError }) => isError !== true,
        () => false,
      ),
  };
}

/** A change names only what changed. Without a theme, that of the system applies. */
function applyContext({ theme, safeAreaInsets }: McpUiHostContext): void {
  if (theme === 'light' || theme === 'dark') applyDocumentTheme(theme);
  if (safeAreaInsets === undefined) return;
  const { top, right, bottom, left } = safeAreaInsets;
  document.body.style.padding = [top, right, bottom, left].map((inset) => `${Number(inset) || 0}px`).join(' ');
}
