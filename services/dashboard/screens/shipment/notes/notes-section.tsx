import { useEffect, useRef } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { useAccount } from '../../session/use-session.ts';
import { NoteEditor } from './note-editor.tsx';
import { NoteLine } from './note-line.tsx';
import { useNotes, useNoteVerbs } from './note-queries.ts';

/** The thread of a shipment: what people and keys wrote, the newest last, and a field for another note. */
export function NotesSection({ shipment }: { shipment: WireShipment }) {
  const { shipment_id: shipmentId, archived_at: archivedAt, notes_count: count } = shipment;
  const { notes, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, isPending } = useNotes(shipmentId);
  const verbs = useNoteVerbs(shipmentId);
  const canWrite = useAccount().role !== 'viewer' && archivedAt === null;
  const linked = useLinkedNote(
    notes.map(({ note_id: id }) => id),
    hasNextPage && !isFetchingNextPage ? fetchNextPage : null,
  );
  const key = useRef({ text: '', key: '' });
  const add = (text: string) => {
    if (key.current.text !== text) key.current = { text, key: crypto.randomUUID() };
    return verbs.add.mutateAsync(key.current).then(() => {
      key.current = { text: '', key: '' };
    });
  };
  return (
    <section aria-labelledby="notes-title" className="border-line border-b print:break-inside-avoid">
      <div className="flex min-h-10 items-center gap-3 px-6 pt-1.5 max-sm:px-4">
        <h2 id="notes-title" className="font-semibold text-section">
          Notes
        </h2>
        {count > 0 && <span className="text-body text-t3 tabular-nums">{count.toLocaleString('en')}</span>}
      </div>
      {error !== null && <ProblemNote error={error} retry={() => refetch()} className="px-6 pb-3 max-sm:px-4" />}
      {hasNextPage && (
        <div className="px-6 py-1 max-sm:px-4 print:hidden">
          <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show {Math.max(count - notes.length, 1).toLocaleString('en')} earlier{' '}
            {count - notes.length === 1 ? 'note' : 'notes'}
          </Button>
        </div>
      )}
      {isPending && count > 0 && <p className="px-6 pb-3 text-body text-t3 max-sm:px-4">Loading…</p>}
      <ol aria-label="Notes" className="empty:hidden">
        {notes.map((note) => (
          <NoteLine
            key={note.note_id}
            note={note}
            verbs={verbs}
            canEdit={archivedAt === null}
            isLinked={note.note_id === linked}
          />
        ))}
      </ol>
      <div className="px-6 pt-1 pb-4 max-sm:px-4 print:hidden">
        {canWrite ? (
          <NoteEditor
            label="Add a note"
            action="Add note"
            busy={verbs.add.isPending}
            error={verbs.add.error}
            save={add}
          />
        ) : (
          count === 0 && <p className="text-body text-t3">No notes.</p>
        )}
      </div>
    </section>
  );
}

const maxPages = 10;

/** The note that the address leads to, `#note_…`. Earlier pages are read until it is there. */
function useLinkedNote(loaded: readonly string[], more: (() => unknown) | null): string | null {
  const hash = window.location.hash.slice(1);
  const linked = hash.startsWith('note_') ? hash : null;
  const isThere = linked === null || loaded.includes(linked);
  const pages = useRef(0);
  useEffect(() => {
    if (isThere || more === null || pages.current >= maxPages) return;
    pages.current += 1;
    more();
  }, [isThere, more]);
  return linked;
}
