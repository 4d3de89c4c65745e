import { join } from 'node:path';
import { generateAst, parseSpec, printAst } from 'oazapfts';
import { createContext } from 'oazapfts/context';
import { documentText, landfallDocument } from '#services/api/docs/landfall-document.ts';
import { projectFolder } from './data-folder.ts';

export type GeneratedFile = { path: string; text: string };

/** Generated from the operations: the OpenAPI document and the typed client of the dashboard. */
export async function openApiFiles(): Promise<GeneratedFile[]> {
  const document = landfallDocument();
  return [
    { path: join(projectFolder, 'test', 'snapshots', 'openapi.json'), text: documentText(document) },
    {
      path: join(projectFolder, 'services', 'dashboard', 'api', 'landfall-client.ts'),
      text: await clientText(document),
    },
  ];
}

async function clientText(document: object): Promise<string> {
  // The generator rewrites what it is given.
  const spec = await parseSpec(JSON.parse(JSON.stringify(document)));
  const source = printAst(
    await generateAst(createContext(spec, { useUnknown: true, mergeReadWriteOnly: true, argumentStyle: 'object' })),
  );
  // Its calls do not fit exactOptionalPropertyTypes; whoever uses it is checked all the same.
  return `// Generated from the OpenAPI document by npm run generate.\n// @ts-nocheck\n${source}`;
}
