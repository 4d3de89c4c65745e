import { afterEach, beforeEach, expect, it } from 'vitest';
import { openMultipart } from '#services/api/uploads/multipart-file.ts';

const unowned: unknown[] = [];
const own = (error: unknown) => unowned.push(error);
beforeEach(() => {
  unowned.length = 0;
  process.prependListener('uncaughtException', own);
  process.prependListener('unhandledRejection', own);
});
afterEach(() => {
  process.off('uncaughtException', own);
  process.off('unhandledRejection', own);
});

const partOf = (name: string, content: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n${content}`;
const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it.each([
  ['one file', partOf('a', 'carrier,mbl\n')],
  ['two files', `${partOf('a', 'carrier,mbl\n')}\r\n${partOf('b', 'x')}`],
])('keeps the error of a form with %s that is cut off before anybody reads it', async (_what, sent) => {
  for (const cut of ['ends', 'fails']) {
    async function* source() {
      yield Buffer.from(sent);
      if (cut === 'fails') throw new Error('the client left');
    }
    const form = await openMultipart(source(), 'multipart/form-data; boundary=b');
    await turns();
    await expect(Array.fromAsync(form.bytes)).rejects.toThrow('The form is damaged or cut off.');
    await turns();
  }
  expect(unowned).toEqual([]);
});
