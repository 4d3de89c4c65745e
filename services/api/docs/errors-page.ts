import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { type ErrorCode, errorCodes } from '#shared/domain/errors.ts';
import { statusByCode } from '../plugins/errors.ts';
import { problemExample } from './failure-answers.ts';
import { escapeHtml, framePage, inlineCode } from './page-frame.ts';

const style = `
main { max-width: 60rem; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 1.9rem; line-height: 1.2; }
h2 { font-size: 1.15rem; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover, h2 a:focus-visible { text-decoration: underline; }
table { border-collapse: collapse; width: 100%; margin: 24px 0 40px; }
th, td { text-align: left; vertical-align: top; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
section { padding: 24px 0; border-top: 1px solid var(--line); scroll-margin-top: 56px; }
section:target { background: var(--raised); box-shadow: 0 0 0 16px var(--raised); }
.facts { color: var(--quiet); margin: 0 0 12px; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: 6px 16px; margin: 12px 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
details { margin-top: 12px; }
summary { cursor: pointer; color: var(--accent); }
pre { background: var(--raised); padding: 14px; border-radius: 8px; overflow-x: auto; }
pre code { overflow-wrap: normal; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 8px; }
  td:nth-child(3), th:nth-child(3) { display: none; }
}
`;

/** Every error code with its cause and remedy. Its anchor is the `type` of the problem. No scripts. */
export function errorsPage(): string {
  return framePage({
    title: 'Errors · Landfall',
    path: '/docs/errors',
    style,
    body: `<main>
      <h1>Errors</h1>
      <p>Every error is a problem document (<code>application/problem+json</code>). Branch on <code>code</code>, show
      <code>detail</code> to users, and include <code>request_id</code> when you report a problem. More codes
      may be added.</p>
      <table>
        <thead><tr><th scope="col">HTTP</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
        <tbody>
          ${errorCodes.map(row).join('\n          ')}
        </tbody>
      </table>
      ${errorCodes.map(section).join('\n      ')}
    </main>`,
  });
}

function row(code: ErrorCode): string {
  const { title } = errorCatalogue[code];
  const cells = [statusByCode[code], `<a href="#${code}"><code>${code}</code></a>`, escapeHtml(title)];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function section(code: ErrorCode): string {
  const { title, cause, remedy, retryable } = errorCatalogue[code];
  const repeat = retryable ? 'Retryable' : 'Not retryable: change the request first';
  const example = JSON.stringify(problemExample(code), null, 2);
  return `<section id="${code}">
        <h2><a href="#${code}"><code>${code}</code></a></h2>
        <p class="facts">${statusByCode[code]} · ${escapeHtml(title)} · ${repeat}</p>
        <dl>
          <dt>Cause</dt><dd>${inlineCode(cause)}</dd>
          <dt>Remedy</dt><dd>${inlineCode(remedy)}</dd>
        </dl>
        <details><summary>Example</summary><pre><code>${escapeHtml(example)}</code></pre></details>
      </section>`;
}
