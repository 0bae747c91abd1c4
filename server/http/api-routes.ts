import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { API, API_NAMES, type ApiName, type BytesName } from '../../shared/api/contract.ts';
import { INPUTS } from '../../shared/api/inputs.ts';
import { answerContent } from './content-answers.ts';
import type { AppDeps } from './deps.ts';
import type { HttpEnv } from './env.ts';
import { valid } from './valid.ts';

/** A POST without an input says so. */
const NO_BODY = z.strictObject({});

/** The routes of the table: each checks its input by the schema of its name, and asks the implementation of its name. */
export function apiRoutes({ backend }: Pick<AppDeps, 'backend'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const name of API_NAMES) {
    const { verb, path, about } = API[name];
    const target = verb === 'GET' ? 'query' : 'json';
    const schema = name in INPUTS ? INPUTS[name as keyof typeof INPUTS] : verb === 'POST' ? NO_BODY : null;
    const handler = async (c: Context<HttpEnv>): Promise<Response> => {
      const id = about === 'session' ? [c.req.param('id')] : [];
      const input = schema === null || schema === NO_BODY ? [] : [c.req.valid(target as never)];
      if (isBytes(name)) return await answerContent(c, name, backend, [...id, ...input] as never);
      // `id` and `input` are what `Handlers` says of this name: the schema's type is that of the table.
      const work = backend[name] as (...args: unknown[]) => Promise<unknown>;
      return c.json((await work(...id, ...input)) as object);
    };
    if (schema === null) app.on(verb, path, handler);
    else app.on(verb, path, valid(target, schema), handler);
  }
  return app;
}

function isBytes(name: ApiName): name is BytesName {
  return API[name].bytes === true;
}
