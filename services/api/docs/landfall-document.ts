import { readFileSync } from 'node:fs';
import { publicOperations } from '#shared/contract/operations.ts';
import { buildOpenApi } from './build-openapi.ts';
import type { OpenApiDocument } from './tidy-document.ts';

/** The document of this version of the service. */
export function landfallDocument(): OpenApiDocument {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return buildOpenApi(publicOperations, version);
}

/** The document's text, as it is served and compared. */
export function documentText(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
