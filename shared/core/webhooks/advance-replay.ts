import {
  parkReplayed,
  type ReplayedChange,
  type RunningReplay,
  readRunningReplay,
} from '#shared/store/webhooks/running-replays.ts';
import { withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import type { EndpointClaim } from './claim-endpoints.ts';

export type { ReplayedChange, RunningReplay };

/** The running replay of an endpoint, or null. */
export function findRunningReplay(
  ctx: CoreContext,
  endpoint: Pick<EndpointClaim, 'accountId' | 'endpointId'>,
): Promise<RunningReplay | null> {
  return withSystemByKey(ctx.store, (tx) => readRunningReplay(tx, endpoint));
}

/** Makes the deliveries of `changes` due, and moves the replay to `sequence`. False: it has ended, or the claim has. */
export function advanceReplay(
  ctx: CoreContext,
  claim: EndpointClaim,
  part: { replay: RunningReplay; sequence: number; changes: readonly ReplayedChange[] },
): Promise<boolean> {
  const { id: replayId, failedOnly } = part.replay;
  const { sequence, changes } = part;
  return withSystemByKey(ctx.store, (tx) => parkReplayed(tx, claim, { replayId, failedOnly, sequence, changes }));
}
