/** 1 enterprise, 2 subordinate unit, 3 project department, 4 department. */
export const deptTypes = ['1', '2', '3', '4'] as const
export type DeptType = (typeof deptTypes)[number]

/** Levels from the enterprise down, itself counted (domain 1.15). */
export const deptDepth = 8

/** A project department is always a leaf. */
export const mayHaveChildren = (deptType: string): boolean => deptType !== '3'
