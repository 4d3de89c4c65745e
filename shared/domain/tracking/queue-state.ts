/** Jobs of one connector's queue. */
export type QueueState = {
  connector: string;
  counts: { waiting: number; active: number; delayed: number; failed: number };
};
