import type { EntryFacts } from '#shared/domain/alerts/entry.ts';
import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { escapeHtml } from '#shared/domain/words/safe-text.ts';
import { headingOf, introOf, linkOf, listedOf, momentOf } from './message-words.ts';

const font = "font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif";
/**
 * Colours of the dashboard. Programs that turn mails dark by themselves invert them legibly; those that ask the mail get
 * the dark ones by their classes.
 */
const dark = [
  ['ground', 'background-color:#101315!important'],
  ['t1', 'color:#e6e9eb!important'],
  ['t2', 'color:#a7b0b8!important'],
  ['accent', 'color:#7ba3ff!important'],
  ['rule', 'border-top-color:#20262a!important'],
  ['button', 'background-color:#7ba3ff!important;color:#0b0e10!important'],
];

/** The mail as HTML: tables and inline styles, no picture, nothing that is loaded. Every text is escaped. */
export function mailHtml(message: OutgoingMessage): string {
  const { links, kind } = message;
  const style = dark.map(([name, rules]) => `.${name}{${rules}}`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(headingOf(message))}</title>
<style>@media (prefers-color-scheme:dark){${style}}</style></head>
<body class="ground" style="margin:0;padding:0;background-color:#ffffff">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background-color:#ffffff"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;text-align:left">
<tr><td class="t2" style="${font};font-size:13px;line-height:20px;color:#4f565f;padding-bottom:4px">Landfall</td></tr>
<tr><td class="t1" style="${font};font-size:20px;line-height:28px;font-weight:600;color:#15181c;padding-bottom:8px">${escapeHtml(headingOf(message))}</td></tr>
<tr><td class="t2" style="${font};font-size:14px;line-height:22px;color:#4f565f;padding-bottom:16px">${escapeHtml(introOf(message))}</td></tr>
${listedOf(message)
  .map(({ facts }) => entryRow(message, facts))
  .join('\n')}
${kind === 'trial' ? '' : buttonRow(message)}
<tr><td class="t2 rule" style="${font};font-size:12px;line-height:20px;color:#4f565f;border-top:1px solid #e7e9ec;padding-top:12px">
${link({ href: links.settings, text: 'Change your alerts' })}${links.unsubscribe === null ? '' : ` &nbsp; ${link({ href: links.unsubscribe, text: 'Stop these mails' })}`}
</td></tr>
</table></td></tr></table>
</body></html>
`;
}

function entryRow(message: OutgoingMessage, facts: EntryFacts): string {
  const lines = facts.lines.map((line) => `<div class="t1" style="color:#15181c">${escapeHtml(line)}</div>`).join('');
  const below = [facts.detail, momentOf(message, facts.at)].filter((part) => part !== null).join(' · ');
  return `<tr><td class="rule" style="${font};font-size:14px;line-height:22px;border-top:1px solid #e7e9ec;padding:12px 0">
<div style="font-size:15px;font-weight:600">${link({ href: linkOf(message, facts), text: facts.title })}</div>
${lines}
<div class="t2" style="font-size:13px;line-height:20px;color:#4f565f">${escapeHtml(below)}</div>
</td></tr>`;
}

function buttonRow({ links, count }: OutgoingMessage): string {
  const text = count > 1 ? `See all ${count.toLocaleString('en')}` : 'See it in Landfall';
  return `<tr><td class="rule" style="border-top:1px solid #e7e9ec;padding:16px 0 20px 0">
<a href="${escapeHtml(links.message)}" class="button" style="${font};font-size:14px;line-height:20px;font-weight:500;color:#ffffff;background-color:#2456d3;text-decoration:none;padding:8px 14px;display:inline-block">${escapeHtml(text)}</a>
</td></tr>`;
}

function link({ href, text }: { href: string; text: string }): string {
  return `<a href="${escapeHtml(href)}" class="accent" style="color:#2456d3;text-decoration:underline">${escapeHtml(text)}</a>`;
}
