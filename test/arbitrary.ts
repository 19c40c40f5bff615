import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  $ref?: string
  $defs?: Record<string, Schema>
}

/** Values that people, scripts and attackers send where another type is expected. */
export const hostile: readonly unknown[] = [
  "'; drop table demand; --",
  '<script>alert(1)</script>',
  '\u0000\u0007',
  '𝕏😀'.repeat(40),
  '\u202eevil',
  '\ud800',
  '${7*7}',
  '../../etc/passwd',
  'a'.repeat(20_000),
  '9'.repeat(40),
  '-1',
  'NaN',
  '1e309',
  '2026-02-30',
  '0000-00-00',
  '99999-01-01',
  -1,
  0,
  0.1,
  1e300,
  2 ** 53,
  2 ** 31,
  -(2 ** 63),
  null,
  true,
  [],
  {},
  [[[]]],
  { toString: 1 },
  { $gt: '' },
  ['1', '1'],
]

/** Values that a contract mostly allows, with an occasional one that it does not. `known` are ids and words that exist. */
export function arbitraryOf(contract: z.ZodType, known: readonly unknown[]): Arbitrary<unknown> {
  const schema = z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema
  return valueOf(schema, schema, known, 0)
}

function valueOf(schema: Schema, whole: Schema, known: readonly unknown[], depth: number): Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: rightValue(schema, whole, known, depth) }, { weight: 1, arbitrary: fc.constantFrom(...hostile) })
}

function rightValue(schema: Schema, whole: Schema, known: readonly unknown[], depth: number): Arbitrary<unknown> {
  const inner = (one: Schema) => valueOf(one, whole, known, depth + 1)
  if (schema.$ref) {
    const found = schema.$ref === '#' ? whole : whole.$defs?.[schema.$ref.split('/').at(-1) ?? '']
    return depth > 6 || !found ? fc.constant(null) : inner(found)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(inner))
  if (schema.allOf) return inner(Object.assign({}, ...schema.allOf) as Schema)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return objectOf(schema, inner)
    case 'array': {
      const minLength = schema.minItems ?? 0
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(inner))
      return fc.array(inner(schema.items ?? {}), { minLength, maxLength: Math.max(minLength, Math.min(schema.maxItems ?? 3, 3)) })
    }
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema, type, known)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      // A coerced number, an id, a preprocessed value: anything a query may hold.
      return fc.oneof(fc.constantFrom(...known), fc.nat(200), fc.string({ maxLength: 12 }))
  }
}

function objectOf(schema: Schema, inner: (one: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0) {
    const values = typeof schema.additionalProperties === 'object' ? inner(schema.additionalProperties) : fc.nat()
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), values, { maxKeys: 3 })
  }
  const required = schema.required ?? []
  return fc
    .record(Object.fromEntries(names.map((name) => [name, inner(schema.properties?.[name] ?? {})])), {
      requiredKeys: names.filter((name) => required.includes(name)),
    })
    .chain((value) =>
      // Now and then one that must be there is not.
      fc.nat(20).map((n) => (n === 0 ? Object.fromEntries(Object.entries(value).slice(1)) : value)),
    )
}

function textOf({ pattern, format, minLength = 0, maxLength = 30 }: Schema): Arbitrary<string> {
  if (format === 'date') return fc.constantFrom('2026-12-20', '2027-01-10', '2027-03-01', '2026-01-01', '0001-01-01', '9999-12-31')
  if (format === 'uuid') return fc.uuid()
  if (format === 'uri') return fc.webUrl()
  if (pattern) {
    try {
      return fc.stringMatching(new RegExp(pattern), { size: 'small' })
    } catch {
      // Text of the right length, where the pattern cannot be generated from.
    }
  }
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }
  return fc.oneof(fc.string(length), fc.string({ ...length, unit: fc.constantFrom(...'塔吊装载机挖掘机成都项目部甲乙丙丁') }))
}

function numberOf(schema: Schema, type: string, known: readonly unknown[]): Arbitrary<number> {
  const min = Math.max(schema.minimum ?? schema.exclusiveMinimum ?? -1000, -1e9)
  const max = Math.max(min, Math.min(schema.maximum ?? 100_000, 1e9))
  const ids = known.filter((one): one is number => typeof one === 'number' && one >= min && one <= max)
  const any = type === 'integer' ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) }) : fc.double({ min, max, noNaN: true })
  return ids.length > 0 ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: any }) : any
}
