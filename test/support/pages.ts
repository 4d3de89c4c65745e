import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { startTestApi, type TestApi } from './api.ts';
import { openBrowser } from './browser.ts';
import { buildDashboard } from './built-dashboard.ts';
import { password } from './dashboard.ts';

/** The dashboard of this tree, served by an API of its own, and a browser to look at it. */
export type Pages = { api: TestApi; browser: Browser; close: () => Promise<void> };

export async function openPages(environment: Record<string, string> = {}): Promise<Pages> {
  const [dashboard, browser] = await Promise.all([buildDashboard(), openBrowser()]);
  const api = await startTestApi(environment, { webAppFolder: dashboard.folder });
  return {
    api,
    browser,
    close: async () => {
      await browser.close();
      await api.close();
      await dashboard.remove();
    },
  };
}

/** Signs in on the page that is open, which asks for it. */
export async function signInOn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

let axe: string | null = null;

/** What axe finds wrong on the page as it stands, by its usual rules or by these: the rule, and where. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
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
