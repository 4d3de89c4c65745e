/** Marks browsers in which a user has signed in, so that failures of others elsewhere don't count against them. */
export type TrustedBrowsers = {
  /** A mark for a browser in which the user with this email has just signed in. */
  issue: (email: string) => Promise<string>;
  /** The id of the marked browser. Null: the mark is not one for this email. */
  read: (mark: string, email: string) => Promise<string | null>;
};

const form = /^([\w-]{22})\.([\w-]{43})$/;

/** A mark is a random id and its HMAC with the email, so that nothing of it is stored. */
export async function openTrustedBrowsers(secret: string): Promise<TrustedBrowsers> {
  const { subtle } = globalThis.crypto;
  // A key of its own: the secret also signs the session cookies.
  const bytes = new TextEncoder().encode(`browser marks ${secret}`);
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const signed = (id: string, email: string) => new TextEncoder().encode(`${id} ${email.trim().toLowerCase()}`);
  return {
    issue: async (email) => {
      const id = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(16))).toString('base64url');
      const seal = await subtle.sign('HMAC', key, signed(id, email));
      return `${id}.${Buffer.from(seal).toString('base64url')}`;
    },
    read: async (mark, email) => {
      const [, id = '', seal = ''] = form.exec(mark) ?? [];
      const isRight =
        id !== '' && (await subtle.verify('HMAC', key, Buffer.from(seal, 'base64url'), signed(id, email)));
      return isRight ? id : null;
    },
  };
}
