import { children, readObject, text } from './lenient-object.ts';

const maxLength = 200;

/** What a carrier says in the body of an error, in one line; null when it says nothing that can be read. */
export function carrierMessage(body: string): string | null {
  const error = readObject(parse(body));
  if (!error) return null;
  const nested = [
    ...children(error, 'errors'),
    ...children(error, 'error'),
    ...children(error, 'subErrors'),
    ...children(error, 'feedbackElements'),
  ];
  const messages = [error, ...nested].map((each) =>
    text(
      each,
      'message',
      'reason',
      'error_description',
      'errorMessage',
      'moreInformation',
      'detail',
      'title',
      'error',
      'code',
    ),
  );
  const said = messages.find((message) => message !== null)?.replace(/\s+/g, ' ');
  return said ? said.slice(0, maxLength) : null;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
