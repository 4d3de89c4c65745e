import type { FollowedChange } from './feed-follower.ts';
import { type Finding, rankOf } from './ledger.ts';

/**
 * Checks what a follower received against the feed as it reads now: each change once, in order, each shipment's changes
 * in the order of its versions, no fact reported twice, and a chain of statuses that never goes back and ends at the
 * record's.
 */
export function checkFeed(
  followed: readonly FollowedChange[],
  now: readonly FollowedChange[],
  statuses: ReadonlyMap<string, string>,
): Finding[] {
  return [
    ...checkFollowed(followed, now),
    ...[...Map.groupBy(now, shipmentOf)].flatMap(([shipmentId, changes]) => [
      ...checkOrder(shipmentId, changes),
      ...checkRepeats(shipmentId, changes),
      ...checkStatuses(shipmentId, changes, statuses.get(shipmentId) ?? null),
    ]),
    ...[...statuses.keys()]
      .filter((shipmentId) => !now.some((change) => shipmentOf(change) === shipmentId))
      .map((shipmentId) => found('lost', `${shipmentId}: no change in the feed`)),
  ];
}

function checkFollowed(followed: readonly FollowedChange[], now: readonly FollowedChange[]): Finding[] {
  const ids = followed.map(({ id }) => id);
  const received = new Set(ids);
  const kept = new Set(now.map(({ id }) => id));
  const positions = followed.map(({ position }) => position);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => found('doubled', `followed ${id} twice`)),
    // Later ones came after the follower had stopped.
    ...now
      .filter(({ id, position }) => !received.has(id) && position <= (positions.at(-1) ?? 0))
      .map(({ id, position }) => found('feed', `never followed ${id} at ${position}`)),
    ...ids.filter((id) => !kept.has(id)).map((id) => found('feed', `followed ${id}, which is gone`)),
    ...positions
      .filter((position, index) => index > 0 && position <= positions[index - 1])
      .map((position) => found('feed', `position ${position} after a later one`)),
  ];
}

function checkOrder(shipmentId: string, changes: readonly FollowedChange[]): Finding[] {
  const versions: number[] = changes.map(({ data }) => data.shipment.version);
  const created = changes.filter(({ type }) => type === 'shipment.created').length;
  return [
    ...versions
      .filter((version, index) => version < (versions[index - 1] ?? 0))
      .map((version) => found('feed', `${shipmentId}: version ${version} after a later one`)),
    ...(created === 1 && changes[0].type === 'shipment.created'
      ? []
      : [found(created > 1 ? 'doubled' : 'feed', `${shipmentId}: created ${created} times, first ${changes[0].type}`)]),
  ];
}

/** A change whose content was reported before, under whatever id, and an event that was added before. */
function checkRepeats(shipmentId: string, changes: readonly FollowedChange[]): Finding[] {
  const contents = changes.map(({ type, data: { shipment, changes: fields, events } }) =>
    JSON.stringify([type, shipment.version, fields, events?.map(({ event_id }: { event_id: string }) => event_id)]),
  );
  const added: string[] = changes.flatMap(({ type, data }) =>
    type === 'shipment.event_added' ? (data.events ?? []).map(({ event_id }: { event_id: string }) => event_id) : [],
  );
  return [
    ...contents
      .filter((content, index) => contents.indexOf(content) !== index)
      .map((content) => found('doubled', `${shipmentId}: reported twice: ${content.slice(0, 200)}`)),
    ...added
      .filter((id, index) => added.indexOf(id) !== index)
      .map((id) => found('doubled', `${shipmentId}: event ${id} was added twice`)),
  ];
}

function checkStatuses(shipmentId: string, changes: readonly FollowedChange[], last: string | null): Finding[] {
  const findings: Finding[] = [];
  let current = 'pending';
  for (const { type, data } of changes) {
    if (type !== 'shipment.status_changed') continue;
    const [from, to] = data.changes.status;
    if ((from ?? 'pending') !== current)
      findings.push(found('feed', `${shipmentId}: from ${from} to ${to}, but the change before led to ${current}`));
    if (rankOf(to) < rankOf(current))
      findings.push(found('backwards', `${shipmentId}: from ${current} to ${to} in the feed`));
    current = to;
  }
  if (last !== null && current !== last)
    findings.push(found('feed', `${shipmentId}: ${current} by the feed, ${last} by its record`));
  return findings;
}

function shipmentOf({ data }: FollowedChange): string {
  return data.shipment.shipment_id;
}

function found(kind: Finding['kind'], detail: string): Finding {
  return { kind, detail };
}
