import type { Classifier, EventCode } from './event.ts';

/** By event time or by time of receipt. `-`: newest first. */
export const eventSorts = ['-time', 'time', '-received_at', 'received_at'] as const;
export type EventSort = (typeof eventSorts)[number];

/** An empty list doesn't filter. Values of one list are OR, different lists are AND. */
export type EventFilter = {
  classifiers: readonly Classifier[];
  codes: readonly EventCode[];
  containers: readonly string[];
};
