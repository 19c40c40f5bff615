// Schema of the form of a saved search, apart from the calls (decision 17).
import { z } from 'zod'
import { Flag, line } from '../fields.ts'

export const savedLists = ['equipment', 'demand'] as const

export const SavedSearchInput = z.object({
  list: z.enum(savedLists),
  name: line(1, 40),
  query: z.string().max(600),
  alert: Flag.default(true),
})
