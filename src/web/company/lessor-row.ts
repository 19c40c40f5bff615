import type { LessorCard } from '#shared/company/contract.ts'

// Reduces the rows of an answer to the fields of a card. A page rendered on the server carries its rows twice, as HTML and as data, so whole
// answers would lengthen each page (decision 58).

export type LessorRow = Pick<LessorCard, 'id' | 'enterpriseName' | 'regionName' | 'regionNameEn' | 'grade' | 'equipmentCount'>
export const lessorRow = ({ id, enterpriseName, regionName, regionNameEn, grade, equipmentCount }: LessorCard): LessorRow => ({
  id,
  enterpriseName,
  regionName,
  regionNameEn,
  grade,
  equipmentCount,
})
