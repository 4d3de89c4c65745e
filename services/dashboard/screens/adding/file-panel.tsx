import { useId, useState } from 'react';
import { buttonClasses } from '../../parts/button.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { Icon } from '../../parts/icon.tsx';
import { FileSetup } from './file-setup.tsx';
import { ImportProgress } from './import-progress.tsx';
import { type ReadFile, readFile } from './read-file.ts';

/** Imports a file: choose, map, check, import. The id of a running import is in the URL, so that a reload finds it. */
export function FilePanel({ mayWrite }: { mayWrite: boolean }) {
  const [importId, setImportId] = useSearchState('import');
  const [read, setRead] = useState<ReadFile | null>(null);
  const reset = () => {
    setRead(null);
    setImportId('');
  };
  if (importId !== '') return <ImportProgress importId={importId} reset={reset} />;
  if (!mayWrite) return <p className="p-4 text-t2">You have view-only access to this account.</p>;
  if (read === null || read.kind === 'problem') {
    return (
      <DropZone
        take={async (file) => setRead(await readFile(file))}
        problem={read === null ? null : `${read.file.name}: ${read.problem}`}
      />
    );
  }
  return <FileSetup read={read} discard={reset} onStarted={setImportId} />;
}

/** Takes a chosen or dropped file. */
function DropZone({ take, problem }: { take: (file: File) => void; problem: string | null }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the input inside
    <div
      className={`m-4 flex min-h-64 flex-col items-center justify-center gap-3 rounded-control border border-dashed p-6 text-center ${isOver ? 'border-accent bg-sel' : 'border-line2'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) take(file);
      }}
    >
      <Icon name="upload" size={20} className="text-t2" />
      <p className="text-section font-semibold">Drop a CSV or NDJSON file here</p>
      <p className="max-w-[52ch] text-t2">
        The first line of a CSV file must contain column names. You map and check them before anything is registered.
        There is no row limit.
      </p>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,.ndjson,.jsonl,text/csv,application/x-ndjson"
        className="peer sr-only"
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) take(file);
          target.value = '';
        }}
      />
      <label
        htmlFor={id}
        className={`${buttonClasses()} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-accent`}
      >
        Choose a file
      </label>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="text-red">
          {problem}
        </p>
      )}
    </div>
  );
}
