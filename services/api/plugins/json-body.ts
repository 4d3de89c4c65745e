import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unreadableBody } from '#shared/contract/input/parse-body.ts';
import { bodyLimits, readJson } from '#shared/contract/input/read-json.ts';
import { operations } from '#shared/contract/operations.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { CsvTable } from '#shared/domain/registration/import.ts';
import { readCsvTable } from '../uploads/read-csv-table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a body that was read as a whole. */
    rawBody: Buffer | null;
    /** A CSV body of an operation that doesn't stream it. */
    csvTable: CsvTable | null;
  }
}

const streamedTypes: readonly string[] = operations.createImport.body.mediaTypes;

/** Text that an operation reads as a whole, in steps. */
const messageTypes = ['application/edi-x12', 'application/edifact', 'text/plain'];

/** Reads JSON bodies in UTF-8 and the text of messages as a whole. Other media types of an operation are passed on as a stream. */
export function registerJsonBody(app: FastifyInstance): void {
  app.decorateRequest('rawBody', null);
  app.decorateRequest('csvTable', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([...streamedTypes], (request, payload, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.body?.readTable !== undefined && mediaTypeOf(request) === 'text/csv') {
      readCsvTable(payload, request.routeOptions.bodyLimit ?? 0).then((table) => {
        request.csvTable = table;
        done(null, table);
      }, done);
      return;
    }
    const taken = takenTypes(request);
    done(streamedTypes.some((type) => taken.includes(type)) ? null : otherType(taken), payload);
  });
  // Otherwise JSON sent to a streaming operation would be buffered, whatever its size.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.routeOptions.config.operation?.body === undefined) return done(null, payload);
    const taken = takenTypes(request);
    const type = mediaTypeOf(request);
    if (type !== undefined && !taken.includes(type)) throw otherType(taken);
    done(null, payload);
  });
  app.addContentTypeParser(messageTypes, { parseAs: 'buffer' }, (request, sent, done) => {
    request.rawBody = sent as Buffer;
    done(null, sent);
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, sent, done) => {
    const bytes = sent as Buffer;
    // Many clients send the type even without a body.
    if (bytes.length === 0 && mayBeEmpty(request)) return done(null, undefined);
    request.rawBody = bytes;
    // A body with a parser of its own is read there, in steps.
    if (request.routeOptions.config.operation?.body?.read !== undefined) return done(null, bytes);
    try {
      done(null, parseJson(bytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error('not JSON'));
    }
  });
}

function mayBeEmpty(request: FastifyRequest): boolean {
  const { operation } = request.routeOptions.config;
  return operation !== undefined && (operation.body === undefined || operation.body.required === false);
}

function takenTypes(request: FastifyRequest): readonly string[] {
  return request.routeOptions.config.operation?.body?.mediaTypes ?? ['application/json'];
}

function mediaTypeOf(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

function otherType(taken: readonly string[]): LandfallError {
  return new LandfallError('unsupported_media_type', `Send the body with Content-Type: ${taken.join(' or ')}.`);
}

/** An empty body is not JSON. Limits count as mistakes in the body: its bytes are few enough. */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new LandfallError('invalid_json', 'The body is empty. Send JSON.');
  const read = readJson(bytes, bodyLimits);
  if ('value' in read) return read.value;
  throw unreadableBody(read.problem, bodyLimits);
}
