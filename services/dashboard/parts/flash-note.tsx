import { useEffect, useState, useSyncExternalStore } from 'react';

type Note = { text: string; id: number };

const shownMs = 2500;
let note: Note | null = null;
const listeners = new Set<() => void>();

/** Shows a short result at the bottom of the screen, and reads it to screen readers. */
export function flash(text: string): void {
  note = { text, id: (note?.id ?? 0) + 1 };
  for (const listener of listeners) listener();
}

/** Copies a text and says so. */
export async function copyAndFlash(text: string, done: string): Promise<void> {
  // The clipboard is undefined on pages over plain HTTP.
  const isCopied = await Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
    () => true,
    () => false,
  );
  flash(isCopied ? done : 'Copy failed. The browser blocked clipboard access.');
}

export function FlashNote() {
  const last = useSyncExternalStore(subscribe, () => note);
  const [ended, setEnded] = useState(0);
  const id = last?.id ?? 0;
  useEffect(() => {
    if (id === 0) return;
    const timer = setTimeout(() => setEnded(id), shownMs);
    return () => clearTimeout(timer);
  }, [id]);
  const isShown = last !== null && ended < id;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-14 z-50 flex justify-center px-4 max-sm:bottom-24 print:hidden"
    >
      {isShown && (
        <span className="rounded-control border border-line2 bg-t1 px-3 py-1.5 text-bg text-body">{last.text}</span>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
