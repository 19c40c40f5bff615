/** A unit is a subordinate company or branch of the enterprise. */
export const deptType = { enterprise: '1', unit: '2', project: '3', department: '4' } as const
export const deptTypes = Object.values(deptType)
export type DeptType = (typeof deptType)[keyof typeof deptType]

/** A project department belongs to one of these. */
export const unitTypes = [deptType.enterprise, deptType.unit] as const
/** Whatever is not a project department. */
export const leaseUnitTypes = [...unitTypes, deptType.department] as const

/** Levels from the enterprise down, itself counted (domain 1.15). */
export const deptDepth = 8

/** A project department is always a leaf. */
export const mayHaveChildren = (type: DeptType): boolean => type !== deptType.project

/** Whether a department may be added below one that has these ancestors. */
export const hasLevelBelow = (ancestors: readonly number[]): boolean => ancestors.length + 2 <= deptDepth
