import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type ApiClient, isAnswer } from './api-client.ts';
import type { Ledger } from './ledger.ts';
import { noteUndecided } from './note-undecided.ts';

/** One change as the feed returned it. */
export type FollowedChange = Answer['body'];

export type FeedFollower = {
  changes: FollowedChange[];
  /** Reads on until the feed returns nothing new, then stops. */
  stop: () => Promise<void>;
};

const pollMs = 250;
const pageSize = 100;

/** Follows the feed as its documentation says: stores `page.next_after` and sends it with the next request. */
export function followFeed(call: ApiClient, ledger: Ledger): FeedFollower {
  const changes: FollowedChange[] = [];
  let isStopping = false;
  let after = 0;

  const follow = async (): Promise<void> => {
    for (;;) {
      const wasStopping = isStopping;
      const outcome = await call('GET', `/v1/events?after=${after}&limit=${pageSize}`);
      if (!isAnswer(outcome) || outcome.status !== 200) {
        noteUndecided(ledger, outcome, `GET /v1/events after ${after}`);
        await pause(pollMs);
        continue;
      }
      const { data, page } = outcome.body;
      if (page.gap) ledger.find('feed', `a gap after position ${after}`);
      changes.push(...data);
      after = page.next_after;
      if (page.has_more) continue;
      if (wasStopping) return;
      await pause(pollMs);
    }
  };
  const following = follow();
  return {
    changes,
    stop: async () => {
      isStopping = true;
      await following;
    },
  };
}

/** Every change of the feed, read from its beginning. */
export async function readFeed(call: ApiClient, ledger: Ledger): Promise<FollowedChange[]> {
  const follower = followFeed(call, ledger);
  await follower.stop();
  return follower.changes;
}
