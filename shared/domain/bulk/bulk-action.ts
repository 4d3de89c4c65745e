import type { ShipmentFilter } from '../lists/filter.ts';

/** Change that is made to each shipment. Tags are added to its own and removed from them. */
export type ActionOnEach =
  | { kind: 'archive' | 'restore' | 'refresh' | 'stop' | 'resume' }
  | { kind: 'tag'; add: readonly string[]; remove: readonly string[] };

export const actionKinds = ['archive', 'restore', 'tag', 'refresh', 'stop', 'resume'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** `finding`: the shipments of the filter are being found. The last three are final. */
export const bulkStates = ['finding', 'running', 'completed', 'cancelled', 'stopped'] as const;
export type BulkState = (typeof bulkStates)[number];

/** Reasons for stopping an action: the key or the user that started it may no longer start one. */
export const stopReasons = ['key_revoked', 'key_expired', 'member_removed', 'permission_lost'] as const;
export type StopReason = (typeof stopReasons)[number];

/** Reason why a shipment was not changed. `shipmentId` is a uuid. */
export type BulkFailure = { shipmentId: string; code: string; detail: string };

/** `id` and `undoes` are uuids, times ISO UTC. `changed`, `failed` and the unchanged ones are the processed ones. */
export type BulkAction = {
  id: string;
  test: boolean;
  action: ActionOnEach;
  /** Null: the shipments were named, or are those that another action changed. */
  filter: ShipmentFilter | null;
  /** The action that this one undoes. */
  undoes: string | null;
  state: BulkState;
  /** Null unless `state` is `stopped`. */
  stopReason: StopReason | null;
  total: number;
  processed: number;
  changed: number;
  failed: number;
  /** The filter matched more than `maxShipments`. */
  isLimited: boolean;
  /** The first `maxListedFailures`. */
  failures: BulkFailure[];
  createdAt: string;
  completedAt: string | null;
};

/** Of one action by a filter. */
export const maxShipments = 100_000;
/** Of one action that names them. */
export const maxNamedShipments = 10_000;
export const maxListedFailures = 100;
/** Of one account. */
export const maxOpenActions = 10;
/** Shipments of one transaction: their rows are locked until it ends, for about half a second. */
export const partSize = 50;
