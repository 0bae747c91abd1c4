import type { Context } from 'hono';
import type { BytesName, Input } from '../../shared/api/contract.ts';
import { toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { MAX_DOWNLOAD_BYTES, MAX_IMAGE_BYTES } from '../../shared/limits.ts';
import { rasterType, SNIFF_BYTES } from '../../shared/text/sniff.ts';
import { downloadName } from '../content/contents.ts';
import { type OpenContent, piecesOf } from '../content/open-content.ts';
import type { ServerBackend } from './deps.ts';
import type { HttpEnv } from './env.ts';

/**
 * Contents of pending entries. Bytes leave as an attachment of no type, or as a raster image of a type that we found in
 * them; in both cases below a policy that lets a browser do nothing with them, should it ever open them as a page.
 */
export async function answerContent(
  c: Context<HttpEnv>,
  name: BytesName,
  backend: Pick<ServerBackend, 'openContent'>,
  [id, { entry, side }]: [id: string, Input<BytesName>],
): Promise<Response> {
  const content = await backend.openContent(id, entry, side);
  return name === 'image' ? await image(c, content) : await download(c, content);
}

async function image(c: Context<HttpEnv>, content: OpenContent): Promise<Response> {
  try {
    return sandboxed(c, await imageOf(content));
  } finally {
    await content.file.close();
  }
}

async function download(c: Context<HttpEnv>, content: OpenContent): Promise<Response> {
  const isHead = c.req.method === 'HEAD';
  if (content.size > MAX_DOWNLOAD_BYTES || isHead) await content.file.close();
  if (content.size > MAX_DOWNLOAD_BYTES) throw tooLarge(content, 'downloaded', MAX_DOWNLOAD_BYTES);
  const { plain, encoded } = downloadName(content.path);
  return sandboxed(c, {
    type: 'application/octet-stream',
    body: isHead ? null : streamOf(content),
    headers: { 'Content-Disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}` },
  });
}

interface Body {
  type: string;
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  headers?: Record<string, string>;
}

function sandboxed(c: Context<HttpEnv>, { type, body, headers = {} }: Body): Response {
  c.header('Content-Security-Policy', "default-src 'none'; sandbox");
  const all = { 'Content-Type': type, ...headers };
  return body === null ? c.body(null, 200, all) : c.body(body, 200, all);
}

/** Looks at the content, never at the name: an SVG is a program, and what only calls itself an image is none. */
async function imageOf(content: OpenContent): Promise<Body> {
  if (content.size > MAX_IMAGE_BYTES) throw tooLarge(content, 'shown', MAX_IMAGE_BYTES);
  const body = Buffer.alloc(content.size);
  let at = 0;
  for await (const piece of piecesOf(content)) {
    body.set(piece, at);
    at += piece.length;
  }
  const type = rasterType(body.subarray(0, SNIFF_BYTES));
  if (type === null)
    throw new TraiError('bad-input', 'expected a PNG, JPEG, GIF or WebP image, found something else', {
      path: toDisplay(content.path),
    });
  return { type, body };
}

/** The stream breaks when the file can't be read to its end. It closes the file. */
function streamOf(content: OpenContent): ReadableStream<Uint8Array> {
  const pieces = piecesOf(content);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value } = await pieces.next().catch(async (error: unknown) => {
        await content.file.close();
        throw error;
      });
      if (value !== undefined) return controller.enqueue(value);
      await content.file.close();
      controller.close();
    },
    cancel: async () => {
      await content.file.close();
    },
  });
}

function tooLarge({ path, size }: OpenContent, what: string, most: number): TraiError {
  return new TraiError('too-large', `${size} bytes are too many to be ${what}; at most ${most} are`, {
    path: toDisplay(path),
    hint: 'In a terminal, `trai exec` sees the sandbox’s version: copy it from there.',
  });
}
