import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { chosen } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { WarningMark } from '../../parts/status-icons.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { carrierOptions, modeOptions } from './choice-options.tsx';
import { isPushedOnly } from './entries.ts';
import { columnNames, guessMapping, type Mapping, mappingProblem } from './file-columns.ts';
import { ImportCounts, importQuery, isOver } from './import-progress.tsx';
import { fieldWords, MappingTable } from './mapping-table.tsx';
import { type ReadFile, recognizedText } from './read-file.ts';
import { useUpload } from './upload-file.ts';

type Props = {
  read: ReadFile;
  discard: () => void;
  onStarted: (importId: string) => void;
};

/** Maps the columns of a file and checks it with a dry run before the import. */
export function FileSetup({ read, discard, onStarted }: Props) {
  const { preview, mediaType, file } = read;
  const isTable = preview.format !== 'ndjson';
  const [mapping, setMapping] = useState<Mapping>(() => (isTable ? guessMapping(preview.header, preview.rows) : []));
  const [given, setGiven] = useState<{ mode: TransportMode | ''; carrier: string }>({ mode: '', carrier: '' });
  const { upload, progress, error, stop } = useUpload();
  const [checkId, setCheckId] = useState<string | null>(null);
  const check = useQuery({ ...importQuery(checkId ?? ''), enabled: checkId !== null });
  const needsPush =
    isTable &&
    given.carrier !== '' &&
    isPushedOnly(given.carrier, { test: chosen.mode === 'test' }) &&
    !mapping.includes('tracking_mode');
  const problem = isTable ? mappingProblem(mapping, { carrier: given.carrier !== '', mode: given.mode !== '' }) : null;
  const table = isTable
    ? { headerLine: preview.header_line ?? 1, sheet: preview.sheet, columns: columnNames(mapping) }
    : null;
  // A change invalidates the check.
  const change = (alter: () => void) => {
    alter();
    setCheckId(null);
  };
  const send = async (dryRun: boolean) => {
    const started = await upload(file, {
      dryRun,
      ...given,
      table,
      mediaType,
      subject: JSON.stringify([dryRun, mapping, given]),
    });
    if (started === null) return;
    if (dryRun) setCheckId(started.import_id);
    else onStarted(started.import_id);
  };
  const isChecking = checkId !== null && (check.data === undefined || !isOver(check.data.state));
  const isChecked = check.data !== undefined && checkId !== null && isOver(check.data.state);
  const { created = 0, existing = 0, updated = 0 } = check.data ?? {};
  const importable = created + existing + updated;
  const skipped = mapping.flatMap((name, at) => (name === null ? [preview.header[at]?.trim() ?? ''] : []));
  const skippedNames = skipped.filter((name) => name !== '');

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2">
        <p className="min-w-0 truncate font-medium" title={read.file.name}>
          {read.file.name}
        </p>
        <p className="text-label text-t3 tabular-nums">{sizeText(read.file.size)}</p>
        <p className="text-label text-t3">{recognizedText(preview)}</p>
        <Button kind="quiet" className="ml-auto" onClick={discard}>
          Choose another file
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <span className="mr-1 text-t2">Default for rows without a value:</span>
        <InlineSelect
          label="Default mode"
          className="w-[140px]"
          value={given.mode}
          onChange={({ target }) => change(() => setGiven({ mode: target.value as TransportMode | '', carrier: '' }))}
        >
          {modeOptions()}
        </InlineSelect>
        <InlineSelect
          label="Default carrier"
          className="w-[200px]"
          value={given.carrier}
          onChange={({ target }) => change(() => setGiven({ ...given, carrier: target.value }))}
        >
          {carrierOptions(given.mode === '' ? null : given.mode, { test: chosen.mode === 'test' })}
        </InlineSelect>
      </div>
      {needsPush && (
        <p role="status" className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2 text-t2">
          <span className="mt-[3px]">
            <WarningMark severity="warning" />
          </span>
          Landfall has no connector for {findCarrier(given.carrier)?.name ?? given.carrier}: its events are pushed. Map
          a column with the value “pushed” to “{fieldWords.tracking_mode}”. Rows without it fail.
        </p>
      )}
      {skippedNames.length > 0 && (
        <p className="border-line border-b px-4 py-2 text-t2" dir="auto">
          {skippedNames.length === 1 ? 'This column is skipped: ' : `${skippedNames.length} columns are skipped: `}
          {skippedNames.slice(0, 10).join(', ')}
          {skippedNames.length > 10 && ' and others'}. A shipment keeps up to 20 keys of metadata.
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-auto">
        {isTable ? (
          <MappingTable start={preview} mapping={mapping} setMapping={(next) => change(() => setMapping(next))} />
        ) : (
          <p className="p-4 text-t2">Each line is one registration in the format of the API.</p>
        )}
      </div>
      <div className="sticky bottom-0 flex flex-col gap-2 border-line border-t bg-bg px-4 py-3">
        {isChecked && check.data !== undefined && <ImportCounts found={check.data} />}
        {error !== null && <ProblemNote error={error} />}
        {check.isError && <ProblemNote error={check.error} retry={() => void check.refetch()} />}
        <div className="flex flex-wrap items-center gap-2">
          {problem !== null && <p className="text-t2">{problem}</p>}
          {isChecked && importable === 0 && (
            <p className="text-t2">No row can be imported. Change the columns above, or correct the file.</p>
          )}
          {progress !== null && (
            <p role="status" className="text-t2 tabular-nums">
              {progress < 1 ? `Uploading, ${Math.floor(progress * 100)}%` : 'Uploaded. Storing rows.'}
            </p>
          )}
          {isChecking && (
            <p role="status" className="text-t2 tabular-nums">
              Checked {(check.data?.processed ?? 0).toLocaleString(numberLocale())} of{' '}
              {(check.data?.received ?? 0).toLocaleString(numberLocale())} rows
            </p>
          )}
          <span className="ml-auto" />
          {progress !== null && (
            <Button kind="quiet" onClick={stop}>
              Stop
            </Button>
          )}
          <Button
            kind={isChecked ? 'plain' : 'primary'}
            disabled={problem !== null || progress !== null || isChecking}
            onClick={() => send(true)}
          >
            {isChecked ? 'Check again' : 'Check'}
          </Button>
          {(!isChecked || importable > 0) && (
            <Button
              kind={isChecked ? 'primary' : 'plain'}
              disabled={problem !== null || progress !== null}
              onClick={() => send(false)}
            >
              {isChecked ? `Import ${rowsText(importable)}` : 'Import without checking'}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function rowsText(count: number): string {
  return count === 1 ? '1 row' : `${count.toLocaleString(numberLocale())} rows`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
