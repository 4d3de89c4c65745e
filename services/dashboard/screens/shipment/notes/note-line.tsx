import { useEffect, useRef, useState } from 'react';
import type { WireNote } from '#shared/contract/notes/note-wire.ts';
import { readNoteParts } from '#shared/domain/notes/mention.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { IconButton } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { momentWords } from '../../../parts/time-words.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { useAccount, useSession } from '../../session/use-session.ts';
import { NoteEditor } from './note-editor.tsx';
import type { useNoteVerbs } from './note-queries.ts';

type Props = {
  note: WireNote;
  verbs: ReturnType<typeof useNoteVerbs>;
  /** The shipment is not archived and shown as it is now. */
  canEdit: boolean;
  /** A link leads to this note. */
  isLinked: boolean;
};

/** A note of the thread, with what its reader may do with it. */
export function NoteLine({ note, verbs, canEdit, isLinked }: Props) {
  const [mode, setMode] = useState<'shown' | 'edited' | 'deleted'>('shown');
  const { user } = useSession();
  const { role } = useAccount();
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isLinked) ref.current?.scrollIntoView({ block: 'center' });
  }, [isLinked]);
  const { author } = note;
  const isOwn = author.id === user.id;
  const writer = author.name ?? (author.type === 'member' ? 'Former member' : 'API key');
  const close = () => setMode('shown');
  return (
    <li
      ref={ref}
      id={note.note_id}
      className={`group px-6 py-2 max-sm:px-4 ${isLinked ? 'bg-sel' : ''}`}
      aria-current={isLinked || undefined}
    >
      <div className="flex min-h-7 items-center gap-2 text-label text-t3">
        <bdi className="truncate font-medium text-body text-t1">{writer}</bdi>
        {author.type === 'api_key' && author.name !== null && <span>API key</span>}
        <Timestamp at={note.created_at} />
        {note.edited_at !== null && (
          <span title={`Edited ${momentWords(note.edited_at)}, ${note.edits === 1 ? 'once' : `${note.edits} times`}`}>
            edited
          </span>
        )}
        {mode === 'shown' && (
          <span className="ml-auto flex focus-within:opacity-100 group-hover:opacity-100 sm:opacity-0 print:hidden">
            {isOwn && canEdit && role !== 'viewer' && (
              <IconButton icon="edit" size={14} label="Edit note" onClick={() => setMode('edited')} />
            )}
            {((isOwn && role !== 'viewer') || role === 'owner') && (
              <IconButton icon="close" size={12} label="Delete note" onClick={() => setMode('deleted')} />
            )}
          </span>
        )}
      </div>
      {mode === 'edited' ? (
        <NoteEditor
          label="Edit note"
          action="Save"
          text={note.text}
          known={note.mentions.map(({ member_id, name }) => ({ member_id, name }))}
          busy={verbs.edit.isPending}
          error={verbs.edit.error}
          save={(text) => verbs.edit.mutateAsync({ note_id: note.note_id, text }).then(close)}
          cancel={close}
        />
      ) : (
        <NoteText note={note} />
      )}
      {mode === 'deleted' && (
        <ConfirmDialog
          title="Delete this note?"
          action="Delete"
          busy={verbs.remove.isPending}
          error={verbs.remove.error}
          onConfirm={() => verbs.remove.mutate(note.note_id, { onSuccess: close })}
          onClose={close}
        >
          Its text is removed for good, also from messages about it. This can’t be undone.
        </ConfirmDialog>
      )}
    </li>
  );
}

/** Plain text with the names of those whom it mentions. React escapes all of it. */
function NoteText({ note }: { note: WireNote }) {
  const { user } = useSession();
  const names = new Map(note.mentions.map((person) => [person.member_id, person]));
  let place = 0;
  return (
    <p dir="auto" className="whitespace-pre-wrap text-body [overflow-wrap:anywhere]">
      {readNoteParts(note.text).map((part) => {
        place += 1;
        if ('text' in part) return <span key={place}>{part.text}</span>;
        const person = names.get(encodeTypeId('user', part.userId));
        return (
          <bdi
            key={place}
            title={person?.has_left === true ? 'No longer a member' : undefined}
            className={`font-medium ${person?.member_id === user.id ? 'rounded-badge bg-sel text-accent' : 'text-accent'}`}
          >
            @{person?.name ?? 'unknown member'}
          </bdi>
        );
      })}
    </p>
  );
}
