/** Questions that one lessor may ask about one demand. */
export const maxQuestions = 20
