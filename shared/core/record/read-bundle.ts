import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Change } from '#shared/domain/feed/change.ts';
import { composeHistory } from '#shared/domain/journey/journey.ts';
import type { Note } from '#shared/domain/notes/note.ts';
import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { type AuditRow, readAuditOf } from '#shared/store/keys/audit.ts';
import { readNotes } from '#shared/store/notes/notes.ts';
import {
  type BundledIdentifier,
  type BundledStatusChange,
  type BundledUnreadable,
  readBundledHistory,
  readIdentifiersOf,
  readUnreadableOf,
} from '#shared/store/settling/bundle.ts';
import { type BundledProof, readNextProof } from '#shared/store/shipments/proofs.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import type { KeptRefresh } from '#shared/store/tracking/refreshes.ts';
import { readTime, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { listChanges } from '../feed/list-changes.ts';

/** A part of everything that is stored about a shipment. `raw` is whole; null where the event has none. */
export type BundlePart =
  | { part: 'record'; data: Shipment }
  | { part: 'identifier'; data: BundledIdentifier }
  | { part: 'event'; data: RecordEvent; raw: unknown }
  | { part: 'status_change'; data: BundledStatusChange }
  | { part: 'refresh'; data: KeptRefresh }
  | { part: 'unreadable_event'; data: BundledUnreadable }
  | { part: 'proof'; data: BundledProof }
  | { part: 'note'; data: Note }
  | { part: 'change'; data: Change }
  | { part: 'audit'; data: AuditRow };

const changesPerPage = 100;
const unreadablePerPage = 50;
const notesPerPage = 100;

/**
 * Everything that is stored about one shipment, settled or not, in pages. The first one is of one moment: the record,
 * its events, status history and refreshes. Throws LandfallError `shipment_not_found`.
 */
export async function* readBundle(
  ctx: CoreContext,
  caller: Caller,
  shipmentId: string,
): AsyncGenerator<BundlePart[], void, undefined> {
  yield await readHistoryParts(ctx, caller, shipmentId);
  const { accountId } = caller;
  let unreadable: BundledUnreadable[] = [];
  do {
    const page = { shipmentId, before: unreadable.at(-1)?.id ?? null, limit: unreadablePerPage };
    unreadable = await withAccount(ctx.store, accountId, (tx) => readUnreadableOf(tx, accountId, page));
    if (unreadable.length > 0) yield unreadable.map((data) => ({ part: 'unreadable_event', data }));
  } while (unreadable.length === unreadablePerPage);
  // One at a time, because each may have 5 MiB.
  for (let after: string | null = null; ; ) {
    const page: { shipmentId: string; after: string | null } = { shipmentId, after };
    const proof = await withAccount(ctx.store, accountId, (tx) => readNextProof(tx, accountId, page));
    if (proof === null) break;
    yield [{ part: 'proof', data: proof }];
    after = proof.proofId;
  }
  let notes: Note[] = [];
  do {
    const page = { shipmentId, before: notes.at(-1)?.id ?? null, limit: notesPerPage };
    notes = await withAccount(ctx.store, accountId, (tx) => readNotes(tx, accountId, page));
    if (notes.length > 0) yield notes.map((data) => ({ part: 'note', data }));
  } while (notes.length === notesPerPage);
  const narrowedBy = { codes: [], legRoles: [], classifiers: [] };
  for (let after = 0; ; ) {
    const page = await listChanges(ctx, caller, { after, types: null, shipmentId, narrowedBy, limit: changesPerPage });
    if (page.changes.length > 0) yield page.changes.map((data) => ({ part: 'change', data }));
    if (!page.hasMore) break;
    after = page.nextAfter;
  }
  const audit = await withAccount(ctx.store, accountId, (tx) => readAuditOf(tx, accountId, shipmentId));
  if (audit.length > 0) yield audit.map((data) => ({ part: 'audit', data }));
}

function readHistoryParts(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<BundlePart[]> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const history = await readBundledHistory(tx, accountId, { id: shipmentId, test });
    const shipment = history === null ? null : await readShipment(tx, accountId, { id: shipmentId, test });
    if (history === null || shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    const identifiers = await readIdentifiersOf(tx, accountId, shipmentId);
    const nowMs = (await readTime(tx)).getTime();
    const raws = new Map(history.events.map(({ event, raw }) => [event.id, raw]));
    const { happened, ahead, replaced } = composeHistory(
      history.events.map(({ event }) => event),
      shipment,
      nowMs,
    );
    return [
      { part: 'record', data: shipment },
      ...identifiers.map((data): BundlePart => ({ part: 'identifier', data })),
      ...[...happened, ...ahead, ...replaced].map(
        (event): BundlePart => ({ part: 'event', data: event, raw: raws.get(event.id) ?? null }),
      ),
      ...history.statusChanges.map((data): BundlePart => ({ part: 'status_change', data })),
      ...history.refreshes.map((data): BundlePart => ({ part: 'refresh', data })),
    ];
  });
}
