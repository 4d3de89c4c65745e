import { useCallback, useEffect, useRef, useState } from 'react';
import { call, ofAccount } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { keysQuery } from './keys-query.ts';

const graceS = 5;
const tickMs = 1000;

export type Revoking = {
  /** The key that is about to be revoked. */
  keyId: string | null;
  /** Seconds until the request is sent. 0: it is under way. */
  secondsLeft: number;
  error: unknown;
  start: (keyId: string) => void;
  undo: () => void;
};

/** Delays a revocation by a few seconds, in which it can be cancelled. Leaving the page sends it at once. */
export function useRevoking(onRevoked: (keyId: string) => void): Revoking {
  const [keyId, setKeyId] = useState<string | null>(null);
  const [secondsLeft, setSecondsLeft] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const pending = useRef<string | null>(null);
  const latest = useRef(onRevoked);
  latest.current = onRevoked;

  const send = useCallback(async () => {
    const id = pending.current;
    if (id === null) return;
    pending.current = null;
    try {
      await call('revokeApiKey', { params: { api_key_id: id } }, { ...ofAccount, keepalive: true });
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      latest.current(id);
    } catch (problem) {
      setError(problem);
    }
    setKeyId(null);
  }, []);

  useEffect(() => {
    if (keyId === null || secondsLeft === 0) return;
    const timer = setTimeout(() => {
      setSecondsLeft(secondsLeft - 1);
      if (secondsLeft === 1) send();
    }, tickMs);
    return () => clearTimeout(timer);
  }, [keyId, secondsLeft, send]);

  useEffect(() => {
    window.addEventListener('pagehide', send);
    return () => {
      window.removeEventListener('pagehide', send);
      send();
    };
  }, [send]);

  const start = async (id: string) => {
    // One at a time: the next revocation sends the pending one.
    await send();
    pending.current = id;
    setError(null);
    setKeyId(id);
    setSecondsLeft(graceS);
  };
  const undo = () => {
    pending.current = null;
    setKeyId(null);
  };
  return { keyId, secondsLeft, error, start, undo };
}

/**
 * Revoke and Undo replace each other and so lose the focus: it moves to the button that appeared, else to the panel.
 */
export function useRevokeFocus(isRevoking: boolean, hasEnded = false): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: these replace the buttons
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const panel = document.querySelector<HTMLElement>('[data-side-panel]');
    (panel?.querySelector<HTMLElement>('[data-revoke] button') ?? panel)?.focus();
  }, [isRevoking, hasEnded]);
}

/** `Revoking in 5 s · Undo` */
export function RevokingNote({ revoking }: { revoking: Revoking }) {
  if (revoking.secondsLeft === 0) return <span className="text-t2">Revoking…</span>;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span role="timer" aria-label={`Revoking in ${revoking.secondsLeft} seconds`} className="text-red tabular-nums">
        Revoking in {revoking.secondsLeft} s
      </span>
      <Button kind="quiet" className="h-6! text-accent!" onClick={revoking.undo}>
        Undo
      </Button>
    </span>
  );
}
