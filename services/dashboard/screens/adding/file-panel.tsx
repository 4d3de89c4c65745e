import { useState } from 'react';
import { useSearchState } from '../../parts/use-search-state.ts';
import { DropZone } from './drop-zone.tsx';
import { FileSetup } from './file-setup.tsx';
import { ImportProgress } from './import-progress.tsx';
import { type ReadFile, readFile } from './read-file.ts';

/** A file on its way: chosen, mapped, checked, imported. What runs at the service stands in the address, so that a reload finds it again. */
export function FilePanel({ mayWrite }: { mayWrite: boolean }) {
  const [importId, setImportId] = useSearchState('import');
  const [read, setRead] = useState<ReadFile | null>(null);
  const startAnew = () => {
    setRead(null);
    setImportId('');
  };
  if (importId !== '') return <ImportProgress importId={importId} startAnew={startAnew} />;
  if (!mayWrite) return <p className="p-4 text-t2">You may look at this account, not add to it.</p>;
  if (read === null || read.kind === 'problem') {
    return (
      <DropZone
        take={async (file) => setRead(await readFile(file))}
        problem={read === null ? null : `${read.file.name}: ${read.problem}`}
      />
    );
  }
  return <FileSetup read={read} discard={startAnew} onStarted={setImportId} />;
}
