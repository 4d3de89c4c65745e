import PostalMime from 'postal-mime';

/** One mail that arrived. `arrival`: how often this `Message-ID` has arrived, as far as the list reaches. */
export type Mail = {
  number: number;
  at: string;
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: { name: string; value: string }[];
  arrival: number;
};

export type MailBook = {
  /** Address that receives mails, as `smtp://…`. Null: none. */
  smtpUrl: string | null;
  /** The latest first. */
  list: () => readonly Mail[];
  find: (number: number) => Mail | null;
  /** Reads and keeps a mail. */
  receive: (raw: Uint8Array, to: readonly string[]) => Promise<void>;
};

const maxMails = 500;

/** The mails that arrived, in bounded memory. */
export function createMailBook({ now }: { now: () => number }): MailBook {
  const mails: Mail[] = [];
  let received = 0;
  return {
    smtpUrl: null,
    list: () => mails,
    find: (number) => mails.find((mail) => mail.number === number) ?? null,
    receive: async (raw, to) => {
      const mail = await PostalMime.parse(raw);
      received += 1;
      const messageId = mail.messageId ?? '';
      mails.unshift({
        number: received,
        at: new Date(now()).toISOString(),
        messageId,
        from: mail.from?.address ?? '',
        to: [...to],
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
        headers: mail.headers.map(({ key, value }) => ({ name: key, value })),
        arrival: (mails.find((one) => one.messageId === messageId)?.arrival ?? 0) + 1,
      });
      mails.length = Math.min(mails.length, maxMails);
    },
  };
}
