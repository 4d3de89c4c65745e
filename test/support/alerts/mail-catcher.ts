import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type CaughtMail = { messageId: string; to: string; atMs: number; mail: Email; raw: string };

export type MailCatcher = { url: string; mails: CaughtMail[]; close: () => Promise<void> };

/** A mail server that keeps what it gets, `answerAfterMs` after it got it. */
export async function openMailCatcher({ answerAfterMs = 0 } = {}): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('error', () => undefined);
      stream.on('end', async () => {
        const raw = Buffer.concat(parts);
        const mail = await PostalMime.parse(new Uint8Array(raw));
        const to = session.envelope.rcptTo[0]?.address ?? '';
        mails.push({ messageId: mail.messageId ?? '', to, atMs: performance.now(), mail, raw: raw.toString('utf8') });
        setTimeout(() => done(null), answerAfterMs);
      });
    },
  });
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://127.0.0.1:${address.port}?ignoreTLS=true`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
