import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText } from '#shared/amount-text.ts'
import { capitalAmount } from '#shared/contract/capital.ts'
import { clauseKeys } from '#shared/contract/clauses.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { randomContract } from '#test/random-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { makePdf } from '../pdf/pdf.ts'
import { contractPrint, type Making } from './contract-print.ts'

const making: Making = {
  text: zhCn,
  site: '筑机通',
  now: new Date('2026-11-23T10:00:00+08:00'),
  address: 'https://market.example/workbench/contract/detail?id=1',
}

/** As the reader of a PDF finds it: without blanks, and with the code of the letters that the font lacks. */
const asRead = (text: string) =>
  text.replace(/\s/g, '').replace(/[𠮷𪛖]/gu, (letter) => `[U+${letter.codePointAt(0)?.toString(16).toUpperCase()}]`)

test(
  'what a PDF says is what is agreed: every clause, every position, and the sum in figures and in capitals',
  { timeout: 600_000 },
  async () => {
    const contracts = fc.asyncProperty(randomContract({ min: 1, max: 6 }), async ({ facts, printed }) => {
      const { content } = await makePdf('contract', contractPrint(printed, making))
      const pages = await readPdf(content)
      const body = pages.map((page) => page.body).join('')
      const missing = (parts: string[]) => parts.map(asRead).filter((part) => !body.includes(part))
      const sentences = clauseKeys.flatMap((key) => clauseWordsOf(zhCn).sentences[key](facts.clauses).split('\n'))
      expect(missing(sentences)).toEqual([])
      const positions = printed.lines.flatMap((line) => [
        `${line.lineNo}${line.name}${line.spec}${line.equipmentCode}`,
        `${amountText(line.unitPrice)}/${zhCn.equipment.unitShort[line.rentUnit]}`,
        `${line.planStart}至${line.planEnd}前一日`,
        amountText(line.amount),
        `${zhCn.demand.shift[line.shiftMode]}作业${line.estQuantity === null ? '' : `，预计工作量每台 ${line.estQuantity} ${zhCn.equipment.unitShort[line.rentUnit]}`}`,
      ])
      expect(missing(positions)).toEqual([])
      const amounts = [`¥${amountText(facts.amountFen)}（${capitalAmount(facts.amountFen)}）`, amountText(facts.amountFen)]
      expect(missing([...amounts, facts.lesseeName, facts.lessorName, facts.projectName, facts.title, '王堃'])).toEqual([])
      expect(pages.map(({ footer }) => footer)).toEqual(
        pages.map((_, at) => `中文文本SHA-256：${printed.textHash}第${at + 1}页/共${pages.length}页·第12次打印`),
      )
      for (const { header } of pages) expect(header).toContain(`${facts.contractCode}·第${printed.revision}版`)
    })
    await fc.assert(contracts, { numRuns: Number(process.env.FUZZ ?? 3), endOnFailure: true })
  },
)
