import { currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';
import { idempotencyKeyOf } from './answer-once.ts';
import { enqueueFirstRefreshes } from './enqueue-first-refreshes.ts';
import { type GroupMember, type RegistrationResult, registerGroup } from './register-group.ts';
import { openWorkGroups } from './work-groups.ts';

/** A registration's result and the traceparent of the group that wrote it, null where nothing is traced. */
export type GroupedResult = { result: RegistrationResult; groupTraceparent: string | null; groupSize: number };

export type RegistrationGroups = {
  /** Registers with whatever else comes at the same time. Throws as `registerShipment` does. */
  register: (member: GroupMember) => Promise<GroupedResult>;
  /** Resolves when the queue has answered for every first refresh that was handed to it so far. */
  settled: () => Promise<void>;
};

/** A share of a lane's leases is counted in one transaction; a second one at the same time would count the same free ones. */
const maxRunning = 1;
const maxSize = 100;

/**
 * Writes concurrent registrations together: one transaction for all of an account that came while the one before was under way. The answers
 * are given after its commit and do not wait for the queue.
 */
export function openRegistrationGroups(ctx: CoreContext): RegistrationGroups {
  const enqueuing = new Set<Promise<void>>();
  const groups = openWorkGroups<GroupMember, GroupedResult>({
    // Row-level security binds a transaction to one account.
    laneOf: ({ caller }) => `${caller.accountId} ${caller.test}`,
    nameOf: ({ caller }) => {
      const key = idempotencyKeyOf(caller);
      return key === null ? null : JSON.stringify([key.route, key.key]);
    },
    maxRunning,
    maxSize,
    run: (members) => inSpan('registration-group', spanOf(members), () => run(members)),
  });

  const run = async (members: [GroupMember, ...GroupMember[]]) => {
    const { accountId } = members[0].caller;
    const { answers, firstRefreshes } = await registerGroup(ctx, members);
    const enqueued = enqueueFirstRefreshes(ctx, accountId, firstRefreshes);
    enqueuing.add(enqueued);
    void enqueued.finally(() => enqueuing.delete(enqueued));
    const groupTraceparent = currentTraceparent();
    return answers.map((answer) =>
      answer instanceof Error ? answer : { result: answer, groupTraceparent, groupSize: members.length },
    );
  };

  return {
    register: (member) => groups.add(member),
    settled: async () => {
      await Promise.all(enqueuing);
    },
  };
}

/** Part of the trace of the request that came first, linked to the others. */
function spanOf([first, ...others]: [GroupMember, ...GroupMember[]]) {
  return {
    attributes: { 'account.id': first.caller.accountId, 'registration.group_size': others.length + 1 },
    ...(first.traceparent === null ? { root: true } : { parent: first.traceparent }),
    links: others.flatMap((member) => member.traceparent ?? []),
  };
}
