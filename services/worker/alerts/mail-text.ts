import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { oneLine } from '#shared/domain/words/safe-text.ts';
import { headingOf, introOf, linkOf, listedOf, momentOf } from './message-words.ts';

const maxSubject = 150;

/** One line, whatever strangers wrote into it. */
export function mailSubject(message: OutgoingMessage): string {
  return oneLine(headingOf(message), maxSubject);
}

/** The mail as plain text. */
export function mailText(message: OutgoingMessage): string {
  const { links, count, kind } = message;
  const listed = listedOf(message).flatMap(({ facts }) => [
    `${facts.title}`,
    ...facts.lines.map((line) => `  - ${line}`),
    ...(facts.detail === null ? [] : [`  ${facts.detail}`]),
    `  ${momentOf(message, facts.at)}`,
    `  ${linkOf(message, facts)}`,
    '',
  ]);
  const all =
    kind === 'trial'
      ? []
      : [count > 1 ? `All ${count.toLocaleString('en')} in the dashboard:` : 'In the dashboard:', links.message, ''];
  return [
    introOf(message),
    '',
    ...listed,
    ...all,
    '--',
    `Change your alerts: ${links.settings}`,
    ...(links.unsubscribe === null ? [] : [`Stop these mails: ${links.unsubscribe}`]),
    '',
  ].join('\n');
}
