import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WireNote } from '#shared/contract/notes/note-wire.ts';
import { call } from '../../../api/call.ts';
import { isOfShipment, onChanges } from '../../../api/change-feed.ts';
import { queryClient } from '../../../api/query-client.ts';

const keyOf = (shipmentId: string) => ['notes', shipmentId];

/** The notes on a shipment, the oldest first, page by page from the newest on, updated by the feed. */
export function useNotes(shipmentId: string) {
  useEffect(
    () =>
      onChanges(({ changes, gap }) => {
        const isOfNotes = changes.some(
          (change) =>
            isOfShipment(change) && change.data.note !== undefined && change.data.shipment.shipment_id === shipmentId,
        );
        if (gap || isOfNotes) reloadNotes(shipmentId);
      }),
    [shipmentId],
  );
  const query = useInfiniteQuery({
    queryKey: keyOf(shipmentId),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        'listNotes',
        { params: { shipment_id: shipmentId }, query: pageParam === '' ? {} : { cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
    staleTime: 10_000,
  });
  const pages = query.data?.pages ?? [];
  // A note that was added while pages were read may be on two of them.
  const notes = new Map(pages.flatMap(({ data }) => data).map((note) => [note.note_id, note]));
  return { ...query, notes: [...notes.values()].reverse() };
}

function reloadNotes(shipmentId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keyOf(shipmentId) });
}

/** Writes, edits and deletes notes of a shipment. */
export function useNoteVerbs(shipmentId: string) {
  const onSuccess = () =>
    Promise.all([reloadNotes(shipmentId), queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] })]);
  const params = { shipment_id: shipmentId };
  const add = useMutation({
    // The key is of the text: sent again after a lost answer, it adds no second note.
    mutationFn: ({ text, key }: { text: string; key: string }) =>
      call('addNote', { params, body: { text } }, { idempotencyKey: key }),
    onSuccess,
  });
  const edit = useMutation({
    mutationFn: ({ note_id, text }: Pick<WireNote, 'note_id' | 'text'>) =>
      call('editNote', { params: { ...params, note_id }, body: { text } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (noteId: string) => call('deleteNote', { params: { ...params, note_id: noteId } }),
    onSuccess,
  });
  return { add, edit, remove };
}
