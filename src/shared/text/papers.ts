import type { CertificationKind } from '../certification/rules.ts'

/** What stands in a paper that a company prints, signs and seals. What is not known yet is a line to fill in. */
type PaperNames = Record<'platform' | 'site' | 'enterprise' | 'code' | 'legalPerson' | 'agent' | 'phone', string>
export type Paper = { title: string; file: string; paragraphs: readonly string[]; signatures: readonly string[] }
/** The papers for which the platform has a template, by what they are handed in for. */
export type Papers = {
  authorization: (names: PaperNames, kind: CertificationKind) => Paper
  safetyPledge: (names: PaperNames) => Paper
}

/** Where something is written by hand. */
export const blankLine = '＿＿＿＿＿＿＿＿'
