import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { changesWords } from './term-draft.ts';
import { isConflict, type useTermsEditor } from './use-terms-editor.ts';

type Props = { editor: ReturnType<typeof useTermsEditor>; openFirst: (key: number) => void; discard: () => void };

/** Shows the unsaved changes, their errors and the buttons to save or discard. Absent while nothing is changed. */
export function SaveBar({ editor, openFirst, discard }: Props) {
  const [isOverwriting, setOverwriting] = useState(false);
  const { saving, previewing, mistakes, isOutdated } = editor;
  const isBusy = saving.isPending || previewing.isPending;
  const error = [saving.error, previewing.error].find((one) => one !== null && !isConflict(one)) ?? null;
  const [firstBad] = editor.terms.filter(({ key }) => mistakes.has(key));
  if (!editor.isChanged)
    return (
      <p role="status" className="px-4 py-3 text-label text-t2 empty:hidden">
        {saving.isSuccess && 'Saved. Shipments are assessed again within a minute.'}
      </p>
    );
  return (
    <div className="sticky bottom-0 z-10 flex flex-col gap-2 border-line2 border-t bg-bg px-4 py-3">
      {isOutdated && (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <WarningMark severity="warning" />
          <p className="min-w-0 flex-1 basis-64">
            <strong className="font-semibold">Someone else saved other terms since you opened this page.</strong> Your
            changes aren’t saved yet. Load their terms and make your changes again, or replace theirs with yours.
          </p>
          <Button onClick={discard}>Load theirs</Button>
          <Button kind="danger" onClick={() => setOverwriting(true)}>
            Replace theirs
          </Button>
        </div>
      )}
      {mistakes.size > 0 && firstBad !== undefined ? (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <WarningMark severity="critical" />
          <p className="min-w-0 flex-1 basis-64">
            {mistakes.size === 1
              ? '1 row has a mistake. Nothing is saved until it is corrected.'
              : `${mistakes.size.toLocaleString(numberLocale())} rows have mistakes. Nothing is saved until they are ` +
                'corrected.'}
          </p>
          <Button onClick={() => openFirst(firstBad.key)}>Show {mistakes.size === 1 ? 'it' : 'the first'}</Button>
        </div>
      ) : (
        error !== null && <ProblemNote error={error} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto text-t2 tabular-nums">
          {changesWords(editor.changes)}, not saved
        </p>
        <Button disabled={isBusy} onClick={discard}>
          Discard
        </Button>
        <Button busy={previewing.isPending} disabled={isBusy} onClick={editor.preview}>
          Preview the effect
        </Button>
        <Button kind="primary" busy={saving.isPending} disabled={isBusy || isOutdated} onClick={editor.save}>
          {saving.isPending ? 'Saving' : 'Save'}
        </Button>
      </div>
      {isOverwriting && (
        <ConfirmDialog
          title="Replace their terms with yours?"
          action="Replace"
          onConfirm={() => {
            setOverwriting(false);
            editor.overwrite();
          }}
          onClose={() => setOverwriting(false)}
        >
          Saves your table and overwrites the other person’s changes that differ from it.
        </ConfirmDialog>
      )}
    </div>
  );
}
