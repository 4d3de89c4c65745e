import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { type ErrorCode, errorCodes } from '#shared/domain/errors.ts';
import { codeBlock, table } from './markdown-html.ts';
import { problemExample } from './openapi/failure-answers.ts';

/** Every error code with its cause and remedy, in Markdown. Its anchor is the `type` of the problem. */
export function errorsMarkdown(): string {
  const rows = errorCodes.map((code) => [
    String(errorCatalogue[code].status),
    `[\`${code}\`](#${code})`,
    errorCatalogue[code].title,
  ]);
  return `# Errors

Every error is a problem document (\`application/problem+json\`). Branch on \`code\`, show \`detail\` to users, and
include \`request_id\` when you report a problem. More codes may be added.

${table(['HTTP', 'Code', 'Meaning'], rows)}

${errorCodes.map(section).join('\n\n')}
`;
}

function section(code: ErrorCode): string {
  const { title, cause, remedy, retryable } = errorCatalogue[code];
  const example = JSON.stringify(problemExample(code), null, 2);
  return `## \`${code}\`

${errorCatalogue[code].status} · ${title} · ${retryable ? 'Retryable' : 'Not retryable: change the request first'}

**Cause:** ${cause}

**Remedy:** ${remedy}

${codeBlock({ name: 'Example', language: 'json', text: example })}`;
}
