import type { Rolldown } from 'vite'
export function screenGroups(): Rolldown.CodeSplittingGroup[]
export function fileNames(chunk: Rolldown.PreRenderedChunk): string
