import { join } from 'node:path';
import { asyncApiText } from '#services/api/docs/openapi/build-asyncapi.ts';
import { documentText, landfallDocument } from '#services/api/docs/openapi/build-openapi.ts';
import { projectFolder } from '../data-folder.ts';

export type GeneratedFile = { path: string; text: string };

/** Generated from the operations and kept in the repository: the OpenAPI and the AsyncAPI document. */
export function openApiFiles(): GeneratedFile[] {
  const folder = join(projectFolder, 'test', 'snapshots');
  return [
    { path: join(folder, 'openapi.json'), text: documentText(landfallDocument()) },
    { path: join(folder, 'asyncapi.json'), text: asyncApiText() },
  ];
}
