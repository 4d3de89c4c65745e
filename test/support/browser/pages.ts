import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { openBrowser } from './browser.ts';
import { password } from './dashboard.ts';

/** The dashboard, served by an API with a database of its own, and a browser. */
export type Pages = { api: TestApi; browser: Browser; close: () => Promise<void> };

export async function openPages(
  environment: Record<string, string> = {},
  start: typeof startTestApi = startTestApi,
): Promise<Pages> {
  expectBuiltDashboard();
  const [browser, api] = await Promise.all([
    openBrowser(),
    start(environment, { answerWaitMs: 50_000, openDatabase: ownDatabase }),
  ]);
  return {
    api,
    browser,
    close: async () => {
      await browser.close();
      await api.close();
    },
  };
}

/** Throws if there is no dashboard of the present sources to serve. */
export function expectBuiltDashboard(): void {
  const error = inject('dashboardBuildError');
  if (error !== null) throw new Error(`The dashboard couldn't be built: ${error}`);
}

/** Signs in on the open page, which shows the sign-in form. */
export async function signInOn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/**
 * Forgets the session. The dashboard is closed before: it opens the sign-in page as soon as a request is refused, which
 * would abort the next navigation of the test.
 */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

let axe: string | null = null;

/** Rules that depend on the theme. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The violations that axe finds on the page: all rules in the light theme, and in the dark one those of colour. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await violationsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await violationsOf(page, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((violation) => `dark: ${violation}`)];
}

/** The violations that axe finds on the page, by its default rules or by these: the rule and the elements. */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  axe ??= readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
  await page.evaluate(axe);
  const options = {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
