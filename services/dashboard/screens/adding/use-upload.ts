import { useEffect, useRef, useState } from 'react';
import type { CreateImportAnswer } from '../../api/landfall-client.ts';
import { uploadFile } from './upload-file.ts';

type What = { dryRun: boolean; carrier: string; mode: string; subject: string };

/** One upload at a time. The same file under the same settings goes under the same idempotency key, so that a broken one is continued. */
export function useUpload() {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const key = useRef({ subject: '', idempotencyKey: '' });
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (file: Blob, { subject, ...what }: What): Promise<CreateImportAnswer | null> => {
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
