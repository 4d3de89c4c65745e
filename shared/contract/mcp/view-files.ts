/**
 * The views that MCP clients with the Apps extension draw (SEP-1865): one for each tool, each a single HTML file. The
 * dashboard's build writes them, the API serves them.
 */
export const viewUris = { shipments: 'ui://landfall/shipments', shipment: 'ui://landfall/shipment' } as const;

export type ViewName = keyof typeof viewUris;

/** Files in the folder of the built dashboard. */
export const viewFiles: Record<ViewName, string> = {
  shipments: 'mcp-views/shipments.html',
  shipment: 'mcp-views/shipment.html',
};

/** Stands in the files for the dashboard's origin; replaced by nothing when PUBLIC_BASE_URL is unset. */
export const addressPlaceholder = '__LANDFALL_ADDRESS__';

/** Key in `_meta` of a result, for the records that a view draws (`view-data.ts`). Models do not see `_meta`. */
export const viewDataKey = 'landfall/view';
