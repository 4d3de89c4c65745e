import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { headingOf, introOf, linkOf, listedOf, momentOf, updates } from './message-words.ts';

/** Slack takes 50 blocks in a message, and 3,000 characters in a section. */
const maxSection = 2900;

/** The body for a Slack incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/ */
export function slackBody(message: OutgoingMessage): string {
  const { links, kind } = message;
  const sections = listedOf(message).map(({ facts }) => {
    const lines = facts.lines.map((line) => `• ${slackText(line)}`);
    const below = [facts.detail, momentOf(message, facts.at)].filter((part) => part !== null).join(' · ');
    const text = [`*<${slackText(linkOf(message, facts))}|${slackText(facts.title)}>*`, ...lines, slackText(below)];
    return section(text.join('\n').slice(0, maxSection));
  });
  const all = `<${slackText(links.message)}|See it in Landfall>`;
  const settings = `<${slackText(links.settings)}|Change your alerts>`;
  return JSON.stringify({
    text: slackText(headingOf(message)),
    unfurl_links: false,
    blocks: [
      section(`*${slackText(headingOf(message))}*\n${slackText(introOf(message))}`),
      ...sections,
      { type: 'context', elements: [mrkdwn(kind === 'trial' ? settings : `${all}   ${settings}`)] },
    ],
  });
}

/** Teams refuses a message above 28 KB. */
const maxTeamsBytes = 27 * 1024;

/**
 * The body for a Teams workflow that posts what it receives: a message with an Adaptive Card. It lists as many entries as
 * Teams takes, or half of them, and so on.
 */
export function teamsBody(message: OutgoingMessage): string {
  const listed = listedOf(message);
  for (let count = listed.length; ; count = Math.floor(count / 2)) {
    const body = teamsCard(message, listed.slice(0, count), listed.length - count);
    if (count === 0 || Buffer.byteLength(body) <= maxTeamsBytes) return body;
  }
}

function teamsCard(message: OutgoingMessage, listed: OutgoingMessage['entries'], others: number): string {
  const { links, kind } = message;
  const entries = listed.flatMap(({ facts }) => [
    text(`[${teamsText(facts.title)}](${linkOf(message, facts)})`, { weight: 'Bolder', separator: true }),
    ...facts.lines.map((line) => text(teamsText(line), { spacing: 'None' })),
    text(teamsText([facts.detail, momentOf(message, facts.at)].filter((part) => part !== null).join(' · ')), {
      spacing: 'None',
      isSubtle: true,
    }),
  ]);
  const actions = [
    ...(kind === 'trial' ? [] : [{ type: 'Action.OpenUrl', title: 'See it in Landfall', url: links.message }]),
    { type: 'Action.OpenUrl', title: 'Change your alerts', url: links.settings },
  ];
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      text(teamsText(headingOf(message)), { weight: 'Bolder', size: 'Medium' }),
      text(teamsText(introOf(message)), { isSubtle: true }),
      ...entries,
      ...(others > 0 ? [text(`${updates(others)} more`, { isSubtle: true, separator: true })] : []),
    ],
    actions,
  };
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  });
}

/** The body for a webhook, as Standard Webhooks shapes it. */
export function webhookBody(message: OutgoingMessage): string {
  const { id, kind, test, count, createdAt, links } = message;
  return JSON.stringify({
    type: kind === 'trial' ? 'alert.test' : 'alert.message',
    timestamp: createdAt,
    data: {
      message_id: encodeTypeId('msg', id),
      mode: test ? 'test' : 'live',
      heading: headingOf(message),
      count,
      url: links.message,
      entries: listedOf(message).map(({ key, facts }) => ({
        key,
        title: facts.title,
        detail: facts.detail,
        lines: facts.lines,
        at: facts.at,
        url: linkOf(message, facts),
      })),
    },
  });
}

function section(words: string) {
  return { type: 'section', text: mrkdwn(words) };
}

function mrkdwn(words: string) {
  return { type: 'mrkdwn', text: words };
}

/** `&`, `<` and `>` are all that Slack wants escaped. Marks of a stranger's text are kept from working. */
function slackText(words: string): string {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`|]/g, (mark) => `${mark}\u200b`);
}

function text(words: string, look: Record<string, unknown>) {
  return { type: 'TextBlock', text: words, wrap: true, ...look };
}

/** Adaptive Cards read a part of Markdown: links, emphasis and lists. */
function teamsText(words: string): string {
  return words.replaceAll(/[\\[\]()*_`#>]/g, (mark) => `\\${mark}`);
}
