/** Whether the words begin as the number of a demand does. Names of projects begin with other letters, such as TJ-12. */
export const isDemandCode = (words: string): boolean => /^xq\d/i.test(words)
