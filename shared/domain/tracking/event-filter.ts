import type { Classifier, EventCode } from './event.ts';

/** By the event's own time or by when we received it; `-`: newest first. */
export const eventSorts = ['-time', 'time', '-received_at', 'received_at'] as const;
export type EventSort = (typeof eventSorts)[number];

/** An empty list lets everything through; within a list any may match, and every list must. */
export type EventFilter = {
  classifiers: readonly Classifier[];
  codes: readonly EventCode[];
  containers: readonly string[];
};
