/** A paragraph, or the points of a list. `{site}` and `{company}` stand for the names of the configuration. */
export type Block = string | readonly string[]
type Chapter = { id: string; title: string; blocks: readonly Block[] }
/** A page that is read from top to bottom. Its words come with the page alone, because no other page needs them. */
export type Reading = { title: string; summary: string; chapters: readonly Chapter[] }

/** The agreements by the end of their addresses. */
export const agreementNames = ['terms', 'privacy', 'rules'] as const
export type AgreementName = (typeof agreementNames)[number]

/** The pages of the help by the end of their addresses, in the order in which somebody new needs them. */
export const helpNames = ['publish-demand', 'quote', 'sealed-quotes', 'landed-cost', 'certification-papers', 'faq', 'glossary'] as const
export type HelpName = (typeof helpNames)[number]

type Point = { title: string; text: string }
/** The page about the platform. Its first three parts stand at fixed heights (`about.css`), so their words are short. */
export type About = {
  title: string
  lead: string
  brand: {
    title: string
    paragraphs: readonly string[]
    example: string
    parts: readonly (readonly [label: string, yuan: number])[]
    landed: string
  }
  business: { title: string; points: readonly Point[] }
  team: { title: string; lead: string; roles: readonly Point[] }
  partners: { title: string; lead: string }
  join: { title: string; ways: readonly Point[] }
  questions: { title: string; points: readonly Point[] }
  news: string
  contact: { title: string; text: string; link: string; help: string }
}

/** When the agreements took effect. */
export const agreementSince = '2026-06-01'
