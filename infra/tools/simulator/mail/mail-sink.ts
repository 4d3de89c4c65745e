import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import type { MailBook } from './mail-book.ts';

export type MailSink = { close: () => Promise<void> };

const maxMailBytes = 1_048_576;

/**
 * A mail server that keeps what it receives and delivers nothing. It takes any sender, recipient and password, without
 * TLS: only for the demonstration on one machine.
 */
export async function openMailSink(book: MailBook, place: { host: string; port: number }): Promise<MailSink> {
  const server = new SMTPServer({
    banner: 'Landfall mail sink',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: maxMailBytes,
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes <= maxMailBytes) parts.push(part);
      });
      stream.on('error', done);
      stream.on('end', () => {
        if (bytes > maxMailBytes)
          return done(Object.assign(new Error('The mail is too large.'), { responseCode: 552 }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        book.receive(new Uint8Array(Buffer.concat(parts)), to).then(() => done(null), done);
      });
    },
  });
  // A client that ends its connection early is no event.
  server.on('error', () => undefined);
  const listener = server.listen(place.port, place.host);
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : place.port;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  book.smtpUrl = `smtp://${host}:${port}?ignoreTLS=true`;
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
