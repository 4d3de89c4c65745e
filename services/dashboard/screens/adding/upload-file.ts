import { useEffect, useRef, useState } from 'react';
import type { WireImport } from '#shared/contract/imports/import-wire.ts';
import { chosenHeaders, readJson, urlOf } from '../../api/call.ts';
import { ProblemError, problemOf } from '../../api/problem-error.ts';

type Import = Omit<UploadOptions, 'idempotencyKey' | 'onProgress' | 'signal'> & { subject: string };

/**
 * Runs one upload at a time. The same file and settings use the same idempotency key, so that a retry resumes the
 * upload.
 */
export function useUpload() {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const key = useRef({ subject: '', idempotencyKey: '' });
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (file: Blob, { subject, ...options }: Import): Promise<WireImport | null> => {
    if (running.current !== null) return null;
    const controller = new AbortController();
    running.current = controller;
    if (key.current.subject !== subject) key.current = { subject, idempotencyKey: crypto.randomUUID() };
    setError(null);
    setProgress(0);
    try {
      const started = await uploadFile(file, {
        ...options,
        idempotencyKey: key.current.idempotencyKey,
        onProgress: setProgress,
        signal: controller.signal,
      });
      // Completed: the same upload again is a new import.
      key.current = { subject: '', idempotencyKey: '' };
      return started;
    } catch (problem) {
      setError(problem);
      return null;
    } finally {
      running.current = null;
      setProgress(null);
    }
  };
  return { upload, progress, error, stop: () => running.current?.abort() };
}

type UploadOptions = {
  dryRun: boolean;
  mediaType: string;
  /** The header of a table, and its columns in order. Null for NDJSON. */
  table: { headerLine: number; sheet: string | null; columns: string[] } | null;
  /** Defaults for rows without a value; empty for none. */
  carrier: string;
  mode: string;
  idempotencyKey: string;
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/**
 * Streams a file from disk as an import. Uses XMLHttpRequest because `fetch` does not report upload progress. Throws
 * `ProblemError`.
 */
function uploadFile(file: Blob, options: UploadOptions): Promise<WireImport> {
  const { promise, resolve, reject } = Promise.withResolvers<WireImport>();
  const request = new XMLHttpRequest();
  const query = {
    ...(options.dryRun ? { dry_run: true } : {}),
    ...(options.carrier === '' ? {} : { carrier: options.carrier }),
    ...(options.mode === '' ? {} : { transport_mode: options.mode }),
    ...(options.table === null
      ? {}
      : {
          header_line: options.table.headerLine,
          columns: options.table.columns,
          ...(options.table.sheet === null ? {} : { sheet: options.table.sheet }),
        }),
  };
  request.open('POST', urlOf('createImport', { query }));
  const headers = {
    ...chosenHeaders(),
    'content-type': options.mediaType,
    'idempotency-key': options.idempotencyKey,
  };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    options.onProgress(total === 0 ? 1 : loaded / total),
  );
  request.addEventListener('load', () => {
    const body = readJson(request.responseText);
    if (request.status === 202) resolve(body as WireImport);
    else reject(problemOf(request.status, body, headersOf(request)));
  });
  request.addEventListener('error', () =>
    reject(networkProblem('Upload interrupted. Retry: received rows are not registered twice.')),
  );
  request.addEventListener('abort', () => reject(networkProblem('Upload stopped.')));
  options.signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}

function networkProblem(detail: string): ProblemError {
  return new ProblemError({ code: 'network', status: 0, detail, requestId: null });
}

function headersOf(request: XMLHttpRequest): Headers {
  const requestId = request.getResponseHeader('x-request-id');
  return new Headers(requestId === null ? {} : { 'x-request-id': requestId });
}
