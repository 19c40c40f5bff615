import { z } from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as Record<string, unknown>

type Components = Record<string, unknown>

/**
 * The JSON schema for use inside the document. A reference starts at the root of the document, so the definitions of a schema that refers to
 * itself move to the components, under `name`.
 */
function schemaIn(components: Components, name: string, schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...whole } = schemaOf(schema, io)
  const definition = (key: string) => `${name}.${key}`.replaceAll(/[^\w.]+/g, '.')
  const { $defs = {}, ...rest } = JSON.parse(JSON.stringify(whole), (key, value: unknown) =>
    key === '$ref'
      ? String(value).replace(/^#\/\$defs\/(.+)$/, (_whole, target: string) => `#/components/schemas/${definition(target)}`)
      : value,
  ) as { $defs?: Record<string, unknown> }
  for (const [key, one] of Object.entries($defs)) components[definition(key)] = one
  return rest
}

const oneFile = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] }

/** OpenAPI 3.1 from the very schemas that validate. */
export function openApi(endpoints: readonly Endpoint[], site: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const schemas: Components = {}
  for (const endpoint of endpoints) {
    const path = endpoint.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    const name = endpoint.method.toLowerCase() + path
    paths[path][endpoint.method.toLowerCase()] = {
      summary: endpoint.summary,
      tags: [endpoint.url.split('/')[2] ?? endpoint.url.split('/')[1]],
      'x-access': endpoint.access,
      security: endpoint.access === 'public' ? [] : [{ token: [] }],
      parameters: [...parameters(schemas, name, endpoint.params, 'path'), ...parameters(schemas, name, endpoint.query, 'query')],
      ...(endpoint.body && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaIn(schemas, `${name}.body`, endpoint.body, 'input') } },
        },
      }),
      ...(endpoint.upload && { requestBody: { required: true, content: { 'multipart/form-data': { schema: oneFile } } } }),
      responses: {
        200: {
          description: 'The envelope; code tells success (200) from refusals (401, 403, 404, 409, 422, 429, 500)',
          content:
            endpoint.form === 'file'
              ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
              : { 'application/json': { schema: envelope(schemas, name, endpoint) } },
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: site, version: '1' },
    servers: [{ url: '/prod-api' }],
    components: { schemas, securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    paths,
  }
}

function parameters(components: Components, name: string, schema: z.ZodType | undefined, where: 'path' | 'query') {
  if (!schema) return []
  const whole = schemaIn(components, `${name}.${where}`, schema, 'input')
  const { properties = {}, required = [] } = whole as { properties?: Record<string, unknown>; required?: string[] }
  return Object.entries(properties).map(([parameter, property]) => ({
    name: parameter,
    in: where,
    required: where === 'path' || required.includes(parameter),
    schema: property,
  }))
}

function envelope(components: Components, name: string, endpoint: Endpoint) {
  const head = { code: { type: 'integer' }, msg: { type: 'string' } }
  const answer = schemaIn(components, `${name}.answer`, endpoint.answer, 'output')
  return {
    type: 'object',
    properties:
      endpoint.form === 'list'
        ? { ...head, total: { type: 'integer' }, rows: { type: 'array', items: answer } }
        : { ...head, data: answer },
  }
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A page to browse the calls, without a script. */
export function docsPage(endpoints: readonly Endpoint[], site: string): string {
  const rows = endpoints
    .map((endpoint) => {
      const parts = (['params', 'query', 'body'] as const)
        .filter((part) => endpoint[part])
        .map((part) => `<h4>${part}</h4><pre>${escape(JSON.stringify(schemaOf(endpoint[part] as z.ZodType, 'input'), null, 2))}</pre>`)
      return `<details><summary><code class="${endpoint.method}">${endpoint.method}</code> <b>/prod-api${escape(endpoint.url)}</b> <span>${escape(endpoint.summary)}</span> <i>${endpoint.access}</i></summary>${parts.join('')}<h4>answer (${endpoint.form})</h4><pre>${escape(JSON.stringify(schemaOf(endpoint.answer, 'output'), null, 2))}</pre></details>`
    })
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(site)} API</title><style>
body{font:15px/1.6 system-ui,sans-serif;max-width:1080px;margin:32px auto;padding:0 16px;color:#16202e;background:#fff}
details{border-bottom:1px solid #dfe5ee;padding:10px 0}summary{cursor:pointer}summary span{color:#51607a}summary i{float:right;color:#51607a}
pre{background:#f4f6fa;padding:12px;overflow:auto;font-size:13px}code{display:inline-block;width:64px;font-weight:600}.GET{color:#1453d1}.POST{color:#0c7a43}.PUT{color:#9a5b00}.DELETE{color:#b42318}
</style><h1>${escape(site)} API</h1><p>Everything under <code style="width:auto">/prod-api</code>; the token goes into <code style="width:auto">Authorization</code>. <a href="/prod-api/openapi.json">OpenAPI 3.1</a></p>${rows}</html>`
}
