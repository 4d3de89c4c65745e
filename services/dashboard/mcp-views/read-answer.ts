import {
  type DetailsResult,
  detailsResult,
  type MatchesResult,
  matchesResult,
} from '#shared/contract/mcp/details-result.ts';
import { type ListResult, listResult } from '#shared/contract/mcp/list-result.ts';
import { type ViewedRow, type ViewedShipment, viewedRows, viewedShipment } from '#shared/contract/mcp/view-data.ts';
import { viewDataKey } from '#shared/contract/mcp/view-files.ts';

/** Part of a tool call's result that a host forwards to the view. */
export type ToolResult = {
  content?: readonly unknown[] | undefined;
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
};

/**
 * A result as a view draws it. `rows`, `viewed`: the records of the result; null if the host did not pass them on.
 * `unreadable`: the host passed no data, or none that a view knows.
 */
export type Answer =
  | { kind: 'list'; list: ListResult; rows: readonly ViewedRow[] | null }
  | { kind: 'shipment'; details: DetailsResult; viewed: ViewedShipment | null }
  | { kind: 'matches'; matches: MatchesResult; rows: readonly ViewedRow[] | null }
  | { kind: 'error'; text: string }
  | { kind: 'unreadable' };

/** Reads the result of either tool, by its own shape: a view may draw the results of both. */
export function readAnswer(result: ToolResult): Answer {
  const text = textOf(result.content);
  if (result.isError === true) return { kind: 'error', text: text ?? 'The call failed.' };
  const data = result.structuredContent ?? parsed(text);
  if (typeof data !== 'object' || data === null) return { kind: 'unreadable' };
  const viewData = result._meta?.[viewDataKey];
  if ('matches' in data) {
    const matches = matchesResult.safeParse(data);
    if (!matches.success) return { kind: 'unreadable' };
    return { kind: 'matches', matches: matches.data, rows: rowsOf(viewData) };
  }
  if ('shipments' in data) {
    const list = listResult.safeParse(data);
    if (!list.success) return { kind: 'unreadable' };
    return { kind: 'list', list: list.data, rows: list.data.shipments.length === 0 ? [] : rowsOf(viewData) };
  }
  const details = detailsResult.safeParse(data);
  if (!details.success) return { kind: 'unreadable' };
  return { kind: 'shipment', details: details.data, viewed: viewedShipment.safeParse(viewData).data ?? null };
}

function rowsOf(viewData: unknown): readonly ViewedRow[] | null {
  return viewedRows.safeParse(viewData).data?.shipments ?? null;
}

/** When the data was read, in ms; null if the result does not say. */
export function readAtOf(answer: Answer): number | null {
  const at = answer.kind === 'list' ? answer.list.as_of : answer.kind === 'shipment' ? answer.viewed?.as_of : undefined;
  const readAt = Date.parse(at ?? '');
  return Number.isNaN(readAt) ? null : readAt;
}

function textOf(content: ToolResult['content']): string | null {
  for (const block of content ?? []) {
    if (typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string')
      return block.text;
  }
  return null;
}

/** The text of a result is the same JSON: some hosts pass only that. */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
