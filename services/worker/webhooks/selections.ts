import { LRUCache } from 'lru-cache';
import { readWebhookFilter } from '#shared/contract/webhooks/webhook-filter.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  readWebhookSelections,
  type StoredSelection,
  type WaitingEndpoint,
} from '#shared/core/webhooks/claim-endpoints.ts';
import { type ChangeSelection, selectChanges } from '#shared/core/webhooks/select-changes.ts';

/** Selections of endpoints, each version of an endpoint compiled once. */
export type Selections = {
  of: (endpointId: string, stored: StoredSelection) => ChangeSelection;
  /** Reads those that are not known yet. An endpoint that is deleted by now is missing. */
  find: (
    endpoints: readonly Pick<WaitingEndpoint, 'accountId' | 'endpointId' | 'version'>[],
  ) => Promise<Map<string, ChangeSelection>>;
};

/** A filter as large as a request allows takes about 200 KB when it is compiled; most take 1 KB. */
const maxKept = 2000;

export function openSelections(core: CoreContext): Selections {
  const kept = new LRUCache<string, { version: string; selection: ChangeSelection }>({ max: maxKept });
  const known = (endpointId: string, version: string): ChangeSelection | undefined => {
    const found = kept.get(endpointId);
    return found !== undefined && found.version === version ? found.selection : undefined;
  };
  const of = (endpointId: string, { types, filter, version }: StoredSelection): ChangeSelection => {
    const selection =
      known(endpointId, version) ??
      selectChanges(types, filter === null ? null : (readWebhookFilter(filter) ?? 'nothing'));
    kept.set(endpointId, { version, selection });
    return selection;
  };
  return {
    of,
    find: async (endpoints) => {
      const found = new Map<string, ChangeSelection>();
      const unknown = endpoints.filter(({ endpointId, version }) => {
        const selection = known(endpointId, version);
        if (selection !== undefined) found.set(endpointId, selection);
        return selection === undefined;
      });
      if (unknown.length === 0) return found;
      for (const [id, stored] of await readWebhookSelections(core, unknown)) found.set(id, of(id, stored));
      return found;
    },
  };
}
