import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine, or null: tests that need one are then skipped, aloud. CI sets REQUIRE_BROWSER=1. */
export const browserPath: string | null = findBrowser();

/** A headless Chromium with nothing in it; close it at the end. */
export function openBrowser(): Promise<Browser> {
  if (browserPath === null) throw new Error('no Chromium on the PATH');
  return chromium.launch({
    executablePath: browserPath,
    // The sandbox wants rights that containers do not have; the pages are our own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

function findBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(':');
  const found = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)).find((path) => existsSync(path));
  if (found === undefined && process.env.REQUIRE_BROWSER === '1')
    throw new Error(`REQUIRE_BROWSER=1, but none of ${names.join(', ')} is on the PATH`);
  return found ?? null;
}
