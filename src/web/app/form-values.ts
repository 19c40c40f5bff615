// What a form holds is derived from the schema of the contract: its type, its blank state, how stored values open in it and how
// what was typed is read.
import type { z } from 'zod'
import { Day, Id, Moment } from '#shared/fields.ts'

type Present<V> = Exclude<V, null | undefined>
type Choice<V, Options extends string> = null extends V ? Options | '' : Options

/**
 * What a form holds for an input of the wire. Whatever is typed is text, half-typed numbers and dates included; a choice is the
 * text of its option, '' where none may be chosen; an id is picked and is null until then.
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

/** The schema that reads the text, without what surrounds it: null, defaults and the steps after reading. */
function unwrap(schema: z.core.$ZodType, nullable = false, preset?: unknown): Node {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  if (Object.is(known, Id)) return { schema: known, nullable, preset }
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
      return { schema: known, nullable: nullable || def.options.some((option) => typeOf(option) === 'null'), preset }
    default:
      return { schema: known, nullable, preset }
  }
}

const typeOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type

/** The options of a choice as the wire writes them; undefined when the schema is no choice. */
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
 * A form over stored values: a record of the server, a draft of an earlier release, or nothing for a blank form. What is missing
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
 * What was typed, as the schema reads it: digits as numbers, an empty field as null or, where there must be a value, as missing.
 * Keys that the schema does not know are left out. Nothing is checked here.
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
      return isEmpty ? nothing : typeof value === 'string' ? Number(value) : value
    case 'union':
      return isEmpty ? nothing : value
    case 'string':
      // A text may be empty and its schema says so; a day or a moment that was not filled in is missing.
      return isEmpty && (nullable || Object.is(schema, Day) || Object.is(schema, Moment)) ? nothing : value
    default:
      return value
  }
}
