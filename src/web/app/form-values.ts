// Derives the fields of a form from the schema of its contract: their types, their blank state, how stored values become fields and how fields
// become input.
import type { z } from 'zod'
import { Day, Id, Moment } from '#shared/fields.ts'

type Present<V> = Exclude<V, null | undefined>
type Choice<V, Options extends string> = null extends V ? Options | '' : Options

/**
 * The fields of a form for an input of the wire. Everything typed is text, half-typed numbers and dates included. A choice is the text of its
 * option, or '' where none has to be chosen. An id is null until it is picked.
 */
export type FormValue<V, Name = ''> = [Present<V>] extends [boolean]
  ? boolean
  : [Present<V>] extends [string | number]
    ? Name extends 'id' | `${string}Id`
      ? number extends Present<V>
        ? number | null
        : string
      : string extends Present<V>
        ? string
        : number extends Present<V>
          ? string
          : Choice<V, `${Present<V>}`>
    : [Present<V>] extends [readonly (infer One)[]]
      ? FormValue<One>[]
      : { [K in keyof Present<V>]-?: FormValue<Present<V>[K], K> }

type Node = { schema: z.core.$ZodTypes; nullable: boolean; preset: unknown }

/** Finds the schema that reads the text, inside its null, its default and the steps after reading. */
function unwrap(schema: z.core.$ZodType, nullable = false, preset?: unknown): Node {
  const core = schema as z.core.$ZodTypes
  const { def } = core._zod
  if (Object.is(core, Id)) return { schema: core, nullable, preset }
  switch (def.type) {
    case 'nullable':
      return unwrap(def.innerType, true, preset)
    case 'optional':
      return unwrap(def.innerType, nullable, preset)
    case 'default':
    case 'prefault':
      return unwrap(def.innerType, nullable, def.defaultValue)
    case 'pipe':
      return unwrap(def.in, nullable, preset)
    case 'union':
      return { schema: core, nullable: nullable || def.options.some((option) => typeOf(option) === 'null'), preset }
    default:
      return { schema: core, nullable, preset }
  }
}

const typeOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type

/** Lists the options of a choice as the wire writes them. Undefined if the schema is no choice. */
function optionsOf(schema: z.core.$ZodTypes): readonly unknown[] | undefined {
  const { def } = schema._zod
  if (def.type === 'enum') return Object.values(def.entries)
  if (def.type !== 'union') return undefined
  const literals = def.options.map((option) => {
    const one = (option as z.core.$ZodTypes)._zod.def
    return one.type === 'literal' ? one.values[0] : undefined
  })
  return literals.includes(undefined) ? undefined : literals
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Fills a form from stored values: a record of the server, a draft of an earlier release, or nothing for a blank form. A value that is missing
 * or of another type falls back to the schema's default.
 */
export function openForm<S extends z.ZodType>(schema: S, stored: unknown = {}): FormValue<z.input<S>> {
  return opened(schema, stored) as FormValue<z.input<S>>
}

function opened(declared: z.core.$ZodType, stored: unknown): unknown {
  const { schema, nullable, preset } = unwrap(declared)
  const value = stored ?? preset
  if (Object.is(schema, Id)) return value === '' || !Number.isFinite(Number(value ?? Number.NaN)) ? null : Number(value)
  const options = optionsOf(schema)
  if (options) {
    const option = options.find((one) => String(one) === String(value)) ?? (nullable ? '' : (preset ?? options[0]))
    return String(option)
  }
  const { def } = schema._zod
  switch (def.type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : preset === true
    case 'array':
      return Array.isArray(value) ? value.map((one) => opened(def.element, one)) : []
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, field]) => [name, opened(field, isRecord(value) ? value[name] : null)]),
      )
    case 'record':
      return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, opened(def.valueType, one)])) : {}
    default:
      return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
}

/**
 * Converts fields to the types of the schema: digits to numbers, an empty field to null or, where a value is required, to undefined.
 * Keys that the schema does not know are dropped. Nothing is checked here.
 */
export function readForm(declared: z.core.$ZodType, value: unknown): unknown {
  const { schema, nullable } = unwrap(declared)
  const nothing = nullable ? null : undefined
  const isEmpty = typeof value === 'string' && value.trim() === ''
  if (value === undefined) return undefined
  if (value === null) return nothing
  if (Object.is(schema, Id)) return value
  const options = optionsOf(schema)
  if (options) return isEmpty ? nothing : (options.find((one) => String(one) === value) ?? value)
  const { def } = schema._zod
  switch (def.type) {
    case 'array':
      return Array.isArray(value) ? value.map((one) => readForm(def.element, one)) : value
    case 'object':
      return isRecord(value)
        ? Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, readForm(field, value[name])]))
        : value
    case 'number':
      // A text that is no number is left for the schema to refuse.
      return isEmpty ? nothing : typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value
    case 'union':
      return isEmpty ? nothing : value
    case 'string':
      // An empty text may be valid, which its schema decides; an empty day or moment is a missing value.
      return isEmpty && (nullable || Object.is(schema, Day) || Object.is(schema, Moment)) ? nothing : value
    default:
      return value
  }
}
