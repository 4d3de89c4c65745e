import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { maxTerms } from '#shared/contract/free-time/terms-body.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useSearchState } from '../../../parts/hooks/use-search-state.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ErrorState, Locked } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { dayIn } from '../../../parts/time-words.ts';
import { kindWord } from '../../../parts/words/free-time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { carrierNameOf } from './code-options.ts';
import { CsvButtons } from './csv-buttons.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { SaveBar } from './save-bar.tsx';
import { TermPanel } from './term-panel.tsx';
import { equipmentWords, findTerms, termName } from './term-words.ts';
import { type LoadedTerms, termsQuery } from './terms-query.ts';
import { TermsTable } from './terms-table.tsx';
import { useTermsEditor } from './use-terms-editor.ts';

/** The account's free-time terms: how long containers are free, and what each day after that costs. */
export function TermsSection() {
  const terms = useQuery(termsQuery);
  if (terms.data !== undefined) return <Editor loaded={terms.data} />;
  return (
    <SectionFrame title="Free-time terms">
      {terms.isError ? (
        <ErrorState error={terms.error} retry={() => terms.refetch()} />
      ) : (
        <SkeletonRows
          rows={8}
          cells={['w-24', 'w-28', 'w-1/3']}
          label="Loading: free-time terms"
          className="h-8 gap-6 border-line border-b px-4"
        />
      )}
    </SectionFrame>
  );
}

function Editor({ loaded }: { loaded: LoadedTerms }) {
  const { role } = useAccount();
  const mayEdit = role !== 'viewer';
  const today = dayIn(useNow());
  const [q, setQ] = useSearchState('q');
  const editor = useTermsEditor(loaded);
  const [openKey, setOpenKey] = useState<number | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);
  const open = useCallback((key: number) => setOpenKey(key), []);
  const { terms, blocker } = editor;
  const shown = findTerms(terms, q, (term) => [
    kindWord(term.kind),
    term.carrier,
    carrierNameOf(term.carrier) ?? '',
    term.place,
    term.country,
    term.equipment === '' ? '' : equipmentWords[term.equipment],
  ]);
  const opened = terms.find(({ key }) => key === openKey);
  const add = () => {
    setQ('');
    setOpenKey(editor.add());
  };
  const addButton = (kind: 'plain' | 'primary') => (
    <Button
      kind={kind}
      onClick={add}
      disabled={!mayEdit || terms.length >= maxTerms}
      title={
        mayEdit
          ? terms.length >= maxTerms
            ? `At most ${maxTerms.toLocaleString(numberLocale())} rows`
            : undefined
          : locked
      }
    >
      <Icon name="plus" size={14} />
      Add row
    </Button>
  );
  return (
    <SectionFrame
      title="Free-time terms"
      count={terms.length.toLocaleString(numberLocale())}
      panel={
        opened === undefined ? null : (
          <TermPanel
            key={opened.key}
            term={opened}
            title={termName(opened, kindWord)}
            mistakes={editor.mistakes.get(opened.key) ?? []}
            change={mayEdit ? editor.change : undefined}
            duplicate={() => setOpenKey(editor.duplicate(opened.key))}
            remove={() => {
              editor.remove(opened.key);
              setOpenKey(null);
            }}
            close={() => setOpenKey(null)}
          />
        )
      }
      actions={
        <>
          <CsvButtons terms={terms} today={today} replace={mayEdit ? editor.replace : undefined} />
          {addButton('plain')}
        </>
      }
    >
      {!mayEdit && <Locked>Members and owners can change the terms. Your role is {role}.</Locked>}
      {terms.length > 0 && (
        <search className="flex min-h-11 flex-wrap items-center gap-3 border-line border-b px-4 py-2">
          <input
            type="search"
            aria-label="Find terms by carrier, place or equipment"
            placeholder="Carrier, place or equipment"
            value={q}
            onChange={({ target }) => setQ(target.value)}
            className="h-7 w-60 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3 max-sm:h-8 max-sm:w-full"
          />
          <p className="text-label text-t3">
            Free days of containers at a terminal or with you, and the cost of each further day.
          </p>
        </search>
      )}
      <TermsTable
        terms={shown}
        mistakes={editor.mistakes}
        openKey={openKey}
        open={open}
        today={today}
        empty={
          terms.length > 0
            ? { title: 'No matching terms', text: 'No row has this carrier, place or equipment.' }
            : {
                title: 'No free-time terms yet',
                text:
                  'Without terms, Landfall knows only last free days that carriers, terminals and you state. Other ' +
                  'containers at a terminal are shown as “Unknown”.',
                action: mayEdit && addButton('primary'),
              }
        }
      />
      {mayEdit && <SaveBar editor={editor} openFirst={open} discard={() => setDiscarding(true)} />}
      {editor.previewing.data !== undefined && (
        <PreviewDialog
          preview={editor.previewing.data}
          mayNotSave={editor.isOutdated}
          close={() => editor.previewing.reset()}
          save={() => {
            editor.previewing.reset();
            editor.save();
          }}
        />
      )}
      {isDiscarding && (
        <ConfirmDialog
          title="Discard your changes?"
          action="Discard"
          cancel="Keep editing"
          onConfirm={() => {
            setOpenKey(null);
            editor.discard();
            setDiscarding(false);
          }}
          onClose={() => setDiscarding(false)}
        >
          The saved terms are loaded again. Your changes are lost.
        </ConfirmDialog>
      )}
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title="Leave without saving?"
          action="Leave"
          cancel="Stay"
          onConfirm={blocker.proceed}
          onClose={blocker.reset}
        >
          The changes to your free-time terms are not saved.
        </ConfirmDialog>
      )}
    </SectionFrame>
  );
}

const locked = 'You have view-only access to this account';
