import type { WireOperations } from '#shared/contract/operations/operations-wire.ts';
import type { WireTrace } from '#shared/contract/operations/trace-wire.ts';

export type { WireOperations } from '#shared/contract/operations/operations-wire.ts';
export type { WireTrace, WireTraceSummary } from '#shared/contract/operations/trace-wire.ts';
export type WireConnector = WireOperations['connectors'][number];
export type WireSpan = WireTrace['spans'][number];
