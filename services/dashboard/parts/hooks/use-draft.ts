import { useEffect } from 'react';

const prefix = 'landfall.draft.';
/** Larger ones are not kept: storage is shared by the whole site. */
const maxChars = 500_000;

/** Keeps what was typed for as long as the tab is open; null forgets it. */
export function useKeptDraft<Draft>(key: string, draft: Draft | null): void {
  const text = draft === null ? null : JSON.stringify(draft);
  useEffect(() => storeDraft(key, text), [key, text]);
}

/** A draft that was kept; null if there is none. */
export function readDraft<Draft>(key: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + key) ?? 'null');
  } catch {
    return null;
  }
}

function storeDraft(key: string, text: string | null): void {
  try {
    if (text === null || text.length > maxChars) sessionStorage.removeItem(prefix + key);
    else sessionStorage.setItem(prefix + key, text);
  } catch {
    // Storage can be disabled or full. The draft then lasts as long as the page.
  }
}

/** Forgets all drafts: somebody signs out. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Without storage, nothing is kept.
  }
}
