import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readUnsubscribing, type Unsubscribing, unsubscribe } from '#shared/core/alerts/unsubscribe.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import { escapeHtml } from '#shared/domain/words/safe-text.ts';
import type { ApiContext } from '../context.ts';

const path = '/unsubscribe/:token';
const maxBodyBytes = 8192;
const wrongLinksPerMinute = 60;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The address is a secret of its reader.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/**
 * Ends the mails of alerts by the link in one of them, without a sign-in and without scripts. `GET` shows a page and
 * changes nothing, because mail scanners open links. `POST` ends: a button of the page, or a mail program by RFC 8058
 * (`List-Unsubscribe=One-Click`).
 */
export function registerUnsubscribe(app: FastifyInstance, ctx: ApiContext): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    const config = { anyAccept: true };
    scope.get(path, { config }, async (request, reply) => {
      const found = await readUnsubscribing(ctx.core, tokenOf(request));
      if (found === null) return refuse(ctx, request, reply);
      return reply.headers(headers).send(askPage(found));
    });
    scope.post(path, { config }, async (request, reply) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const all = form.get('all') === '1';
      if (!(await unsubscribe(ctx.core, tokenOf(request), { all }))) return refuse(ctx, request, reply);
      if (form.get('List-Unsubscribe') === 'One-Click') return reply.status(200).headers(headers).send();
      return reply.headers(headers).send(donePage(all));
    });
  });
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

/** Guessing is hopeless, but costs a query. */
async function refuse(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { admitted } = await ctx.limiter.admit(`unsubscribe:${signInNetwork(request.ip)}`, wrongLinksPerMinute);
  if (!admitted) throw new LandfallError('rate_limited', 'Too many links that are not valid. Retry in a minute.');
  return reply
    .status(404)
    .headers(headers)
    .send(page('Link not valid', '<p>This link is incomplete, or its recipient has left the account.</p>'));
}

function askPage({ accountName, alerts, isOff }: Unsubscribing): string {
  const name = `<strong>${escapeHtml(accountName)}</strong>`;
  if (isOff) return page('No more mails', `<p>Alerts of ${name} send you no mail.</p>`);
  const some =
    alerts === 0
      ? ''
      : `<form method="post"><button>${alerts === 1 ? 'Stop mails from this alert' : `Stop mails from these ${alerts} alerts`}</button></form>`;
  return page(
    'Stop mails',
    `<p>You get mails from alerts of ${name}.</p>${some}
<form method="post"><input type="hidden" name="all" value="1"><button class="quiet">Stop all mails from alerts</button></form>
<p class="note">Other channels, such as Slack, go on. You can turn mails on again under Alerts in the dashboard.</p>`,
  );
}

function donePage(all: boolean): string {
  const what = all ? 'Alerts send you no mail any more.' : 'You get no more mails from these alerts.';
  return page('Done', `<p>${what} You can turn them on again under Alerts in the dashboard.</p>`);
}

const style = `:root{color-scheme:light dark}body{font:15px/24px system-ui,sans-serif;margin:0;background:#fff;color:#15181c}
main{max-width:30rem;margin:12vh auto;padding:0 1rem}h1{font-size:20px;line-height:28px}form{margin:0 0 8px}
button{font:inherit;font-size:14px;padding:6px 14px;border:1px solid #2456d3;border-radius:6px;background:#2456d3;color:#fff;cursor:pointer}
.quiet{background:none;border-color:#d2d6db;color:inherit}.note{color:#4f565f;font-size:13px;line-height:20px}
@media (prefers-color-scheme:dark){body{background:#101315;color:#e6e9eb}button{background:#7ba3ff;border-color:#7ba3ff;color:#0b0e10}
.quiet{background:none;border-color:#353d44;color:inherit}.note{color:#a7b0b8}}`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} – Landfall</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`;
}
