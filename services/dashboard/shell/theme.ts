import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

export const themes: readonly { value: Theme; name: string }[] = [
  { value: 'system', name: 'As the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

const place = 'landfall.theme';
const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system',
  );
}

/** Takes effect at once, and at the next visit; `public/theme.js` reads it before the first paint. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(place);
    else localStorage.setItem(place, theme);
  } catch {
    // Then it holds for this page.
  }
  for (const listener of listeners) listener();
}
