import { projectWords } from '../text/zh-cn/project-words.ts'

/** Tells the type of works from the name of a project, or '' where the name does not say it: a tunnel is part of many. */
export const projectTypeIn = (name: string) => projectWords.find(([, words]) => words.test(name))?.[0] ?? ''
