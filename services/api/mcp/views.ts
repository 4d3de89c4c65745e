import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addressPlaceholder, type ViewName, viewFiles, viewUris } from '#shared/contract/mcp/view-files.ts';
import type { ApiContext } from '../context.ts';

/** Media type of a view (SEP-1865, 2026-01-26, "UI Resource Format"). */
const mimeType = 'text/html;profile=mcp-app';

/** A view loads nothing: hosts allow it no other address, and it asks for no permission. */
const meta = { ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [] }, prefersBorder: true } };

const titles: Record<ViewName, { title: string; description: string }> = {
  shipments: { title: 'Shipments', description: 'Draws the result of list_shipments_summary: counts and a table.' },
  shipment: {
    title: 'Shipment',
    description: 'Draws the result of get_shipment_details: status, map, ETA history, containers and events.',
  },
};

const names = Object.keys(viewUris) as ViewName[];

/** The response to `resources/list`, built once: one view for each tool. */
export const viewDefinitions = names.map((name) => ({
  uri: viewUris[name],
  name,
  ...titles[name],
  mimeType,
  _meta: meta,
}));

/** `missing`: there is no view at this address. `not_built`: the dashboard's build is missing. */
export type ViewReading =
  | { kind: 'view'; contents: [{ uri: string; mimeType: string; text: string; _meta: typeof meta }] }
  | { kind: 'missing' | 'not_built' };

export const notBuiltMessage =
  'The views are not built. Run "npx vite build services/dashboard", or start Landfall with "npm start".';

/** The HTML of a view, for `resources/read`. */
export function readView({ settings }: Pick<ApiContext, 'settings'>, uri: unknown): ViewReading {
  const name = names.find((one) => viewUris[one] === uri);
  if (name === undefined) return { kind: 'missing' };
  const html = readBuilt(join(settings.webAppFolder, viewFiles[name]));
  if (html === null) return { kind: 'not_built' };
  // The address is an origin, which has no character that HTML escapes.
  const text = html.replace(addressPlaceholder, settings.publicOrigin ?? '');
  return { kind: 'view', contents: [{ uri: viewUris[name], mimeType, text, _meta: meta }] };
}

type Built = { html: string; mtimeMs: number };
const built = new Map<string, Built>();

/** From memory, unless a build has replaced the file. */
function readBuilt(file: string): string | null {
  const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (mtimeMs === undefined) return null;
  const known = built.get(file);
  if (known?.mtimeMs === mtimeMs) return known.html;
  const html = readFileSync(file, 'utf8');
  built.set(file, { html, mtimeMs });
  return html;
}
