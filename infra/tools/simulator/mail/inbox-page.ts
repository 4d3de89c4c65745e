import { escaped } from '../overview-page.ts';
import type { Mail, MailBook } from './mail-book.ts';

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.35rem .8rem .35rem 0;text-align:left;vertical-align:top}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}iframe{width:100%;height:44rem;border:1px solid #8886}.wrap{overflow-x:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0;overflow-wrap:anywhere}`;

/** The mails that arrived, the latest first. */
export function inboxPage({ list, smtpUrl }: Pick<MailBook, 'list' | 'smtpUrl'>): string {
  const mails = list();
  const rows = mails.map(
    ({ number, at, to, subject, arrival }) =>
      `<tr><td>${at.slice(11, 19)}</td><td><a href="/inbox/${number}">${escaped(subject)}</a>${arrival > 1 ? ` (${arrival} times)` : ''}</td><td>${escaped(to.join(', '))}</td></tr>`,
  );
  const table = `<div class="wrap"><table><thead><tr><th>Received</th><th>Subject</th><th>To</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  return frame(
    'Inbox',
    `<p>Mails that were sent to ${smtpUrl === null ? 'nobody: SIMULATOR_SMTP_PORT is not set' : `<code>${escaped(smtpUrl)}</code>`}. None of them left this machine. Reload the page to see newer ones.</p>
${mails.length === 0 ? '<p>No mail has arrived yet.</p>' : table}`,
  );
}

/** One mail, as HTML, as text and with its headers. */
export function mailPage({ number, subject, to, text, headers }: Mail): string {
  const lines = headers.map(({ name, value }) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`);
  return frame(
    subject,
    `<p><a href="/inbox">Inbox</a></p><p>To ${escaped(to.join(', '))}</p>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" src="/inbox/${number}/html" title="The mail"></iframe>
<h2>Plain text</h2><pre>${escaped(text)}</pre><h2>Headers</h2><dl>${lines.join('')}</dl>`,
  );
}

function frame(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${style}</style></head><body><h1>${escaped(title)}</h1>${body}</body></html>`;
}
