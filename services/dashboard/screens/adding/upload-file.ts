import { useEffect, useRef, useState } from 'react';
import type { WireImport } from '#shared/contract/imports/import-wire.ts';
import { chosenHeaders, readJson, urlOf } from '../../api/call.ts';
import { ProblemError, problemOf } from '../../api/problem-error.ts';

type What = { dryRun: boolean; carrier: string; mode: string; subject: string };

/** One upload at a time. The same file under the same settings goes under the same idempotency key, so that a broken one is continued. */
export function useUpload() {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const key = useRef({ subject: '', idempotencyKey: '' });
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (file: Blob, { subject, ...what }: What): Promise<WireImport | null> => {
    if (running.current !== null) return null;
    const controller = new AbortController();
    running.current = controller;
    if (key.current.subject !== subject) key.current = { subject, idempotencyKey: crypto.randomUUID() };
    setError(null);
    setProgress(0);
    try {
      const started = await uploadFile(file, {
        ...what,
        idempotencyKey: key.current.idempotencyKey,
        onProgress: setProgress,
        signal: controller.signal,
      });
      // It arrived whole; the same again is a new wish.
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

export type UploadOptions = {
  dryRun: boolean;
  /** For rows that do not say it themselves; empty: they do. */
  carrier: string;
  mode: string;
  idempotencyKey: string;
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/**
 * Sends a file as an import, from the disk and in pieces of the browser's choosing. Not by `fetch`, which does not tell how much of a body has
 * gone. Throws `ProblemError`.
 */
export function uploadFile(file: Blob, options: UploadOptions): Promise<WireImport> {
  const { promise, resolve, reject } = Promise.withResolvers<WireImport>();
  const request = new XMLHttpRequest();
  const query = {
    ...(options.dryRun ? { dry_run: true } : {}),
    ...(options.carrier === '' ? {} : { carrier: options.carrier }),
    ...(options.mode === '' ? {} : { transport_mode: options.mode }),
  };
  request.open('POST', urlOf('createImport', { query }));
  const headers = {
    ...chosenHeaders(),
    'content-type': file.type,
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
    reject(noAnswer('The upload broke. Try again: rows that arrived are not doubled.')),
  );
  request.addEventListener('abort', () => reject(noAnswer('The upload was stopped.')));
  options.signal.addEventListener('abort', () => request.abort());
  request.send(file);
  return promise;
}

function noAnswer(detail: string): ProblemError {
  return new ProblemError({ code: 'network', status: 0, detail, requestId: null });
}

function headersOf(request: XMLHttpRequest): Headers {
  const requestId = request.getResponseHeader('x-request-id');
  return new Headers(requestId === null ? {} : { 'x-request-id': requestId });
}
