import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { caniemail } from 'caniemail';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { slackBody, teamsBody, webhookBody } from '#services/worker/alerts/chat-bodies.ts';
import { mailHtml } from '#services/worker/alerts/mail-html.ts';
import { openMailer, toMail } from '#services/worker/alerts/mailer.ts';
import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { shipmentFacts } from '#shared/domain/alerts/shipment-words.ts';
import { openMailCatcher } from '#test/support/alerts/mail-catcher.ts';
import { outgoing } from '#test/support/alerts/outgoing.ts';

const evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\r\nBcc: thief@example.com\r\n\r\nhi';
const from = 'Landfall <landfall@example.com>';

function factsOf() {
  const [entry] = outgoing().entries;
  if (entry === undefined) throw new Error('no entry');
  return entry.facts;
}

/** As a mail program gets it: composed by the product, read by another parser. */
async function sent(message: OutgoingMessage) {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const { message: raw } = await transport.sendMail(toMail(message, from));
  return { raw: String(raw), mail: await PostalMime.parse(raw as Buffer) };
}

describe('mails', () => {
  it('use only features of Gmail, Outlook and Apple Mail, except for colours that they may ignore', () => {
    const mayBeIgnored = [
      // Programs that ask no mail for its dark colours show it light, or turn it dark themselves.
      '@media',
      'color-scheme meta tag',
      '<style> element',
      // For screen readers: without it, a table of layout is read as one.
      'role attribute',
      // Some programs make it a div. The ground is on the table, too.
      '<body> element',
    ];
    for (const message of [outgoing(), outgoing({ count: 500 }), outgoing({ kind: 'trial', entries: [], count: 0 })]) {
      const { issues } = caniemail({
        clients: ['gmail.*', 'outlook.*', 'apple-mail.*'],
        html: mailHtml(message),
      });
      const unsupported = [...issues.errors.values()].flat().map(({ title }) => title);
      expect([...new Set(unsupported)].filter((title) => !mayBeIgnored.includes(title))).toEqual([]);
    }
  });

  it('evaluates a feature that a program lacks as one', () => {
    const { issues } = caniemail({ clients: ['outlook.windows'], html: '<div style="display:flex">x</div>' });
    expect([...issues.errors.values()].flat().map(({ title }) => title)).toContain('display:flex');
  });

  it('escape texts of strangers, and let none of them become a header or a recipient', async () => {
    const message = outgoing({
      accountName: evil,
      recipient: { name: evil, email: 'ada@example.com' },
      entries: [{ key: 'chg_x', facts: { ...factsOf(), title: evil, detail: evil, lines: [evil] } }],
      count: 1,
    });
    const { mail, raw } = await sent(message);
    expect(mail.to?.map(({ address }) => address)).toEqual(['ada@example.com']);
    expect(mail.bcc ?? []).toEqual([]);
    const [head = ''] = raw.split('\n\n');
    expect(head).not.toMatch(/^bcc:/im);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    const html = mail.html ?? '';
    expect(html).not.toMatch(/<script|<img/i);
    expect(html).toContain('&lt;script&gt;');
    for (const body of [slackBody(message), teamsBody(message), webhookBody(message)])
      expect(() => JSON.parse(body)).not.toThrow();
    expect(slackBody(message)).not.toContain('<script');
  });

  it('have a stable Message-ID, both unsubscribe headers, and the same in text and in HTML', async () => {
    const { mail } = await sent(outgoing());
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
    expect((await sent(outgoing())).mail.messageId).toBe(mail.messageId);
    expect(mail.messageId).toBe(`<alert-${outgoing().id}@example.com>`);
    expect(header('list-unsubscribe')).toBe(`<${outgoing().links.unsubscribe}>`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('auto-submitted')).toBe('auto-generated');
    for (const part of [mail.text ?? '', mail.html ?? '']) {
      expect(part).toContain('MSKU 123456 5');
      expect(part).toContain('Entered “Late into Rotterdam”');
      expect(part).toContain(outgoing().links.unsubscribe);
    }
    expect(mail.html).not.toMatch(/src=|url\(/);
  });

  it('report for a change that enters many views the first entry, and the number of others', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `Entered “${index}”`);
    const shipment = {
      identifiers: {},
      reference: 'PO-1',
      carrierName: null,
      journey: { status: 'pending', origin: null, destination: null, eta: null },
    } as never;
    const facts = shipmentFacts(shipment, { publicId: 'shp_x', lines, at: outgoing().createdAt });
    expect(facts.lines).toHaveLength(8);
    expect(facts.lines.slice(-2)).toEqual(['Entered “6”', 'and 193 more']);
  });

  it('for too many changes have a count and a link, and list nothing', async () => {
    const { mail } = await sent(outgoing({ count: 1234 }));
    expect(mail.subject).toContain('1,234 updates');
    expect(mail.text).toContain(outgoing().links.message);
    expect(mail.text).not.toContain('Entered');
  });
});

describe('openMailer', () => {
  it('ends each try in its time, for any behaviour of the mail server and any number of waiting mails', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from, timeoutMs: 300 });
    const results = await Promise.all(Array.from({ length: 12 }, () => mailer.send(outgoing())));
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ outcome: 'failed', error: 'SMTP: no answer in time' })]),
    );
    mailer.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

describe('a mail server without STARTTLS', () => {
  it('gets no mail unless the address allows it, and the error names the remedy', async () => {
    const catcher = await openMailCatcher();
    const [inTheClear] = catcher.url.split('?');
    try {
      const mailer = openMailer({ smtpUrl: inTheClear ?? '', from });
      const refused = await mailer.send(outgoing());
      mailer.close();
      expect(refused).toMatchObject({ outcome: 'failed', error: expect.stringContaining('?ignoreTLS=true') });
      expect(catcher.mails).toEqual([]);

      const allowed = openMailer({ smtpUrl: catcher.url, from });
      expect(await allowed.send(outgoing())).toEqual({ outcome: 'sent' });
      allowed.close();
      expect(catcher.mails).toHaveLength(1);
    } finally {
      await catcher.close();
    }
  });
});

describe('chat messages', () => {
  it('stay within the limits of Slack and Teams', () => {
    const many = outgoing({
      entries: Array.from({ length: 20 }, (_, index) => ({
        key: `chg_${index}`,
        facts: { ...factsOf(), lines: Array.from({ length: 8 }, () => 'x'.repeat(300)) },
      })),
      count: 20,
    });
    const { blocks } = JSON.parse(slackBody(many)) as { blocks: { text?: { text: string } }[] };
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(Math.max(...blocks.map(({ text }) => text?.text.length ?? 0))).toBeLessThanOrEqual(3000);
    const card = JSON.parse(teamsBody(many));
    // https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages: 28 KB.
    expect(Buffer.byteLength(teamsBody(many))).toBeLessThanOrEqual(28_000);
    expect(JSON.stringify(card)).toMatch(/\d+ updates more/);
    expect(teamsBody(outgoing())).not.toContain('updates more');
    expect(card).toMatchObject({
      type: 'message',
      attachments: [{ content: { type: 'AdaptiveCard', version: '1.4' } }],
    });
  });
});
