/** In the order in which they are shown. */
export const suggestionKinds = ['category', 'equipment', 'demand', 'supplier'] as const

/** What a part of a search is understood as. */
export const partKinds = ['category', 'size', 'region', 'brand', 'word'] as const
export type PartKind = (typeof partKinds)[number]

/** The letters of the longest search. */
export const longestSearch = 40
