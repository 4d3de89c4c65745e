import { readFileSync } from 'node:fs';
import { runWithin } from '#shared/async/deadline.ts';
import { cancelledBy } from '#shared/core/core-context.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { getShipmentDetails } from './get-shipment-details.ts';
import { listShipmentsSummary } from './list-shipments-summary.ts';
import { toldErrors } from './told-errors.ts';
import type { Tool, ToolResult } from './tool.ts';
import { toolError, visibleText } from './tool-result.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const serverInfo = { name: 'landfall', title: 'Landfall shipment tracking', version };
export const instructions =
  'Read-only view of tracked shipments. list_shipments_summary searches and counts; get_shipment_details explains one shipment. Times without an offset are of the place, its zone unknown.';

const tools: ReadonlyMap<unknown, Tool> = new Map(
  [listShipmentsSummary, getShipmentDetails].map((tool) => [tool.definition.name, tool]),
);

/** Made once: what `tools/list` answers. */
export const toolDefinitions = [...tools.values()].map((tool) => tool.definition);

export function isTool(name: unknown): name is string {
  return tools.has(name);
}

/** What a message needs besides itself. */
export type McpExchange = {
  caller: Caller;
  /** The `MCP-Protocol-Version` header. */
  versionHeader: string | null;
  /** Aborts with LandfallError `unavailable` when the client disconnects. */
  gone: AbortSignal;
};

export type ToolCall = { name: string; args: Record<string, unknown> };

/** Runs a tool; null when there is none of this name. Never rejects: nothing that was thrown reaches the client but texts meant for it. */
export async function callTool(ctx: ApiContext, exchange: McpExchange, call: ToolCall): Promise<ToolResult | null> {
  const tool = tools.get(call.name);
  if (tool === undefined) return null;
  const { requestId } = exchange.caller;
  try {
    return await runWhileWanted(ctx, exchange, (wanted) => tool.call(wanted, exchange.caller, call.args));
  } catch (error) {
    if (error instanceof LandfallError && toldErrors[error.code]) return toolError(explain(error));
    ctx.logger[levelOf(error, exchange)]({ err: error, request_id: requestId, tool: call.name }, 'a tool failed');
    return toolError(
      `Something is wrong on our side, not with the arguments. Try again; if it stays, report request id ${requestId}.`,
    );
  }
}

/** Clients go away all the time, and nobody has to look into it. */
function levelOf(error: unknown, { gone }: McpExchange): 'debug' | 'warn' | 'error' {
  if (!(error instanceof LandfallError) || error.code !== 'unavailable') return 'error';
  return gone.aborted ? 'debug' : 'warn';
}

/**
 * Throws LandfallError `unavailable` if the work takes too long or the client disconnects. Database statements that
 * are under way are then cancelled.
 */
function runWhileWanted<T>(ctx: ApiContext, { gone }: McpExchange, work: (ctx: ApiContext) => Promise<T>): Promise<T> {
  return runWithin((signal) => work({ ...ctx, core: cancelledBy(ctx.core, signal) }), {
    timeoutMs: ctx.settings.toolDeadlineMs,
    signals: [gone],
    late: () => new LandfallError('unavailable', 'The tool took too long.'),
  });
}

/** A model corrects these at once; more would only fill its context. */
const mostMistakes = 20;

function explain(error: LandfallError): string {
  const mistakes = new Set(error.mistakes.map((mistake) => visibleText(mistake.detail).replace(/[^.?]$/, '$&.')));
  if (mistakes.size > 0) return `The arguments are not valid. ${[...mistakes].slice(0, mostMistakes).join(' ')}`;
  if (error.code === 'invalid_cursor')
    return 'cursor belongs to another filter or sort: repeat the call with the same arguments, or without cursor.';
  return error.message;
}
