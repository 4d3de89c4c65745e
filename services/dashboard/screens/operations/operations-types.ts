import type { WireOperations, WireTrace } from '#shared/contract/operations/operations-wire.ts';

export type { WireOperations, WireTrace, WireTraceSummary } from '#shared/contract/operations/operations-wire.ts';
export type WireConnector = WireOperations['connectors'][number];
export type WireSpan = WireTrace['spans'][number];
