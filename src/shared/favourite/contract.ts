import { z } from 'zod'
import { DemandCard } from '../demand/contract.ts'
import { LessorCard } from '../company/contract.ts'
import type { Endpoint } from '../endpoint.ts'
import { EquipmentCard } from '../equipment/contract.ts'
import { Flag, Id } from '../fields.ts'
import { SavedSearchInput, savedLists } from './input.ts'

export const favouriteTypes = ['equipment', 'supplier', 'demand'] as const
export type FavouriteType = (typeof favouriteTypes)[number]

const Favourite = z.object({ bizType: z.enum(favouriteTypes), bizId: Id })

export const setFavourite = {
  method: 'PUT',
  url: '/business/favourite',
  summary: 'Add a machine, a lessor or a demand to the favourites, or remove it; at most 200 of each',
  access: 'account',
  form: 'data',
  body: Favourite.extend({ kept: Flag }),
  answer: z.null(),
} as const satisfies Endpoint

export const listFavouriteIds = {
  method: 'GET',
  url: '/business/favourite/ids',
  summary: 'The favourites as ids, for the marks on lists',
  access: 'account',
  form: 'data',
  answer: z.array(z.object({ bizType: z.enum(favouriteTypes), bizId: z.number() })),
} as const satisfies Endpoint

export const listFavourites = {
  method: 'GET',
  url: '/business/favourite/list',
  summary: 'The favourites that are still public, the newest first; `gone` lists the others',
  access: 'account',
  form: 'data',
  answer: z.object({
    equipment: z.array(EquipmentCard),
    supplier: z.array(LessorCard),
    demand: z.array(DemandCard),
    gone: z.array(z.object({ bizType: z.enum(favouriteTypes), bizId: z.number() })),
  }),
} as const satisfies Endpoint

export const SavedSearch = z.object({
  id: z.number(),
  list: z.enum(savedLists),
  name: z.string(),
  /** The query part of the list's address, without the question mark. */
  query: z.string(),
  alert: z.boolean(),
  createTime: z.string(),
})
export type SavedSearch = z.infer<typeof SavedSearch>

export const listSavedSearches = {
  method: 'GET',
  url: '/business/savedSearch/list',
  summary: 'Own saved searches',
  access: 'account',
  form: 'data',
  answer: z.array(SavedSearch),
} as const satisfies Endpoint

export const addSavedSearch = {
  method: 'POST',
  url: '/business/savedSearch',
  summary: 'Save the filters of a list, with a notice when a new row fits; at most 20',
  access: 'account',
  form: 'data',
  body: SavedSearchInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const editSavedSearch = {
  method: 'PUT',
  url: '/business/savedSearch/:id',
  summary: 'Switch its notices on or off',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ alert: Flag }),
  answer: z.null(),
} as const satisfies Endpoint

export const deleteSavedSearch = {
  method: 'DELETE',
  url: '/business/savedSearch/:id',
  summary: 'Delete a saved search',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint
