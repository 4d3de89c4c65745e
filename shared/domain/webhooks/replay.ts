export const replayStates = ['running', 'done', 'cancelled'] as const;
export type ReplayState = (typeof replayStates)[number];

/** Sends the changes of a range again. Ids are uuids, times ISO UTC. */
export type WebhookReplay = {
  id: string;
  endpointId: string;
  /** The first and the last sequence of the range. */
  from: number;
  to: number;
  /** Only changes whose delivery has not succeeded. */
  failedOnly: boolean;
  /** The last sequence that was handled. `from` − 1: none yet. */
  sequence: number;
  /** Deliveries that were queued. */
  queued: number;
  state: ReplayState;
  createdAt: string;
  completedAt: string | null;
};
