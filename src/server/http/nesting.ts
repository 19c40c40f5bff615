import type { FastifyInstance } from 'fastify'

/** The deepest form of the product, a demand with its lines and their requirements, has six levels. */
const deepest = 32

/**
 * Refuses JSON with more levels before it is parsed: schemas and `JSON.stringify` go down level by level and would overflow the stack of the
 * process.
 */
export function boundNesting(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (levelsOf(body) > deepest) done(Object.assign(new Error('the JSON has too many levels'), { statusCode: 400 }))
    else void parse(request, body, done)
  })
}

/** The levels of brackets outside of strings. */
export function levelsOf(json: string): number {
  let level = 0
  let most = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') most = Math.max(most, ++level)
    else if (sign === '}' || sign === ']') level--
  }
  return most
}
