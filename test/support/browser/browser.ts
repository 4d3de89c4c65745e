import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

/** Best first: the headless shell draws the same pages with 40 % less CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine. Null: tests that need it are skipped and listed. CI sets REQUIRE_BROWSER=1. */
export const browserPath: string | null = findBrowser();

/** A new headless Chromium. The caller closes it. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('no Chromium on the PATH');
  return chromium.launch({
    executablePath: browserPath,
    // The sandbox needs privileges that containers lack, and the pages are our own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Days before months and 24 hours, wherever the tests run. A test of another locale sets it in its context.
      '--accept-lang=en-GB',
      '--no-first-run',
    ],
  });
}

function findBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  const found = names.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find((path) => existsSync(path));
  if (found === undefined && process.env.REQUIRE_BROWSER === '1')
    throw new Error(`REQUIRE_BROWSER=1, but none of ${names.join(', ')} is on the PATH`);
  return found ?? null;
}
