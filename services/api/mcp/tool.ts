import type { Caller } from '#shared/domain/caller.ts';
import type { ApiContext } from '../context.ts';

/**
 * The result of a tool call. `structuredContent` is present on success only. `_meta` is for views: clients do not show it
 * to models.
 */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type ObjectSchema = {
  type: 'object';
  properties?: Record<string, Json>;
  required?: string[];
  additionalProperties?: boolean;
};

/** A tool without any protocol: all revisions serve the same definition and call the same function. */
export type Tool = {
  definition: {
    name: string;
    title: string;
    description: string;
    inputSchema: ObjectSchema;
    outputSchema: ObjectSchema;
    annotations: { readOnlyHint: true; destructiveHint: false; idempotentHint: true; openWorldHint: false };
    /** The view that draws its results (SEP-1865). Clients without the extension ignore it. */
    _meta: { ui: { resourceUri: string } };
  };
  call: (ctx: ApiContext, caller: Caller, args: Record<string, unknown>) => Promise<ToolResult>;
};

export const readOnlyAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
