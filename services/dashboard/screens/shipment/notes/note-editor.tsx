import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { maxNoteLength } from '#shared/domain/notes/note.ts';
import { type Person, peopleQuery } from '../../../api/people-query.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { fromDraft, suggested, toDraft, typedMention } from './mention-draft.ts';

type Props = {
  label: string;
  action: string;
  /** The text that is edited, with its mentions as ids, and those whom it mentions already. */
  text?: string;
  known?: readonly Person[];
  busy: boolean;
  error: Error | null;
  /** Resolves when the text is stored. */
  save: (text: string) => Promise<unknown>;
  cancel?: () => void;
};

/** A text in which `@` opens a list of members. Ctrl-Enter or Cmd-Enter sends. */
export function NoteEditor({ label, action, text = '', known = [], busy, error, save, cancel }: Props) {
  const id = useId();
  const { data } = useQuery(peopleQuery);
  const people = withKnown(data ?? [], known);
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => toDraft(text, withKnown(data ?? [], known)));
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const typed = caret === null ? null : typedMention(draft, caret);
  const found = typed === null ? [] : suggested(data ?? [], typed.typed);
  const isOpen = found.length > 0;
  const active = Math.min(at, found.length - 1);

  const choose = (label: string) => {
    if (typed === null || caret === null) return;
    const before = `${draft.slice(0, typed.from)}@${label} `;
    setDraft(before + draft.slice(caret).replace(/^ /, ''));
    setCaret(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
    field.current?.focus();
  };
  const send = async () => {
    const written = fromDraft(draft, people).trim();
    if (written === '' || busy) return;
    await save(written).then(
      () => setDraft(''),
      () => undefined,
    );
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (isOpen) {
      const chosen = found[active];
      if (event.key === 'ArrowDown') setAt((active + 1) % found.length);
      else if (event.key === 'ArrowUp') setAt((active - 1 + found.length) % found.length);
      else if (event.key === 'Escape') setCaret(null);
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) choose(chosen.label);
      else return;
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Escape' && cancel !== undefined) cancel();
  };
  const isTooLong = fromDraft(draft, people).trim().length > maxNoteLength;
  return (
    <div className="flex flex-col gap-2">
      <div className="relative">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <textarea
          ref={field}
          id={id}
          rows={cancel === undefined && draft === '' ? 1 : 3}
          dir="auto"
          placeholder={`${label}. Type @ to mention a member.`}
          value={draft}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? `${id}-people` : undefined}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          aria-invalid={isTooLong || undefined}
          onChange={(event) => {
            setDraft(event.target.value);
            setCaret(event.target.selectionStart);
            setAt(0);
          }}
          onKeyDown={onKey}
          onBlur={() => setCaret(null)}
          className="block min-h-8 w-full resize-y rounded-control border border-line2 bg-bg px-2.5 py-1.5 text-body placeholder:text-t3"
        />
        <span role="status" className="sr-only">
          {isOpen ? `${found.length} ${found.length === 1 ? 'member' : 'members'} found` : ''}
        </span>
        {isOpen && (
          <div
            id={`${id}-people`}
            role="listbox"
            aria-label="Members"
            className="absolute top-full left-0 z-30 mt-1 w-64 max-w-full rounded-control border border-line2 bg-bg py-1 text-body"
          >
            {found.map(({ memberId, label: name }, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
              <div
                key={memberId}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className="flex h-8 cursor-pointer items-center px-3 aria-selected:bg-hover"
                onMouseDown={(event) => event.preventDefault()}
                onMouseEnter={() => setAt(index)}
                onClick={() => choose(name)}
              >
                <bdi className="truncate">{name}</bdi>
              </div>
            ))}
          </div>
        )}
      </div>
      {isTooLong && (
        <p role="alert" className="text-label text-red">
          A note has at most {maxNoteLength.toLocaleString('en')} characters.
        </p>
      )}
      {error !== null && <ProblemNote error={error} />}
      {(draft.trim() !== '' || cancel !== undefined) && (
        <div className="flex gap-2">
          <Button kind="primary" busy={busy} disabled={draft.trim() === '' || isTooLong} onClick={() => void send()}>
            {action}
          </Button>
          {cancel !== undefined && <Button onClick={cancel}>Cancel</Button>}
        </div>
      )}
    </div>
  );
}

/** The members, and people who were mentioned before and may have left. */
function withKnown(people: readonly Person[], known: readonly Person[]): Person[] {
  const ids = new Set(people.map(({ member_id: memberId }) => memberId));
  return [...people, ...known.filter(({ member_id: memberId }) => !ids.has(memberId))];
}
