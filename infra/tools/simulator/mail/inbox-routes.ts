import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { inboxPage, mailPage } from './inbox-page.ts';
import type { MailBook } from './mail-book.ts';

const params = z.object({ number: z.coerce.number().int().min(1) });
const html = 'text/html; charset=utf-8';

/** `GET /inbox` lists the mails: HTML, or JSON for a client that accepts only JSON. `GET /inbox/{number}` shows one. */
export function addInboxRoutes(app: FastifyInstance, book: MailBook): void {
  app.get('/inbox', async (request, reply) => {
    if (request.headers.accept?.includes('text/html') !== true) return { smtp_url: book.smtpUrl, mails: book.list() };
    return reply.type(html).send(inboxPage(book));
  });
  app.get('/inbox/:number', async (request, reply) => {
    const mail = book.find(params.parse(request.params).number);
    if (mail === null) return reply.code(404).type(html).send(inboxPage(book));
    return reply.type(html).send(mailPage(mail));
  });
  app.get('/inbox/:number/html', async (request, reply) => {
    const mail = book.find(params.parse(request.params).number);
    return (
      reply
        .code(mail === null ? 404 : 200)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
        // Links of a mail open the page that they lead to, not a page in the frame.
        .type(html)
        .send((mail?.html ?? '').replace('<head>', '<head><base target="_blank">'))
    );
  });
}
