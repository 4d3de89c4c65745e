import type { Caller } from '#shared/domain/caller.ts';
import { type ErrorCode, LandfallError } from '#shared/domain/errors.ts';
import { inSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { getShipmentDetails } from './get-shipment-details.ts';
import { listShipmentsSummary } from './list-shipments-summary.ts';
import type { Tool, ToolResult } from './tool.ts';
import { toolError, visibleText } from './tool-result.ts';

const tools: readonly Tool[] = [listShipmentsSummary, getShipmentDetails];

/** Made once: what `tools/list` answers. */
export const toolDefinitions = tools.map((tool) => tool.definition);

export const serverInfo = { name: 'landfall', title: 'Landfall shipment tracking', version: '0.1.0' };
export const instructions =
  'Read-only view of tracked shipments. list_shipments_summary searches and counts; get_shipment_details explains one shipment. Times are UTC.';

export type ToolCall = { name: string; args: Record<string, unknown>; protocolVersion: string | null; traceparent: string | null };

/** Runs a tool; null when there is none of this name. Nothing that was thrown reaches the client but texts meant for it. */
export async function callTool(ctx: ApiContext, caller: Caller, call: ToolCall): Promise<ToolResult | null> {
  const tool = tools.find((one) => one.definition.name === call.name);
  if (tool === undefined) return null;
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': call.name,
    'gen_ai.operation.name': 'execute_tool',
    ...(call.protocolVersion === null ? {} : { 'mcp.protocol.version': call.protocolVersion }),
  };
  const links = call.traceparent === null ? [] : [call.traceparent];
  return inSpan(`tools/call ${call.name}`, { kind: 'server', attributes, links }, async (span) => {
    const result = await runTool(ctx, caller, { tool, args: call.args });
    if (result.isError === true) span.setAttribute('error.type', 'tool_error');
    return result;
  });
}

/** The W3C traceparent that a client put into a request's `_meta`. */
export function traceparentOfMeta(meta: unknown): string | null {
  const traceparent = typeof meta === 'object' && meta !== null && 'traceparent' in meta ? meta.traceparent : null;
  return typeof traceparent === 'string' ? traceparent : null;
}

async function runTool(ctx: ApiContext, caller: Caller, work: { tool: Tool; args: Record<string, unknown> }): Promise<ToolResult> {
  try {
    return await work.tool.call(ctx, caller, work.args);
  } catch (error) {
    if (error instanceof LandfallError && !isOurTrouble[error.code]) return toolError(explain(error));
    ctx.logger.error({ err: error, request_id: caller.requestId, tool: work.tool.definition.name }, 'a tool failed');
    return toolError(
      `Something is wrong on our side, not with the arguments. Try again; if it stays, report request id ${caller.requestId}.`,
    );
  }
}

/** A model corrects these at once; more would only fill its context. */
const mostMistakes = 20;

/** Failures whose texts are for operators. */
const isOurTrouble: Partial<Record<ErrorCode, true>> = { internal_error: true, unavailable: true };

function explain(error: LandfallError): string {
  const mistakes = error.mistakes.slice(0, mostMistakes).map((mistake) => `${visibleText(mistake.detail)}.`);
  if (mistakes.length > 0) return `The arguments are not valid. ${mistakes.join(' ')}`;
  if (error.code === 'invalid_cursor')
    return 'cursor belongs to another filter or sort: repeat the call with the same arguments, or without cursor.';
  return error.message;
}
