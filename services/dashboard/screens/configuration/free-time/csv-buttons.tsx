import { type ChangeEvent, useRef, useState } from 'react';
import { saveFile } from '../../../api/save-file.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import type { TermDraft } from './term-draft.ts';
import { readTermsFile, termsFile } from './terms-file.ts';
import { exportName } from './terms-query.ts';

type Props = {
  terms: readonly TermDraft[];
  today: string;
  /** Undefined: the user may only read. */
  replace: ((terms: readonly TermDraft[]) => void) | undefined;
};

/** Loads the rows of a CSV file into the table, and downloads the table as one. */
export function CsvButtons({ terms, today, replace }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [read, setRead] = useState<{ name: string; terms: TermDraft[] } | null>(null);
  const [problem, setProblem] = useState<{ name: string; text: string } | null>(null);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined || replace === undefined) return;
    // The same file can be chosen again.
    const found =
      file.size > maxFileBytes
        ? { problem: 'The file is larger than 4 MB.' }
        : await file.text().then(readTermsFile, () => ({ problem: 'The browser can’t read the file.' }));
    target.value = '';
    if ('problem' in found) setProblem({ name: file.name, text: found.problem });
    else if (terms.length === 0) replace(found.terms);
    else setRead({ name: file.name, terms: found.terms });
  };
  const download = () => saveFile(new Blob([termsFile(terms)], { type: 'text/csv;charset=utf-8' }), exportName(today));
  return (
    <>
      {replace !== undefined && (
        <>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            aria-label="CSV file with free-time terms"
            tabIndex={-1}
            className="sr-only"
            onChange={take}
          />
          <Button onClick={() => input.current?.click()}>
            <Icon name="upload" size={14} />
            Import CSV
          </Button>
        </>
      )}
      <Button disabled={terms.length === 0} onClick={download}>
        <Icon name="download" size={14} />
        Export CSV
      </Button>
      {read !== null && (
        <ConfirmDialog
          title={`Replace the table with ${rowWords(read.terms.length)}?`}
          action="Replace the table"
          kind="primary"
          onConfirm={() => {
            replace?.(read.terms);
            setRead(null);
          }}
          onClose={() => setRead(null)}
        >
          The rows of {read.name} take the place of the {rowWords(terms.length)} in the table. Nothing is saved until
          you save.
        </ConfirmDialog>
      )}
      {problem !== null && (
        <ConfirmDialog
          title="The file can’t be imported"
          action="Choose another file"
          kind="primary"
          cancel="Close"
          onConfirm={() => {
            setProblem(null);
            input.current?.click();
          }}
          onClose={() => setProblem(null)}
        >
          <p>
            {problem.name}: {problem.text}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const maxFileBytes = 4 * 1024 * 1024;

function rowWords(count: number): string {
  return count === 1 ? '1 row' : `${count.toLocaleString(numberLocale())} rows`;
}
