import { amendmentWordsOf, type AmendmentWords } from '#shared/text/amendment-words.ts'
import { useText } from '../../app/text.tsx'

/** The words about amendments, which come with the pages that show them. */
export const useAmendmentWords = (): AmendmentWords => amendmentWordsOf(useText())
