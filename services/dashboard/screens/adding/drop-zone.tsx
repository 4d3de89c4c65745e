import { useId, useState } from 'react';
import { buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';

/** A file, chosen or dropped. */
export function DropZone({ take, problem }: { take: (file: File) => void; problem: string | null }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input inside is the one for everybody
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
        The first line of a CSV names its columns; you say next what each holds. Any number of rows: nothing is
        registered before you have seen what would be.
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
