import type { CreateImportAnswer } from '../../api/landfall-client.ts';
import { ProblemError, problemOf } from '../../api/problem-error.ts';
import { chosen } from '../../api/request.ts';

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
export function uploadFile(file: Blob, options: UploadOptions): Promise<CreateImportAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<CreateImportAnswer>();
  const request = new XMLHttpRequest();
  const query = new URLSearchParams();
  if (options.dryRun) query.set('dry_run', 'true');
  if (options.carrier !== '') query.set('carrier', options.carrier);
  if (options.mode !== '') query.set('transport_mode', options.mode);
  request.open('POST', `/dashboard/api/v1/imports?${query}`);
  request.setRequestHeader('content-type', file.type);
  request.setRequestHeader('idempotency-key', options.idempotencyKey);
  request.setRequestHeader('landfall-mode', chosen.mode);
  if (chosen.account !== null) request.setRequestHeader('landfall-account', chosen.account);
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    options.onProgress(total === 0 ? 1 : loaded / total),
  );
  request.addEventListener('load', () => {
    const body = readJson(request.responseText);
    if (request.status === 202) resolve(body as CreateImportAnswer);
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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
