import type { certificationTemplate } from '#shared/certification/contract.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { papers as english } from '#shared/text/en/papers.ts'
import { blankLine } from '#shared/text/papers.ts'
import { papers as chinese } from '#shared/text/zh-cn/papers.ts'
import type { Context } from '../deed.ts'
import { wordDocument } from './word-document.ts'

/** Writes the template of a paper with what the person's own form holds so far; the rest is filled in by hand. */
export async function writePaperTemplate(
  { db, actor, config, locale }: Context,
  { kind, document }: Received<typeof certificationTemplate>['query'],
): Promise<Download> {
  const own = await db
    .selectFrom('certification')
    .where('accountId', '=', actor.accountId)
    .where('kind', '=', kind)
    .select('form')
    .executeTakeFirst()
  const typed = (name: string) => {
    const value = own?.form[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : blankLine
  }
  const inEnglish = locale === 'en-US'
  const site = inEnglish ? config.site.nameEn : config.site.name
  const names = {
    site,
    platform: config.site.company || site,
    enterprise: typed('enterpriseName'),
    code: typed('creditCode'),
    legalPerson: typed('legalPerson'),
    agent: typed('contactName'),
    phone: typed('contactPhone'),
  }
  const paper = (inEnglish ? english : chinese)[document](names, kind)
  return {
    name: paper.file,
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    content: await wordDocument(paper),
  }
}
