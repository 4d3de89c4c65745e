import { createTransport } from 'nodemailer';
import type { OutgoingMessage, SendResult } from '#shared/domain/alerts/outgoing.ts';
import { mailHtml } from './mail-html.ts';
import { mailSubject, mailText } from './mail-text.ts';

export type Mailer = {
  /** Sends it once. Never throws. The same message always has the same `Message-ID`. */
  send: (message: OutgoingMessage) => Promise<SendResult>;
  close: () => void;
};

/**
 * A try ends before the lease of its message, whatever the mail server does and however many wait for a connection:
 * another worker must not send the same mail at the same time.
 */
const tryMs = 50_000;
const connectTimeoutMs = 10_000;
const silenceMs = 20_000;
const maxConnections = 5;

/** `timeoutMs`: of a try, from its wait for a connection on. */
export type MailerOptions = { smtpUrl: string; from: string; timeoutMs?: number };

/** Opens the mail server of `SMTP_URL`. `from`: `MAIL_FROM`, such as `Landfall <landfall@example.com>`. */
export function openMailer({ smtpUrl, from, timeoutMs = tryMs }: MailerOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
    // Otherwise anyone in between can remove STARTTLS from the answer, and mails and password go out in the clear. With
    // both options, nodemailer 10 requires TLS.
    requireTLS: !ignoresTls(smtpUrl),
    // Mails must not embed files or addresses that a text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  return {
    send: (message) =>
      transport.sendMail({ ...toMail(message, from), signal: AbortSignal.timeout(timeoutMs) }).then(
        () => ({ outcome: 'sent' }),
        (error: unknown) => failureOf(error),
      ),
    close: () => transport.close(),
  };
}

/** The mail as nodemailer takes it, which encodes every header. */
export function toMail(message: OutgoingMessage, from: string) {
  const { unsubscribe } = message.links;
  return {
    from,
    // As an object: a name can't add another recipient.
    to: { name: message.recipient.name, address: message.recipient.email },
    subject: mailSubject(message),
    text: mailText(message),
    html: mailHtml(message),
    messageId: `<alert-${message.id}@${domainOf(from)}>`,
    date: new Date(message.createdAt),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe !== null && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        // RFC 8058: the mail program posts to the address, without showing it.
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** The part after the at sign. */
export function domainOf(from: string): string {
  return /@([a-z0-9.-]+)/i.exec(from)?.[1]?.toLowerCase() ?? 'landfall.invalid';
}

function failureOf(error: unknown): SendResult {
  const { code, responseCode, command, message } = error as {
    code?: string;
    responseCode?: number;
    command?: string;
    message?: string;
  };
  const text = code === 'EABORT' ? 'SMTP: no answer in time' : `SMTP: ${message ?? String(error)}${remedyOf(code)}`;
  // A permanent answer about this recipient or this mail. One about the sign-in may be mended.
  const isFinal = responseCode !== undefined && responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command ?? '');
  return { outcome: isFinal ? 'refused' : 'failed', error: text };
}

/** `?ignoreTLS=true`, for a mail server that has no TLS. */
function ignoresTls(smtpUrl: string): boolean {
  return new URL(smtpUrl).searchParams.get('ignoreTLS') === 'true';
}

function remedyOf(code: string | undefined): string {
  if (code !== 'ETLS') return '';
  return '. The mail server offers no TLS. Use one that does, or add ?ignoreTLS=true to SMTP_URL to send without it.';
}
