// What the form of a saved search checks, apart from the calls.
import { z } from 'zod'
import { Flag, line } from '../fields.ts'

export const savedLists = ['equipment', 'demand'] as const

export const SavedSearchInput = z.object({
  list: z.enum(savedLists),
  name: line(1, 40),
  query: z.string().max(600),
  alert: Flag.default(true),
})
